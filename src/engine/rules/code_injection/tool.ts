import { auditTool, type Match } from "../../core/tool/AuditTool.ts"
import { taintLanguageOf } from "../../dataflow/languages/languages.ts"
import { identifiersOf, rangeOf, type Told } from "../../dataflow/report.ts"
import { MODULE } from "../../dataflow/sinks/codeSinks.ts"
import { untrustedFlows } from "../../dataflow/values/untrusted.ts"
import { CODE, TEMPLATE } from "../../dataflow/values/Value.ts"
import { type RuleId, rules } from "./rules.ts"

const untrusted = (flow: Told): Omit<Match<RuleId>, "steps"> | null => {
  const at = { ...rangeOf(flow), identifiers: identifiersOf(flow) }
  if (flow.kind === TEMPLATE) {
    const message =
      `Untrusted input \`${flow.name}\` becomes part of the template that \`${flow.callee}\` compiles, where ` +
      "expressions in it are run."
    return { ...at, rule: "untrusted_template", message }
  }
  if (flow.label === MODULE) {
    // A fixed folder and ending leave little to choose, but `../` in between still leads anywhere.
    const message = `Untrusted input \`${flow.name}\` decides which code \`${flow.callee}\` loads and runs.`
    return { ...at, rule: "untrusted_module", message }
  }
  // An address as a whole is no code, whatever its parts say.
  if (/(?:location\.href|document\.(?:URL|documentURI))$/.test(flow.type)) return null
  const message =
    flow.label === "a function that is called by name"
      ? `Untrusted input \`${flow.name}\` names the function that \`${flow.callee}\` calls.`
      : `Untrusted input \`${flow.name}\` becomes part of the code that \`${flow.callee}\` runs.`
  return { ...at, rule: "untrusted_code", message }
}

export default auditTool({
  id: "code_injection",
  suite: "standard",
  kind: "finding",
  domain: "security",
  category: "security",
  priority: "P0",
  version: 2,
  rules,
  appliesTo: ({ language, role }) => role === "source" && taintLanguageOf(language) !== null,
  ...untrustedFlows(CODE | TEMPLATE, untrusted)
})
