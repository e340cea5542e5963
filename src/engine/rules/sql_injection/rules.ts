import { ruleSet } from "../../core/tool/AuditTool.ts"

export const rules = ruleSet({
  untrusted_sql: {
    languages: ["csharp", "go", "java", "javascript", "php", "python", "ruby"],
    title: "Untrusted input becomes part of SQL text",
    description:
      "Whoever sends the request chooses part of the statement, and with it which rows are read, changed or deleted. " +
      "Keep the text constant and pass the value separately: placeholders of the driver (`$1`, `?`, `%s` with a " +
      "second argument, `:name`) for values, and for names of columns or sort directions a lookup in a list that " +
      "the code itself keeps.",
    cwe: [89],
    confidence: 0.9,
    effort: "small",
    risk: "low"
  },
  built_sql: {
    languages: ["csharp", "go", "java", "javascript", "php", "python", "ruby"],
    title: "SQL text is put together from a parameter",
    description:
      "The function pastes its parameter into the statement where a value belongs. It is safe only as long as every " +
      "caller, now and later, passes nothing that came from outside, and a quote in a harmless name already breaks " +
      "it. Put a placeholder there and pass the value as a bound parameter.",
    cwe: [89],
    confidence: 0.75,
    effort: "small",
    risk: "low",
    priority: "P1"
  },
  nosql_where: {
    languages: ["javascript"],
    title: "Untrusted input becomes a $where expression",
    description:
      "`$where` runs JavaScript inside the database for every document, so input in its text can read other fields, " +
      "match everything or keep the server busy. Express the condition with operators such as `$eq` and `$expr`, " +
      "which take values instead of code.",
    cwe: [943],
    confidence: 0.9,
    effort: "small",
    risk: "low"
  },
  nosql_operator: {
    languages: ["javascript"],
    title: "Request data is used as a database filter as it is",
    description:
      "A parsed body or query string may hold an object where the code expects a string, and the database takes an " +
      'object as operators: `{"$ne": null}` for a password matches any. Check the type or convert it ' +
      "(`String(value)`, a schema, `{ $eq: value }`) before it reaches the filter.",
    cwe: [943],
    confidence: 0.75,
    effort: "small",
    risk: "low",
    priority: "P1"
  }
})

export type RuleId = keyof typeof rules
