import { auditTool, type Hit } from "../../core/tool/AuditTool.ts"
import { type CrossFlow, joinFiles } from "../../dataflow/crossFile.ts"
import { flowFacts } from "../../dataflow/facts.ts"
import { taintLanguageOf } from "../../dataflow/languages/languages.ts"
import { identifiersOf, oncePerPlace, rangeOf, sourceFlows, stepsFor, type Told } from "../../dataflow/report.ts"
import { positionIn } from "../../dataflow/values/sqlText.ts"
import { NOSQL, SQL } from "../../dataflow/values/Value.ts"

const KINDS = SQL | NOSQL

/** Only parsed bodies and query strings can hold an object where a string is expected. */
const structured = /(?:body|query|json\(\)|formData|GET|POST|data)$/

/**
 * On PHP nobody tuned on, most were wrong: tools whose users are meant to write SQL, and code compiled to one-letter
 * names. Below 0.7 a hit is advice.
 */
const phpConfidence = 0.65

const untrusted = (flow: Told, path: string): Omit<Hit, "steps"> | null => {
  const at = {
    ...rangeOf(flow),
    identifiers: identifiersOf(flow),
    ...(path.endsWith(".php") ? { confidence: phpConfidence } : {})
  }
  if (flow.kind === SQL) {
    const message = `Untrusted input \`${flow.name}\` becomes part of the SQL text that \`${flow.callee}\` runs.`
    return { ...at, rule: "untrusted_sql", message }
  }
  if (flow.label === "a $where clause") {
    const message = `Untrusted input \`${flow.name}\` becomes JavaScript that the database runs for \`${flow.callee}\`.`
    return { ...at, rule: "nosql_where", message }
  }
  if (!structured.test(flow.type) || flow.text !== "\u0000") return null
  const message =
    `\`${flow.callee}\` takes \`${flow.name}\` as it was sent: an object such as {"$ne": null} in its place changes ` +
    "what the filter matches."
  return { ...at, rule: "nosql_operator", message }
}

/** Parameters that name parts of a statement are chosen by the code, hardly ever by its users. */
const structural =
  /(?:table|tbl|column|col|field|schema|database|db|sql|query|where|clause|cond|condition|filter|order|sort|dir|direction|limit|offset|prefix|suffix|placeholder|fragment|expr|expression|operator|op|type|index|idx|constraint|view|sequence|key|keys|cols|engine|charset|collation|interval|count|num|size|page|version|timestamp|dialect)(?:_?(?:name|id|list|s|sql))?$/i

const housekeeping =
  /(?:^|\/)(?:migrations?|seeds?|seeders?|scripts?|tools?|bin|bench(?:marks?)?|alembic|db\/migrate|dialects?)\//i

const built = (flow: Told, path: string): Omit<Hit, "steps"> | null => {
  if (flow.kind !== SQL || housekeeping.test(path)) return null
  const last = flow.name.slice(flow.name.lastIndexOf(".") + 1)
  if (structural.test(last) || /^[A-Z][A-Z0-9_]*$/.test(last)) return null
  const isCondition = flow.label === "a condition of a query"
  const position = positionIn(isCondition ? `select * from t where ${flow.text}` : flow.text, flow.hole)
  if (position === "other") return null
  const isText =
    /^(?:string|String|str|CharSequence|Optional\[str\]|\*string|str \| None|string \| (?:null|undefined))$/.test(
      flow.type
    )
  if (position === "value" && flow.type !== "" && !isText && /^[A-Z]/.test(flow.type)) return null
  const where = flow.within === null ? "here" : `in \`${flow.within}\``
  const certainty = position === "quoted" ? 0.8 : isText ? 0.75 : 0.6
  const message =
    `The SQL text that \`${flow.callee}\` runs is put together from \`${flow.name}\` ${where}` +
    (position === "quoted" ? ", between quotes that a quote in the value ends." : " instead of a placeholder.")
  return {
    ...rangeOf(flow),
    identifiers: identifiersOf(flow),
    rule: "built_sql",
    message,
    priority: position === "quoted" ? "P1" : "P2",
    confidence: path.endsWith(".php") ? Math.min(phpConfidence, certainty) : certainty
  }
}

const hitOf = (flow: CrossFlow): Hit | null => {
  const told = flow.isSource ? untrusted(flow, flow.path) : built(flow, flow.path)
  return told === null ? null : { ...told, steps: stepsFor(flow.path, flow.steps) }
}

export default auditTool({
  id: "sql_injection",
  suite: "standard",
  kind: "finding",
  domain: "security",
  category: "security",
  priority: "P0",
  version: 2,
  rules: [
    {
      id: "untrusted_sql",
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
    {
      id: "built_sql",
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
    {
      id: "nosql_where",
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
    {
      id: "nosql_operator",
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
  ],
  appliesTo: ({ language, role }) => role === "source" && taintLanguageOf(language) !== null,
  inspect: (file, emit) => {
    for (const flow of sourceFlows(file, KINDS)) {
      const told = untrusted(flow, file.path)
      if (told !== null) emit({ ...told, steps: flow.steps })
    }
    return flowFacts(file)
  },
  conclude: (facts, project, emit) => {
    const told = joinFiles(facts, project, KINDS).filter((flow) => hitOf(flow) !== null)
    for (const flow of oncePerPlace(told)) {
      const hit = hitOf(flow)
      if (hit !== null) emit(flow.path, hit)
    }
  }
})
