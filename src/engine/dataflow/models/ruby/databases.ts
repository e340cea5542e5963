import { SQL } from "../../values/Value.ts"
import { ORDER, QUERY } from "../labels.ts"
import type { Model } from "../Model.ts"

/** A model, or what its query methods answer: classes of the standard library are none. */
const model =
  "(?!(?:File|Dir|IO|Array|Hash|Set|Struct|String|Range|Enumerator|JSON|YAML|CSV|Net|URI|CGI|ENV|Open3|Process|Kernel|Pathname|Regexp|Rails|Redis|Time|Date)\\b)(?:::)?[A-Z][\\w:]*(?:\\.\\w+[?!]?\\(\\))*"
/** `name = '...'`: written for conditions only, and a hash has no text. */
const condition = /(?:[=<>]|\b(?:like|ilike|in|between|is|regexp|match|similar to)\b)/i

export const databases: Model = {
  name: "databases",
  sinks: [
    {
      kind: SQL,
      label: QUERY,
      path: new RegExp(`^${model}\\.(?:find_by_sql|count_by_sql)$`),
      args: [0],
      fields: ["0"]
    },
    {
      kind: SQL,
      label: QUERY,
      path: /(?:^|\.)(?:execute|exec_query|exec_update|exec_delete|exec_insert|select_all|select_one|select_value|select_values|select_rows|find_by_sql|count_by_sql|exec|async_exec|query|prepare|fetch|run|execute_batch|get_first_value|get_first_row|insert|update|delete|<<)$/,
      args: [0],
      needsText: true
    },
    {
      kind: SQL,
      label: QUERY,
      path: /^(?:ActiveRecord::Base|[A-Z][\w:]*)\.(?:connection|lease_connection)(?:\(\))?\.(?:execute|exec_query|select_all|select_one|select_value|select_values|select_rows)$/,
      args: [0]
    },
    {
      kind: SQL,
      label: QUERY,
      path: /^(?:PG::Connection|PG\.connect|PG|Mysql2::Client|SQLite3::Database|TinyTds::Client)(?:\(\))?\.(?:exec|query|execute|async_exec|prepare|execute_batch|get_first_value|get_first_row)$/,
      args: [0]
    },
    // What is summed up is put into the statement as it is.
    {
      kind: SQL,
      label: QUERY,
      path: new RegExp(`^${model}\\.(?:sum|average|minimum|maximum)$`),
      args: [0]
    },
    { kind: SQL, label: QUERY, path: /^\[\]$/, args: [0], needsText: true },
    { kind: SQL, label: "raw SQL", path: /^(?:Arel\.sql|Sequel\.lit|Arel::Nodes::SqlLiteral(?:\.new)?)$/, args: [0] },
    {
      kind: SQL,
      label: "a condition of a query",
      path: /(?:^|\.)(?:where|rewhere|not|find_by|find_by!|exists\?|having|delete_by|destroy_by|or_where|update_all|delete_all|destroy_all)$/,
      args: [0],
      // `where(["a = ? AND b > ?", x, y])`.
      fields: ["0"],
      text: condition
    },
    {
      kind: SQL,
      label: QUERY,
      path: new RegExp(`^${model}\\.(?:joins|from|group|having|lock|select)$`),
      args: [0],
      text: /\S\s|\s\S/
    },
    { kind: SQL, label: ORDER, path: new RegExp(`^${model}\\.(?:order|reorder)$`), args: [0], text: /[^\u0000]/ }
  ]
}
