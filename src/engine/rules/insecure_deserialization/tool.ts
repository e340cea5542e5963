import { auditTool, type Match } from "../../core/tool/AuditTool.ts"
import { taintLanguageOf } from "../../dataflow/languages/languages.ts"
import { identifiersOf, rangeOf, type Told } from "../../dataflow/report.ts"
import { DOCUMENT, YAML } from "../../dataflow/sinks/objectSinks.ts"
import { untrustedFlows } from "../../dataflow/values/untrusted.ts"
import { OBJECT, XML } from "../../dataflow/values/Value.ts"
import { unsafeLoaders } from "./loaders.ts"
import { type RuleId, rules } from "./rules.ts"

const untrusted = (flow: Told, path: string): Omit<Match<RuleId>, "steps"> | null => {
  const at = { ...rangeOf(flow), identifiers: identifiersOf(flow) }
  if (flow.label === DOCUMENT) {
    // How the parser is set up is told at the call itself.
    if (!path.endsWith(".py")) return null
    const message = `\`${flow.callee}\` loads the entities that the document \`${flow.name}\` names.`
    return { ...at, rule: "external_entities", message }
  }
  if (flow.label === YAML) {
    if (path.endsWith(".py")) return null
    const message = `\`${flow.callee}\` makes any object that \`${flow.name}\` names.`
    return { ...at, rule: "unsafe_yaml_load", message }
  }
  const message = `Untrusted input \`${flow.name}\` says which objects \`${flow.callee}\` makes, and what runs while it does.`
  return { ...at, rule: "untrusted_object", message }
}

export default auditTool({
  id: "insecure_deserialization",
  suite: "standard",
  kind: "finding",
  domain: "security",
  category: "security",
  priority: "P0",
  version: 2,
  rules,
  appliesTo: ({ language, role }) => role === "source" && taintLanguageOf(language) !== null,
  ...untrustedFlows(OBJECT | XML, untrusted, unsafeLoaders)
})
