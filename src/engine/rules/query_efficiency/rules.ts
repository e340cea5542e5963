import { ruleSet } from "../../core/tool/AuditTool.ts"

const medium = { effort: "medium", risk: "medium" } as const
const small = { effort: "small", risk: "low" } as const

export const rules = ruleSet({
  query_in_loop: {
    languages: ["csharp", "go", "java", "javascript", "php", "python", "ruby"],
    title: "One query for each element of a loop",
    description:
      "A list of a hundred elements makes a hundred round trips to the database, one after the other; it is fast with the " +
      "ten rows of a test and slow with the data of a year. Collect the keys and ask once (`WHERE id IN (…)`, `include`, " +
      "`select_related`, a join), then look the rows up in a map.",
    cwe: [1073],
    confidence: 0.75,
    priority: "P2",
    ...medium
  },
  unbounded_list_route: {
    languages: ["csharp", "java", "javascript", "php", "python", "ruby"],
    title: "Route answers with a whole table",
    description:
      "The response, the memory it takes and the time it needs grow with the table, until one request is enough to hurt the " +
      "server. Ask for one page with a limit that the client cannot raise, in an order that is fixed.",
    cwe: [770],
    confidence: 0.62,
    priority: "P2",
    ...medium
  },
  filter_in_memory: {
    languages: ["csharp", "java", "javascript", "php", "python", "ruby"],
    title: "All rows are loaded to pick some of them",
    description:
      "The database sends the whole table, every row becomes an object, and most of them are thrown away at once. Put the " +
      "condition into the query, where an index can answer it.",
    cwe: [1049],
    confidence: 0.78,
    priority: "P2",
    ...small
  },
  rows_loaded_to_count: {
    languages: ["csharp", "java", "javascript", "php", "python", "ruby"],
    title: "Rows are loaded to be counted",
    description:
      "Every row is sent and made an object for the sake of one number, which the database could have given alone. Use its " +
      "count (`count()`, `CountAsync()`, `COUNT(*)`), or `exists` where the question is whether there are any.",
    cwe: [1049],
    confidence: 0.8,
    priority: "P3",
    ...small
  },
  columns_by_position: {
    languages: ["go", "java", "python"],
    title: "SELECT * is read by position",
    description:
      "The order and number of columns of `SELECT *` is whatever the table has today: a migration that adds or moves one makes " +
      "this code fail, or read another column without noticing. Name the columns that are read.",
    cwe: [1049],
    confidence: 0.8,
    priority: "P3",
    ...small
  }
})

export type RuleId = keyof typeof rules
