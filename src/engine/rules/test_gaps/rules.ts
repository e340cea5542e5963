import { type RuleLanguage, ruleSet } from "../../core/tool/AuditTool.ts"

export const languages: ReadonlyArray<RuleLanguage> = ["go", "java", "javascript", "python"]

export const rules = ruleSet({
  untested_complex_file: {
    languages,
    title: "Complex code without tests",
    description:
      "This repository has tests, and none of them names this file or its hardest function, although it takes more " +
      "decisions than most. Anyone who changes it learns from users whether it still works. Begin with a test of its " +
      "hardest function: one case for each way through it.",
    cwe: [1053],
    confidence: 0.7,
    effort: "medium",
    risk: "low"
  },
  untested_sensitive_module: {
    languages,
    title: "Security-sensitive code without tests",
    description:
      "Mistakes here let strangers in or cost money, and they are rarely seen when someone tries it by hand, because the " +
      "usual case works. Test what must be refused: the wrong password, the expired token, the amount below zero, the same " +
      "request twice.",
    cwe: [1053],
    confidence: 0.7,
    effort: "medium",
    risk: "low"
  }
})

export type RuleId = keyof typeof rules
