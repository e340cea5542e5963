import { auditTool, type Hit } from "../../core/tool/AuditTool.ts"
import { taintLanguageOf } from "../../dataflow/languages/languages.ts"
import { identifiersOf, rangeOf, type Told } from "../../dataflow/report.ts"
import { MODULE } from "../../dataflow/sinks/codeSinks.ts"
import { untrustedFlows } from "../../dataflow/values/untrusted.ts"
import { CODE, TEMPLATE } from "../../dataflow/values/Value.ts"

const untrusted = (flow: Told): Omit<Hit, "steps"> | null => {
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
  rules: [
    {
      id: "untrusted_code",
      languages: ["csharp", "go", "java", "javascript", "php", "python", "ruby"],
      title: "Untrusted input is run as code",
      description:
        "Whoever sends the request runs what they like with the rights of this process. Do not evaluate input: parse " +
        "data with a parser for data (`JSON.parse`, `ast.literal_eval`), look functions up in a table that the code " +
        "itself keeps, and give expression languages a context without access to classes (`SimpleEvaluationContext`).",
      cwe: [95],
      confidence: 0.9,
      effort: "medium",
      risk: "medium"
    },
    {
      id: "untrusted_template",
      languages: ["csharp", "go", "java", "javascript", "php", "python", "ruby"],
      title: "Untrusted input becomes the source of a template",
      description:
        "Template languages reach the objects of the program they run in, so input that is compiled as a template reads " +
        "configuration and usually runs code. Keep the template's source constant and pass the input as a value that is " +
        "put into it; where users write templates, use a language without logic in a sandbox.",
      cwe: [1336],
      confidence: 0.85,
      effort: "small",
      risk: "low"
    },
    {
      id: "untrusted_module",
      languages: ["csharp", "javascript", "python", "ruby"],
      title: "Untrusted input decides which module is loaded",
      description:
        "Loading a module runs it, and a name from the request reaches every file and package the process can read, " +
        "uploads among them. Keep a table from the names that are allowed to the modules, and refuse all others.",
      cwe: [829],
      confidence: 0.8,
      effort: "small",
      risk: "low",
      priority: "P1"
    }
  ],
  appliesTo: ({ language, role }) => role === "source" && taintLanguageOf(language) !== null,
  ...untrustedFlows(CODE | TEMPLATE, untrusted)
})
