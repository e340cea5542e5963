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
  hotspot: {
    languages,
    title: "Hard code that is changed all the time",
    description:
      "Most of the work on a repository happens in a few of its files. Where such a file is also hard to follow, every " +
      "change there takes longer and breaks more than elsewhere, so this is where tidying up is repaid first. Split the " +
      "file along the reasons for which it was changed, beginning with its hardest function, and put tests around it before.",
    cwe: [1121],
    confidence: 0.85,
    effort: "large",
    risk: "medium"
  },
  change_coupling: {
    languages: ["go", "java", "javascript", "python"],
    title: "Two files are always changed together without knowing of each other",
    description:
      "Nothing in the code says that these files belong together, yet whoever changes one has to change the other: " +
      "a format, a list or a rule is written down twice. The day someone does not know, they disagree. Give what they " +
      "share one place that both import, or at least a test that compares them.",
    cwe: [1048],
    confidence: 0.75,
    effort: "medium",
    risk: "low"
  },
  single_owner: {
    languages,
    title: "Hard, busy code that one person alone works on",
    description:
      "Nobody else has changed this code lately although several people work here, so nobody else can judge or repair " +
      "it when its author is away. Let someone else take the next change in this file, and review it together.",
    cwe: [],
    confidence: 0.75,
    effort: "medium",
    risk: "low"
  }
})

export type RuleId = keyof typeof rules
