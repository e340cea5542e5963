import { isDatabaseUpkeep, isUpkeep } from "../../core/files/upkeep.ts"
import { auditTool } from "../../core/tool/AuditTool.ts"
import { taintLanguageOf } from "../../dataflow/languages/languages.ts"
import { CONDITION_TEXT, FILTER_TEXT, ORDER } from "../../dataflow/models/labels.ts"
import { identifiersOf, rangeOf } from "../../dataflow/report.ts"
import { positionIn } from "../../dataflow/values/sqlText.ts"
import { type MatchFlow, untrustedFlows } from "../../dataflow/values/untrusted.ts"
import { HOLE, LDAP, NOSQL, SQL, XPATH } from "../../dataflow/values/Value.ts"
import { type RuleId, rules } from "./rules.ts"

/** Only parsed bodies and query strings can hold an object where a string is expected. */
const structured = /(?:body|query|json(?:\(\))?|formData|\$_\w+|GET|POST|data)$/
/** Query strings and forms of Python hold texts only. */
const structuredInPython = /json(?:\(\))?$/

const escapes = (looked_for: string): ReadonlyArray<{ readonly looked_for: string; readonly found: boolean }> => [
  { looked_for: `${looked_for} between source and sink`, found: false }
]

const isPhp = (path: string): boolean => path.endsWith(".php")

/**
 * A statement without a word of the code's own: consoles and administration interfaces run SQL by design, and there who may
 * call them is the question. Elsewhere it was put together in a way that is not followed.
 */
const WHOLE_STATEMENT = 0.75
/** Which version of Rails a file is run with is not known: those since 6.1 reject it. */
const ORDERED = 0.6

const untrusted: MatchFlow<RuleId> = (flow, path) => {
  const at = { ...rangeOf(flow), identifiers: identifiersOf(flow) }
  if (flow.kind === SQL) {
    const message = `Untrusted input \`${flow.name}\` becomes part of the SQL text that \`${flow.callee}\` runs.`
    const rule = isPhp(path) ? "untrusted_sql_php" : "untrusted_sql"
    if (flow.label === ORDER) return { ...at, rule, message, confidence: ORDERED }
    return { ...at, rule, message, ...(flow.text === HOLE ? { confidence: WHOLE_STATEMENT } : {}) }
  }
  if (flow.kind === XPATH) {
    const message = `Untrusted input \`${flow.name}\` becomes part of the XPath expression that \`${flow.callee}\` evaluates.`
    return { ...at, rule: "untrusted_xpath", message, checks: escapes("a check or escape of the value") }
  }
  if (flow.kind === LDAP) {
    const message = `Untrusted input \`${flow.name}\` becomes part of the LDAP filter of \`${flow.callee}\`.`
    return { ...at, rule: "untrusted_ldap", message, checks: escapes("a call that escapes `*`, `(`, `)` and `\\`") }
  }
  if (flow.label === FILTER_TEXT) {
    const message = `Untrusted input \`${flow.name}\` becomes part of the text that \`${flow.callee}\` parses as a filter.`
    return { ...at, rule: "nosql_operator", message }
  }
  if (flow.label === "a $where clause") {
    const message = `Untrusted input \`${flow.name}\` becomes JavaScript that the database runs for \`${flow.callee}\`.`
    return { ...at, rule: "nosql_where", message }
  }
  const isObject = path.endsWith(".py") ? structuredInPython : structured
  if (!isObject.test(flow.type) || flow.text !== HOLE) return null
  const message =
    `\`${flow.callee}\` receives \`${flow.name}\` without a check of its type: an object such as {"$ne": null} ` +
    "changes what the filter matches."
  return { ...at, rule: "nosql_operator", message }
}

const isTextType =
  /^(?:string|String|str|CharSequence|Optional\[str\]|\*string|str \| None|string \| (?:null|undefined))$/

