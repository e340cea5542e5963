import { type RuleLanguage, ruleSet } from "../../core/tool/AuditTool.ts"

export const languages: ReadonlyArray<RuleLanguage> = [
  "csharp",
  "go",
  "java",
  "javascript",
  "php",
  "python",
  "ruby",
  "rust"
]

export const rules = ruleSet({
  exact_clone: {
    languages,
    title: "The same code is written more than once",
    description:
      "A bug fixed in one copy stays in the others, and a reader has to compare them to learn that there is nothing to " +
      "compare. Move the code to a function that all these places call; where they differ later, give it an argument.",
    cwe: [1041],
    confidence: 0.85,
    effort: "small",
    risk: "low"
  },
  renamed_clone: {
    languages,
    title: "The same steps are written more than once with other names",
    description:
      "These places call the same functions in the same order and differ in names of variables and in constants only. " +
      "They have to be changed together, and nothing says so. Move the steps to one function and pass in what differs.",
    cwe: [1041],
    confidence: 0.75,
    effort: "medium",
    risk: "low"
  },
  copied_file: {
    languages,
    title: "File is a copy of another one",
    description:
      "Both files will be changed by people who know one of them, and then they differ without anybody having decided " +
      "so. Keep one, and import it from where the other was; where packages may not share code, make it a package.",
    cwe: [1041],
    confidence: 0.85,
    effort: "small",
    risk: "low"
  }
})

export type RuleId = keyof typeof rules
