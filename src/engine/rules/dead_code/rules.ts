import { ruleSet } from "../../core/tool/AuditTool.ts"

export const rules = ruleSet({
  unused_import: {
    languages: ["java", "javascript", "python"],
    title: "Import is never used",
    description:
      "It makes readers look for a use that is not there, costs time when the file is loaded, and keeps a dependency alive " +
      "that may no longer be needed. Remove it; where it is imported for its effect only, import no names.",
    cwe: [1164],
    confidence: 0.85,
    effort: "small",
    risk: "low"
  },
  unreferenced_private: {
    languages: ["go", "java", "javascript", "python"],
    title: "Private code is never used",
    description:
      "Nothing can reach it from outside, and nothing inside refers to it, so it is read, changed and translated for " +
      "nothing, or somebody forgot to call it. Remove it: version control keeps it. If it was meant to be called, call it.",
    cwe: [561],
    confidence: 0.8,
    effort: "small",
    risk: "low"
  },
  unused_export: {
    languages: ["javascript"],
    title: "Export is used nowhere in this application",
    description:
      "The package is an application, so nobody outside can import it, and no other file names it. An export looks like " +
      "a promise to others and is changed with care for nothing. Remove the word export, or the code if nothing is left of it.",
    cwe: [561],
    confidence: 0.75,
    effort: "small",
    risk: "low"
  },
  commented_out_code: {
    languages: ["go", "java", "javascript", "python"],
    title: "Code is commented out",
    description:
      "Nobody knows whether it still works, why it was switched off and whether it is safe to switch on, and it is found by " +
      "every search. Remove it: version control keeps it. If there is a reason to keep it, write the reason instead.",
    cwe: [1164],
    confidence: 0.75,
    effort: "small",
    risk: "low"
  }
})

export type RuleId = keyof typeof rules
