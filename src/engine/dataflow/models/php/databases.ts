import { NOSQL, SQL } from "../../values/Value.ts"
import { conditionStart, conditionText } from "../conditionText.ts"
import { CONDITION_TEXT, FILTER, QUERY } from "../labels.ts"
import type { Model } from "../Model.ts"

export const databases: Model = {
  name: "databases",
  mentions: conditionStart,
  sinks: [
    {
      kind: SQL,
      label: QUERY,
      path: /^(?:mysql_query|mysql_unbuffered_query|sqlite_query|pg_query|mysql_db_query)$/,
      args: [0, 1]
    },
    {
      kind: SQL,
      label: QUERY,
      path: /^(?:mysqli_query|mysqli_multi_query|mysqli_real_query|mysqli_prepare|sqlite_exec)$/,
      args: [1]
    },
    {
      kind: SQL,
      label: QUERY,
      path: /^(?:mysqli|PDO|SQLite3|\\?PDO|\$(?:pdo|mysqli|dbh|wpdb)|mysqli_connect\(\))(?:\.PDO)?\.(?:query|exec|prepare|multi_query|real_query|querySingle|get_results|get_row|get_var|get_col)$/,
      args: [0]
    },
    { kind: SQL, label: QUERY, path: /(?:^|\\)DB(?:\.DB)?\.(?:raw|select|statement|unprepared|selectOne)$/, args: [0] },
    {
      kind: SQL,
      label: QUERY,
      path: /\.(?:whereRaw|orWhereRaw|havingRaw|orderByRaw|selectRaw|groupByRaw)$/,
      args: [0]
    },
    {
      kind: SQL,
      label: QUERY,
      path: /(?:^|\.)(?:query|exec|prepare|execute|executeQuery|executeStatement|fetchAll|fetchAssoc|fetchOne|rawQuery|get_results|get_row|get_var|get_col|getAll|getRow|getOne|multi_query|real_query|queryAll|db_query|(?:db_?|sql_?)?(?:select|fetch|run|insert|update|delete)\w*)$/,
      args: [0],
      needsText: true
    },
    {
      kind: SQL,
      label: CONDITION_TEXT,
      path: /\.(?:select|update|delete|count|find|get|fetch|query|search|load)\w*$/i,
      args: [0, 1, 2, 3, 4],
      text: conditionText
    },
    {
      kind: SQL,
      label: QUERY,
      path: /(?:^|\\)DBAL\\(?:Driver\\)?Connection\.(?:query|exec|prepare|execute(?:Query|Statement|Update)|(?:fetch|iterate)\w+)$/,
      args: [0]
    },
    { kind: SQL, label: QUERY, path: /(?:^|\\)EntityManager(?:Interface)?\.createQuery$/, args: [0] },
    {
      kind: NOSQL,
      label: FILTER,
      path: /(?:^|\.)(?:findOne|findOneAndUpdate|findOneAndDelete|findOneAndReplace|updateOne|updateMany|replaceOne|deleteOne|deleteMany|countDocuments)$|^\\?MongoDB\\.*\.(?:find|count|distinct)$/,
      args: [0],
      elements: true,
      when: ({ holdsFields }) => holdsFields(0)
    }
  ]
}
