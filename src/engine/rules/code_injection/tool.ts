import { auditTool } from "../../core/tool/AuditTool.ts"
import { taintLanguageOf } from "../../dataflow/languages/languages.ts"
import { MODULE, RUN } from "../../dataflow/models/labels.ts"
import { isFromStranger } from "../../dataflow/models/trust.ts"
import { identifiersOf, isChosenWhole, rangeOf } from "../../dataflow/report.ts"
import { type MatchFlow, untrustedFlows } from "../../dataflow/values/untrusted.ts"
import { CODE, GAP, HOLE, TEMPLATE } from "../../dataflow/values/Value.ts"
import { type RuleId, rules } from "./rules.ts"

const untrusted: MatchFlow<RuleId> = (flow) => {
  const at = { ...rangeOf(flow), identifiers: identifiersOf(flow) }
  if (flow.kind === TEMPLATE) {
    const message =
      `Untrusted input \`${flow.name}\` becomes part of the template that \`${flow.callee}\` compiles; ` +
      "the template engine evaluates the expressions in it."
    return { ...at, rule: "untrusted_template", message }
  }
  if (flow.label === MODULE) {
    if (!isFromStranger(flow.source) && isChosenWhole(flow)) return null
    // A fixed folder and extension restrict little: `../` in between still leads anywhere.
    const message = `Untrusted input \`${flow.name}\` decides which code \`${flow.callee}\` loads and runs.`
    return { ...at, rule: "untrusted_module", message }
  }
  // A whole URL is not code, whatever its parts hold.
  if (/(?:location\.href|document\.(?:URL|documentURI))$/.test(flow.type)) return null
  const message =
    flow.label === "a function that is called by name"
      ? `Untrusted input \`${flow.name}\` names the function that \`${flow.callee}\` calls.`
      : `Untrusted input \`${flow.name}\` becomes part of the code that \`${flow.callee}\` runs.`
  return { ...at, rule: "untrusted_code", message }
}

/** To evaluate what it is handed is what such a function is for: only shown to those who ask for it. */
const UNLIKELY = 0.4

/** Plugins and templates are loaded by name on purpose; text that is put into other code hardly ever is. */
const exported: MatchFlow<RuleId> = (flow) => {
  if (flow.label !== RUN) return null
  const message = `\`${flow.callee}\` runs code that is made of \`${flow.name}\`, a parameter of an exported function.`
  const isPart = flow.text.replaceAll(HOLE, "").replaceAll(GAP, "").trim() !== ""
  const confidence = isPart ? {} : { confidence: UNLIKELY }
  return { ...rangeOf(flow), identifiers: identifiersOf(flow), rule: "exported_code", message, ...confidence }
}

export default auditTool({
  id: "code_injection",
  suite: "standard",
  kind: "finding",
  domain: "security",
  category: "security",
  priority: "P0",
  version: 6,
  rules,
  appliesTo: ({ language, role }) => role === "source" && taintLanguageOf(language) !== null,
  ...untrustedFlows(CODE | TEMPLATE, untrusted, { exported })
})
