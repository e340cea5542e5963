import { ruleSet } from "../../core/tool/AuditTool.ts"

export const rules = ruleSet({
  exponential_regex: {
    languages: ["java", "javascript", "php", "python", "ruby"],
    title: "Pattern takes exponential time on some texts",
    description:
      "The engine tries every way of splitting the text among the repetitions before it gives up, so thirty characters keep " +
      "a thread busy for minutes and one request stops the service. Make the ways exclude each other: no repetition inside a " +
      "repetition over the same characters, separators that are not optional, alternatives that begin differently; or " +
      "limit the length of the text before.",
    cwe: [1333],
    confidence: 0.8,
    effort: "small",
    risk: "medium"
  },
  polynomial_regex: {
    languages: ["java", "javascript", "php", "python", "ruby"],
    title: "Pattern takes much more time on long texts from a request",
    description:
      "Two repetitions that can share characters, or one that a search starts again at every place, take time with the " +
      "square of the length or worse: a body of some ten thousand characters holds a thread for seconds. Limit the " +
      "length before, anchor the pattern, or say what may not stand between (`[^>]*` in place of `.*`).",
    cwe: [1333],
    confidence: 0.75,
    effort: "small",
    risk: "low",
    priority: "P3"
  },
  regex_from_input: {
    languages: ["java", "javascript", "php", "python", "ruby"],
    title: "Pattern comes from a request",
    description:
      "Whoever sends the request chooses a pattern that never ends, or one that matches more than was meant. Escape the " +
      "value so that it matches only itself (`re.escape`, `Pattern.quote`, `preg_quote`, `Regexp.escape`), or search for " +
      "plain text.",
    cwe: [1333, 400],
    confidence: 0.82,
    effort: "small",
    risk: "low"
  }
})

export type RuleId = keyof typeof rules
