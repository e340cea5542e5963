import type { RuleLanguage } from "../../core/tool/AuditTool.ts"
import { csharpSql } from "../languages/csharpSinks.ts"
import { rubySql } from "../languages/rubySinks.ts"
import type { SinkRule } from "../TaintLanguage.ts"
import { NOSQL, SQL } from "../values/Value.ts"

const label = "a database query"

const jsClients =
  "(?:pg|pg-promise|pg-native|postgres|mysql2?(?:\\/promise)?|mariadb|sqlite3?|better-sqlite3|node:sqlite|knex|sequelize(?:-typescript)?|typeorm|@nestjs\\/typeorm|@prisma\\/client|mssql|tedious|oracledb|@neondatabase\\/serverless|@vercel\\/postgres|drizzle-orm[\\w/-]*|kysely|snowflake-sdk|duckdb|@databricks\\/sql|slonik|promise-mysql|bookshelf|objection)"
const mongo = "(?:mongodb|mongoose|mongojs|monk)"
const pyClients =
  "(?:sqlite3|psycopg2?|psycopg_pool|pymysql|MySQLdb|mysql\\.connector|aiomysql|asyncpg|aiosqlite|cx_Oracle|oracledb|pyodbc|pymssql|sqlalchemy|flask_sqlalchemy|sqlmodel|databases|django\\.db|duckdb|snowflake\\.connector|clickhouse_driver|trino|pyhive)"

const at = (pattern: string): RegExp => new RegExp(`^${pattern}$`)

const javascript: ReadonlyArray<SinkRule> = [
  {
    kind: SQL,
    label,
    path: at(
      `${jsClients}\\b.*\\.(?:query|execute|exec|run|all|get|each|prepare|raw|rawQuery|any|one|none|many|oneOrNone|manyOrNone|unsafe|whereRaw|orWhereRaw|havingRaw|orderByRaw|groupByRaw|joinRaw|fromRaw|selectRaw|\\$queryRawUnsafe|\\$executeRawUnsafe|batch)`
    ),
    args: [0],
    when: ({ callee }) =>
      !/(?:^|\.)(?:get|all|run|each|one|many|any)$/.test(callee) ||
      /(?:db|conn|client|pool|sqlite|database|pg|tx|t)(?:\(\))?\.(?:get|all|run|each|one|many|any)$/i.test(callee)
  },
  { kind: SQL, label, path: /(?:^|\.)\$(?:queryRawUnsafe|executeRawUnsafe)$/, args: [0] },
  {
    kind: SQL,
    label,
    path: /(?:^|\.)(?:query|execute|exec|run|all|get|each|prepare|raw|rawQuery|simpleQuery|executeSql|any|one|none|many|oneOrNone|manyOrNone|unsafe|whereRaw|orderByRaw|runQuery|\$queryRaw)$/,
    args: [0],
    needsText: true
  },
  {
    kind: SQL,
    label,
    path: /(?:^|\.)(?:literal|whereRaw|orWhereRaw|havingRaw|orderByRaw)$/,
    args: [0],
    when: ({ receiver }) => /^(?:sequelize|Sequelize|knex|db|query|qb|builder)$/.test(receiver)
  },
  // A pg or mysql2 query object.
  {
    kind: SQL,
    label,
    path: at(`${jsClients}\\b.*\\.(?:query|execute)`),
    args: [0],
    elements: false,
    when: ({ option }) => option("text") !== null || option("sql") !== null
  },
  {
    kind: NOSQL,
    label: "a database filter",
    path: at(
      `${mongo}\\b.*\\.(?:find|findOne|findOneAndUpdate|findOneAndDelete|updateOne|updateMany|deleteOne|deleteMany|countDocuments|replaceOne|where|exists|remove|update|count|distinct)`
    ),
    args: [0],
    elements: true,
    when: ({ option }) => option("$where") === null
  },
  {
    kind: NOSQL,
    label: "a $where clause",
    path: /(?:^|\.)(?:find|findOne|where|\$where|findOneAndUpdate|updateOne|updateMany|deleteOne|deleteMany)$/,
    args: [0],
    elements: true,
    when: ({ option, callee }) => option("$where") !== null || callee.endsWith(".$where")
  }
]

const python: ReadonlyArray<SinkRule> = [
  {
    kind: SQL,
    label,
    path: at(
      `${pyClients}\\b.*\\.(?:execute|executemany|executescript|raw|exec_driver_sql|read_sql|read_sql_query|fetch|fetchrow|fetchval|fetch_all|fetch_one|execute_async|prepare|query|scalar|scalars|copy_expert)`
    ),
    args: [0],
    named: ["sql", "query", "statement", "operation"]
  },
  {
    kind: SQL,
    label,
    path: /(?:^|\.)(?:execute|executemany|executescript|raw|read_sql|read_sql_query|fetch|fetchrow|fetchval|fetchall|fetch_all|fetch_one|query|execute_query|run_query|run_sql|exec_driver_sql|RawSQL|sql)$/,
    args: [0],
    named: ["sql", "query"],
    needsText: true
  },
  { kind: SQL, label, path: /^django\.db\.models\.expressions\.RawSQL$|\.objects\.raw$/, args: [0] },
  {
    kind: SQL,
    label,
    path: /\.objects(?:\.\w+\(\))*\.extra$/,
    args: [],
    named: ["where", "select", "tables", "order_by"],
    elements: true
  },
  {
    kind: NOSQL,
    label: "a $where clause",
    path: /(?:^|\.)(?:find|find_one|update_one|update_many|delete_one|delete_many|count_documents)$/,
    args: [0],
    elements: true,
    when: ({ option }) => option("$where") !== null
  }
]

