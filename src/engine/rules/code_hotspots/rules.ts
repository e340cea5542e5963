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

/** All rules read the history of commits, which files cannot show. */
const example = null

export const rules = ruleSet({
  hotspot: {
    languages,
    title: "Hotspot: complex code with high change frequency",
    description:
      "Changes take longer here and break more than elsewhere. Most of the work on a repository happens in a few files, and " +
      "this one is changed often and is hard to follow. Add tests first, and then split the file along the reasons for its " +
      "changes, beginning with its most complex function.",
    example,
    cwe: [1121],
    confidence: 0.85,
    effort: "large",
    risk: "medium"
  },
  change_coupling: {
    languages: ["go", "java", "javascript", "python"],
    title: "Change coupling without an import",
    description:
      "A change of one file breaks the other when its author does not know of the connection. Both files are usually changed in " +
      "the same commit, because a format, a list or a rule is written in both, and neither imports the other. Move the shared " +
      "part to a file that both import, or at least add a test that compares them.",
    example,
    cwe: [1048],
    confidence: 0.75,
    effort: "medium",
    risk: "low"
  },
  single_owner: {
    languages,
    title: "Knowledge concentration: complex code with one author (bus factor)",
    description:
      "No one else can review or repair this code when its author is away. One author wrote nearly all of its recent changes, " +
      "although several people work on the repository. Assign the next change in this file to another person, and review " +
      "it together.",
    example,
    cwe: [],
    confidence: 0.75,
    effort: "medium",
    risk: "low"
  }
})

export type RuleId = keyof typeof rules