/** The rule for a parameter at this position of a statement, by what its declared type shows. */
const ruleFor = (isQuoted: boolean, type: string, path: string): RuleId => {
  if (isQuoted) return isPhp(path) ? "built_sql_php" : "built_sql"
  return isTextType.test(type) && !isPhp(path) ? "built_sql_text" : "built_sql_unquoted"
}

/** A quote before the value that is still open, in an XPath expression. */
const openQuote = /^(?:[^'"]|'[^']*'|"[^"]*")*['"][^'"]*$/
/** `(uid=` before the value. */
const assertion = /\([^()=\u0000]{1,80}=[^()\u0000]*$/

/** What an administrator configures. */
const settingName = /(?:template|base_?dn|search_?base|object_?class|attribute(?:_?name)?|suffix|prefix)$/i

const parameterInQuery: MatchFlow<RuleId> = (flow, path) => {
  const isXpath = flow.kind === XPATH
  if (!isXpath && flow.kind !== LDAP) return parameterInSql(flow, path)
  if (isUpkeep(path) || /(?:^|\.)[A-Z][A-Z0-9_]*$/.test(flow.name) || settingName.test(flow.name)) return null
  const before = flow.text
    .split("\u0000")
    .slice(0, flow.hole + 1)
    .join("\u0001")
  if (!(isXpath ? openQuote : assertion).test(before)) return null
  const what = isXpath ? "XPath expression" : "LDAP filter"
  const message = `The ${what} that \`${flow.callee}\` evaluates is built from the parameter \`${flow.name}\` without escaping.`
  return {
    ...rangeOf(flow),
    identifiers: identifiersOf(flow),
    rule: isXpath ? "built_xpath" : "built_ldap",
    message,
    source: "parameter"
  }
}

/** Tables in which a database keeps the names of tables and columns, which the code itself chooses. */
const catalog =
  /\b(?:information_schema|pg_\w+|sqlite_(?:master|schema)|sys(?:objects|columns|\.\w+)|all_\w+|user_\w+)\b|currval\(|nextval\(|setval\(|^\s*show\s/i
const identifierName =
  /(?:table|column|col|field|index|schema|sequence|seq|database|db|constraint|trigger|view|prefix)(?:_?name)?$/i

const parameterInSql: MatchFlow<RuleId> = (flow, path) => {
  if (
    flow.kind !== SQL ||
    flow.label === ORDER ||
    flow.label === CONDITION_TEXT ||
    isUpkeep(path) ||
    isDatabaseUpkeep(path)
  )
    return null
  // A constant by its name.
  if (/(?:^|\.)[A-Z][A-Z0-9_]*$/.test(flow.name)) return null
  const isCondition = flow.label === "a condition of a query"
  const position = positionIn(isCondition ? `select * from t where ${flow.text}` : flow.text, flow.hole)
  if (position === "other") return null
  const isQuoted = position === "quoted"
  if (isQuoted && catalog.test(flow.text) && identifierName.test(flow.name)) return null
  if (!isQuoted && !isTextType.test(flow.type) && /^[A-Z]/.test(flow.type)) return null
  const where = flow.within === null ? "here" : `in \`${flow.within}\``
  const message =
    `The SQL text that \`${flow.callee}\` runs is built from \`${flow.name}\` ${where}` +
    (isQuoted ? ", inside a quoted string that a quote in the value ends." : " instead of a placeholder.")
  return {
    ...rangeOf(flow),
    identifiers: identifiersOf(flow),
    rule: ruleFor(isQuoted, flow.type, path),
    message
  }
}

export default auditTool({
  id: "sql_injection",
  suite: "standard",
  kind: "finding",
  domain: "security",
  category: "security",
  priority: "P0",
  version: 9,
  rules,
  appliesTo: ({ language, role }) => role === "source" && taintLanguageOf(language) !== null,
  ...untrustedFlows(SQL | NOSQL | XPATH | LDAP, untrusted, { parameters: parameterInQuery })
})
