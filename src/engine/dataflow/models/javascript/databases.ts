import { NOSQL, SQL } from "../../values/Value.ts"
import { FILTER, QUERY } from "../labels.ts"
import type { Model } from "../Model.ts"

const jsClients =
  "(?:pg|pg-promise|pg-native|postgres|mysql2?(?:\\/promise)?|mariadb|sqlite3?|better-sqlite3|node:sqlite|knex|sequelize(?:-typescript)?|typeorm|@nestjs\\/typeorm|@prisma\\/client|mssql|tedious|oracledb|@neondatabase\\/serverless|@vercel\\/postgres|drizzle-orm[\\w/-]*|kysely|snowflake-sdk|duckdb|@databricks\\/sql|slonik|promise-mysql|bookshelf|objection)"
const mongo = "(?:mongodb|mongoose|mongojs|monk)"
const at = (pattern: string): RegExp => new RegExp(`^${pattern}$`)

export const databases: Model = {
  name: "databases",
  sinks: [
    {
      kind: SQL,
      label: QUERY,
      path: at(
        `${jsClients}\\b.*\\.(?:query|execute|exec|run|all|get|each|prepare|raw|rawQuery|any|one|none|many|oneOrNone|manyOrNone|unsafe|whereRaw|orWhereRaw|havingRaw|orderByRaw|groupByRaw|joinRaw|fromRaw|selectRaw|\\$queryRawUnsafe|\\$executeRawUnsafe|batch)`
      ),
      args: [0],
      when: ({ callee }) =>
        !/(?:^|\.)(?:get|all|run|each|one|many|any)$/.test(callee) ||
        /(?:db|conn|client|pool|sqlite|database|pg|tx|t)(?:\(\))?\.(?:get|all|run|each|one|many|any)$/i.test(callee)
    },
    { kind: SQL, label: QUERY, path: /(?:^|\.)\$(?:queryRawUnsafe|executeRawUnsafe)$/, args: [0] },
    {
      kind: SQL,
      label: QUERY,
      path: /(?:^|\.)(?:query|execute|exec|run|all|get|each|prepare|raw|rawQuery|simpleQuery|executeSql|any|one|none|many|oneOrNone|manyOrNone|unsafe|whereRaw|orderByRaw|runQuery|\$queryRaw)$/,
      args: [0],
      needsText: true
    },
    {
      kind: SQL,
      label: QUERY,
      path: /(?:^|\.)(?:literal|whereRaw|orWhereRaw|havingRaw|orderByRaw)$/,
      args: [0],
      when: ({ receiver }) => /^(?:sequelize|Sequelize|knex|db|query|qb|builder)$/.test(receiver)
    },
    // A pg or mysql2 query object.
    {
      kind: SQL,
      label: QUERY,
      path: at(`${jsClients}\\b.*\\.(?:query|execute)`),
      args: [0],
      elements: false,
      when: ({ option }) => option("text") !== null || option("sql") !== null
    },
    {
      kind: NOSQL,
      label: FILTER,
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
}
