import { ruleSet } from "../../core/tool/AuditTool.ts"

export const rules = ruleSet({
  untrusted_code: {
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
  untrusted_template: {
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
  untrusted_module: {
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
})

export type RuleId = keyof typeof rules
