import { auditTool } from "../../core/tool/AuditTool.ts"
import { taintLanguageOf } from "../../dataflow/languages/languages.ts"
import { DOCUMENT, YAML } from "../../dataflow/models/labels.ts"
import { identifiersOf, rangeOf } from "../../dataflow/report.ts"
import { type MatchFlow, untrustedFlows } from "../../dataflow/values/untrusted.ts"
import { OBJECT, XML } from "../../dataflow/values/Value.ts"
import { unsafeLoaders } from "./loaders.ts"
import { type RuleId, rules } from "./rules.ts"

const untrusted: MatchFlow<RuleId> = (flow, path) => {
  const at = { ...rangeOf(flow), identifiers: identifiersOf(flow) }
  if (flow.label === DOCUMENT) {
    // The configuration of the parser is reported at the call itself.
    if (!path.endsWith(".py")) return null
    const message = `\`${flow.callee}\` loads the external entities that the document \`${flow.name}\` declares.`
    return { ...at, rule: "external_entities", message }
  }
  if (flow.label === YAML) {
    if (path.endsWith(".py")) return null
    const message = `\`${flow.callee}\` creates any object that \`${flow.name}\` names.`
    return { ...at, rule: "unsafe_yaml_load", message }
  }
  const message = `Untrusted input \`${flow.name}\` is deserialized by \`${flow.callee}\`, which creates the objects that it names and runs their code.`
  return { ...at, rule: "untrusted_object", message }
}

export default auditTool({
  id: "insecure_deserialization",
  suite: "standard",
  kind: "finding",
  domain: "security",
  category: "security",
  priority: "P0",
  version: 3,
  rules,
  appliesTo: ({ language, role }) => role === "source" && taintLanguageOf(language) !== null,
  ...untrustedFlows(OBJECT | XML, untrusted, { also: unsafeLoaders })
})
