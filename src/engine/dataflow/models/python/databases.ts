import { NOSQL, SQL } from "../../values/Value.ts"
import { FILTER, QUERY } from "../labels.ts"
import type { Model } from "../Model.ts"

const pyClients =
  "(?:sqlite3|psycopg2?|psycopg_pool|pymysql|MySQLdb|mysql\\.connector|aiomysql|asyncpg|aiosqlite|cx_Oracle|oracledb|pyodbc|pymssql|sqlalchemy|flask_sqlalchemy|sqlmodel|databases|django\\.db|duckdb|snowflake\\.connector|clickhouse_driver|trino|pyhive)"
const at = (pattern: string): RegExp => new RegExp(`^${pattern}$`)

export const databases: Model = {
  name: "databases",
  sinks: [
    {
      kind: SQL,
      label: QUERY,
      path: at(
        `${pyClients}\\b.*\\.(?:execute|executemany|executescript|raw|exec_driver_sql|read_sql|read_sql_query|fetch|fetchrow|fetchval|fetch_all|fetch_one|execute_async|prepare|query|scalar|scalars|copy_expert)`
      ),
      args: [0],
      named: ["sql", "query", "statement", "operation"]
    },
    {
      kind: SQL,
      label: QUERY,
      path: /(?:^|\.)(?:execute|executemany|executescript|raw|read_sql|read_sql_query|fetch|fetchrow|fetchval|fetchall|fetch_all|fetch_one|query|execute_query|run_query|run_sql|exec_driver_sql|RawSQL|sql)$/,
      args: [0],
      named: ["sql", "query"],
      needsText: true
    },
    { kind: SQL, label: QUERY, path: /^django\.db\.models\.expressions\.RawSQL$|\.objects\.raw$/, args: [0] },
    {
      kind: SQL,
      label: QUERY,
      path: /\.objects(?:\.\w+\(\))*\.extra$/,
      args: [],
      named: ["where", "select", "tables", "order_by"],
      elements: true
    },
    {
      kind: NOSQL,
      label: FILTER,
      path: /^(?:pymongo|motor\.motor_asyncio|flask_pymongo)\b.*\.(?:find|find_one|find_one_and_update|find_one_and_delete|find_one_and_replace|update_one|update_many|replace_one|delete_one|delete_many|count_documents|distinct)$/,
      args: [0],
      named: ["filter"],
      elements: true,
      when: ({ option }) => option("$where") === null
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
}
