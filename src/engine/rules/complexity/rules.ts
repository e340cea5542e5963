import { ruleSet } from "../../core/tool/AuditTool.ts"

export const rules = ruleSet({
  cognitive_complexity: {
    languages: ["csharp", "go", "java", "javascript", "php", "python", "ruby", "rust"],
    title: "Function is hard to follow",
    description:
      "Every branch, loop and handler adds to what a reader has to hold in mind, and one inside another adds more. " +
      "Functions beyond this point are where changes go wrong and tests miss cases. Return early instead of " +
      "nesting, and move each case or inner loop to a function named after what it decides.",
    cwe: [1121],
    confidence: 0.95,
    effort: "medium",
    risk: "medium"
  },
  deep_nesting: {
    languages: ["csharp", "go", "java", "javascript", "php", "python", "ruby", "rust"],
    title: "Control flow is nested too deep",
    description:
      "Code this deep runs only when all the conditions around it hold, and nobody keeps that many in mind. Turn " +
      "the outer conditions around and return or continue early, or move the inner block to its own function.",
    cwe: [1124],
    confidence: 0.9,
    effort: "small",
    risk: "low"
  },
  long_function: {
    languages: ["csharp", "go", "java", "javascript", "php", "python", "ruby", "rust"],
    title: "Function is very long",
    description:
      "A function this long does several things, which cannot be named, tested or reused one by one. Its phases, " +
      "often already separated by comments, each want to be a function.",
    cwe: [1080],
    confidence: 0.85,
    effort: "medium",
    risk: "medium"
  },
  too_many_parameters: {
    languages: ["csharp", "go", "java", "javascript", "php", "python", "ruby", "rust"],
    title: "Function takes too many parameters",
    description:
      "Callers have to remember the order, and two arguments of one type swapped by mistake compile. Pass one " +
      "object with named fields, or split the function along the groups of parameters that belong together.",
    cwe: [1064],
    confidence: 0.85,
    effort: "medium",
    risk: "medium"
  }
})

export type RuleId = keyof typeof rules
