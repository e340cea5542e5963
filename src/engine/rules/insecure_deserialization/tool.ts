import { auditTool } from "../../core/tool/AuditTool.ts"
import { taintLanguageOf } from "../../dataflow/languages/languages.ts"
import { DIRECTORY, DOCUMENT, YAML } from "../../dataflow/models/labels.ts"
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
  if (flow.label === DIRECTORY) {
    const message = `Untrusted input \`${flow.name}\` names what \`${flow.callee}\` looks up: a server of an attacker's may answer with an object that runs code.`
    return { ...at, rule: "untrusted_object", message }
  }
  const message = `Untrusted input \`${flow.name}\` is deserialized by \`${flow.callee}\`, which creates the objects that it names and runs their code.`
  // It leaves alone what is not serialized, and callers test for plain strings first.
  const confidence = flow.callee.endsWith("maybe_unserialize") ? { confidence: 0.65 } : {}
  return { ...at, rule: "untrusted_object", message, ...confidence }
}

const exported: MatchFlow<RuleId> = (flow, path) => {
  // Loaders of Python that are unsafe by their configuration are reported at the call, whatever reaches them.
  if (flow.label === DOCUMENT || flow.label === DIRECTORY || (flow.label === YAML && path.endsWith(".py"))) return null
  const message = `\`${flow.callee}\` creates the objects that \`${flow.name}\` names, a parameter of an exported function.`
  return { ...rangeOf(flow), identifiers: identifiersOf(flow), rule: "exported_object", message }
}

export default auditTool({
  id: "insecure_deserialization",
  suite: "standard",
  kind: "finding",
  domain: "security",
  category: "security",
  priority: "P0",
  version: 7,
  rules,
  appliesTo: ({ language, role }) => role === "source" && taintLanguageOf(language) !== null,
  ...untrustedFlows(OBJECT | XML, untrusted, { exported, also: unsafeLoaders })
})
