import { auditTool, type Match } from "../../core/tool/AuditTool.ts"
import { type CrossFlow, joinFiles } from "../../dataflow/crossFile.ts"
import { flowFacts } from "../../dataflow/facts.ts"
import { taintLanguageOf } from "../../dataflow/languages/languages.ts"
import { identifiersOf, oncePerPlace, rangeOf, sourceFlows, stepsFor, type Told } from "../../dataflow/report.ts"
import { positionIn } from "../../dataflow/values/sqlText.ts"
import { NOSQL, SQL } from "../../dataflow/values/Value.ts"
import { type RuleId, rules } from "./rules.ts"

const KINDS = SQL | NOSQL

/** Only parsed bodies and query strings can hold an object where a string is expected. */
const structured = /(?:body|query|json\(\)|formData|GET|POST|data)$/

/**
 * On PHP nobody tuned on, most were wrong: tools whose users are meant to write SQL, and code compiled to one-letter
 * names. Below 0.7 a hit is advice.
 */
const phpConfidence = 0.65

const untrusted = (flow: Told, path: string): Omit<Match<RuleId>, "steps"> | null => {
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

const built = (flow: Told, path: string): Omit<Match<RuleId>, "steps"> | null => {
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

const hitOf = (flow: CrossFlow): Match<RuleId> | null => {
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
  rules,
  appliesTo: ({ language, role }) => role === "source" && taintLanguageOf(language) !== null,
  inspect: (file, emit) => {
    for (const flow of sourceFlows(file, KINDS)) {
      const told = untrusted(flow, file.path)
      if (told !== null) emit({ ...told, steps: flow.steps })
    }
    return flowFacts(file)
  },
  finish: (facts, project, emit) => {
    const told = joinFiles(facts, project, KINDS).filter((flow) => hitOf(flow) !== null)
    for (const flow of oncePerPlace(told)) {
      const hit = hitOf(flow)
      if (hit !== null) emit(flow.path, hit)
    }
  }
})
