import { type RuleLanguage, ruleSet } from "../../core/tool/AuditTool.ts"

const languages: ReadonlyArray<RuleLanguage> = [
  "c",
  "cpp",
  "csharp",
  "go",
  "java",
  "javascript",
  "php",
  "python",
  "ruby",
  "rust"
]

/** A function of nested conditions: one of depth 8 has a cognitive complexity of 1 + 2 + … + 8. */
const nested = (depth: number): string =>
  `export function decide(order) {\n${Array.from({ length: depth }, (_, i) => `${"  ".repeat(i + 1)}if (order.a${i}) {\n`).join("")}send(order)\n${"}\n".repeat(depth + 1)}`

/** The same conditions, each with an early return. */
const flat = (depth: number): string =>
  `export function decide(order) {\n${Array.from({ length: depth }, (_, i) => `if (!order.a${i}) return\n`).join("")}send(order)\n}\n`

const statements = (count: number): string =>
  Array.from({ length: count }, (_, i) => `  if (order.a${i}) {\n    send(order, ${i})\n  }\n`).join("")

export const rules = ruleSet({
  cognitive_complexity: {
    languages,
    title: "High cognitive complexity (Sonar S3776)",
    description:
      "Changes of this function are likely to introduce bugs, and tests miss cases. Every branch, loop and handler adds to " +
      "what a reader has to keep in mind, and nesting adds more. Return early instead of nesting, and move each case or " +
      "inner loop to a function named after what it decides.",
    example: { path: "src/decide.js", bad: nested(8), good: flat(8) },
    cwe: [1121],
    confidence: 0.75,
    effort: "medium",
    risk: "medium"
  },
  cognitive_complexity_extreme: {
    languages,
    title: "Very high cognitive complexity (Sonar S3776)",
    description:
      "Changes of this function almost certainly introduce bugs, because no reader can keep all its cases in mind. Its " +
      "cognitive complexity is more than three times the limit. Cover the function with tests, and then move each phase, " +
      "case or inner loop to a function named after what it decides.",
    example: { path: "src/decide.js", bad: nested(13), good: flat(13) },
    cwe: [1121],
    confidence: 0.85,
    effort: "medium",
    risk: "medium",
    priority: "P2"
  },
  deep_nesting: {
    languages,
    title: "Deeply nested control flow (max-depth)",
    description:
      "The cases in which the inner code runs are hard to see, so bugs in them go unnoticed. It runs only when all the " +
      "conditions around it hold. Invert the outer conditions and return or continue early, or move the inner block to a " +
      "function of its own.",
    example: { path: "src/decide.js", bad: nested(6), good: flat(6) },
    cwe: [1124],
    confidence: 0.65,
    effort: "small",
    risk: "low"
  },
  long_function: {
    languages,
    title: "Long function (max-lines-per-function)",
    description:
      "The function is hard to change, because several tasks share its variables. It has more lines than a reader can keep in " +
      "view, and its parts cannot be named, tested or reused separately. Move its phases, often already separated by " +
      "comments, to functions of their own.",
    example: {
      path: "src/register.js",
      bad: `export function register(order) {\n${statements(10)}${"  send(order)\n".repeat(120)}}\n`,
      good: `export function register(order) {\n${statements(10)}  sendAll(order)\n}\n`
    },
    cwe: [1080],
    confidence: 0.6,
    effort: "medium",
    risk: "medium"
  },
  too_many_parameters: {
    languages,
    title: "Too many parameters (max-params)",
    description:
      "Callers confuse the order of the arguments, and two swapped arguments of one type compile. The function takes more " +
      "required parameters than the limit. Pass one object with named fields, or split the function along the groups of " +
      "parameters that belong together.",
    example: {
      path: "src/place.js",
      bad: "export function place(id, name, street, city, country, phone, email, total) {\n  send(id, name)\n}\n",
      good: "export function place(order, customer) {\n  send(order.id, customer.name)\n}\n"
    },
    cwe: [1064],
    confidence: 0.65,
    effort: "medium",
    risk: "medium"
  }
})

export type RuleId = keyof typeof rules