const goClients =
  "(?:database\\/sql|github\\.com\\/jmoiron\\/sqlx|github\\.com\\/jackc\\/pgx(?:\\/v\\d)?(?:\\/pgxpool)?|gorm\\.io\\/gorm|github\\.com\\/jinzhu\\/gorm|github\\.com\\/go-xorm\\/xorm|xorm\\.io\\/xorm)"

const go: ReadonlyArray<SinkRule> = [
  {
    kind: SQL,
    label,
    path: at(
      `${goClients}\\b.*\\.(?:Query|QueryRow|Exec|Prepare|Queryx|QueryRowx|MustExec|NamedExec|NamedQuery|Raw|SQL)`
    ),
    args: [0]
  },
  {
    kind: SQL,
    label,
    path: at(
      `${goClients}\\b.*\\.(?:QueryContext|QueryRowContext|ExecContext|PrepareContext|QueryxContext|QueryRowxContext|MustExecContext|NamedExecContext|Get|Select|GetContext|SelectContext|Query|QueryRow|Exec)`
    ),
    args: [1, 2],
    needsText: true
  },
  {
    kind: SQL,
    label,
    path: /(?:^|\.)(?:Query|QueryRow|Exec|Prepare|Raw|MustExec|Queryx|QueryRowx|QueryContext|QueryRowContext|ExecContext|PrepareContext|Get|Select)$/,
    args: [0, 1],
    needsText: true
  },
  {
    kind: SQL,
    label,
    path: at(`(?:gorm\\.io\\/gorm|github\\.com\\/jinzhu\\/gorm)\\b.*\\.(?:Where|Order|Having|Joins|Group|Or|Not)`),
    args: [0],
    when: ({ count }) => count === 1
  }
]

const java: ReadonlyArray<SinkRule> = [
  {
    kind: SQL,
    label,
    path: /^java\.sql\.\w+(?:\.\w+\(\))*\.(?:executeQuery|execute|executeUpdate|executeLargeUpdate|addBatch|prepareStatement|prepareCall|nativeSQL)$/,
    args: [0]
  },
  {
    kind: SQL,
    label,
    path: /^(?:org\.springframework\.jdbc\b.*)\.(?:query|queryForObject|queryForList|queryForMap|queryForRowSet|queryForStream|update|execute|batchUpdate)$/,
    args: [0]
  },
  {
    kind: SQL,
    label,
    path: /^(?:(?:jakarta|javax)\.persistence\.|org\.hibernate\.)[\w.()]*\.(?:createQuery|createNativeQuery|createSQLQuery|createStoredProcedureQuery|createSelectionQuery|createMutationQuery)$/,
    args: [0]
  },
  {
    kind: SQL,
    label,
    path: /(?:^|\.)(?:executeQuery|executeUpdate|execute|addBatch|prepareStatement|prepareCall|createQuery|createNativeQuery|createSQLQuery|query|queryForObject|queryForList|queryForMap|rawQuery|execSQL|update)$/,
    args: [0],
    needsText: true
  }
]

const php: ReadonlyArray<SinkRule> = [
  {
    kind: SQL,
    label,
    path: /^(?:mysql_query|mysql_unbuffered_query|sqlite_query|pg_query|mysql_db_query)$/,
    args: [0, 1]
  },
  {
    kind: SQL,
    label,
    path: /^(?:mysqli_query|mysqli_multi_query|mysqli_real_query|mysqli_prepare|sqlite_exec)$/,
    args: [1]
  },
  {
    kind: SQL,
    label,
    path: /^(?:mysqli|PDO|SQLite3|\\?PDO|\$(?:pdo|mysqli|dbh|wpdb)|mysqli_connect\(\))(?:\.PDO)?\.(?:query|exec|prepare|multi_query|real_query|querySingle|get_results|get_row|get_var|get_col)$/,
    args: [0]
  },
  { kind: SQL, label, path: /(?:^|\\)DB(?:\.DB)?\.(?:raw|select|statement|unprepared|selectOne)$/, args: [0] },
  { kind: SQL, label, path: /\.(?:whereRaw|orWhereRaw|havingRaw|orderByRaw|selectRaw|groupByRaw)$/, args: [0] },
  {
    kind: SQL,
    label,
    path: /(?:^|\.)(?:query|exec|prepare|execute|executeQuery|executeStatement|fetchAll|fetchAssoc|fetchOne|rawQuery|get_results|get_row|get_var|get_col|getAll|getRow|getOne|multi_query|real_query|queryAll|db_query)$/,
    args: [0],
    needsText: true
  }
]

export const sqlSinks: Partial<Record<RuleLanguage, ReadonlyArray<SinkRule>>> = {
  javascript,
  python,
  go,
  java,
  php,
  ruby: rubySql,
  csharp: csharpSql
}
