import { ruleSet } from "../../core/tool/AuditTool.ts"

const exponential =
  "One request with some thirty characters keeps a thread busy for minutes and stops the service. The engine tries every " +
  "way of splitting the text among the repetitions of this pattern before it gives up. Make the ways exclude each other: " +
  "no repetition inside a repetition over the same characters, separators that are not optional, alternatives that begin " +
  "differently; or limit the length of the text first."

export const rules = ruleSet({
  exponential_regex: {
    languages: ["csharp", "java", "javascript", "php", "python", "ruby"],
    title: "Regular expression denial of service (ReDoS): exponential time",
    description: exponential,
    example: {
      path: "src/names.py",
      bad: `import re

NAME = re.compile(r"^(\\w+\\s?)*$")


def is_name(text):
    return NAME.match(text) is not None
`,
      good: `import re

NAME = re.compile(r"^\\w+(?:\\s\\w+)*$")


def is_name(text):
    return NAME.match(text) is not None
`
    },
    cwe: [1333],
    confidence: 0.8,
    effort: "small",
    risk: "medium"
  },
  exponential_regex_on_request: {
    languages: ["csharp", "java", "javascript", "php", "python", "ruby"],
    title: "Regular expression denial of service (ReDoS) by a request",
    description: exponential,
    example: {
      path: "server/names.js",
      bad: `app.post("/names", (req, res) => {
  res.json({ valid: /^(\\w+\\s?)*$/.test(req.body.name) })
})
`,
      good: `app.post("/names", (req, res) => {
  res.json({ valid: /^\\w+(?:\\s\\w+)*$/.test(req.body.name) })
})
`
    },
    cwe: [1333],
    confidence: 0.88,
    effort: "small",
    risk: "medium"
  },
  polynomial_regex: {
    languages: ["csharp", "java", "javascript", "php", "python", "ruby"],
    title: "Regular expression denial of service (ReDoS): polynomial time",
    description:
      "A request with some ten thousand characters holds a thread for seconds. Two repetitions of the pattern can match " +
      "the same characters, or the search restarts one at every position, so the time grows with the square of the length " +
      "or faster. Limit the length first, anchor the pattern, or exclude the separator (`[^>]*` in place of `.*`).",
    example: {
      path: "server/names.js",
      bad: `app.post("/names", (req, res) => {
  res.json({ name: req.body.name.replace(/\\s+$/, "") })
})
`,
      good: `app.post("/names", (req, res) => {
  res.json({ name: req.body.name.trimEnd() })
})
`
    },
    cwe: [1333],
    confidence: 0.88,
    effort: "small",
    risk: "low",
    priority: "P3"
  },
  polynomial_regex_in_library: {
    languages: ["csharp", "java", "javascript", "php", "python", "ruby"],
    title: "Regular expression denial of service (ReDoS) in a library",
    description:
      "A program that hands this function a stranger's text of some ten thousand characters stands still for seconds. " +
      "Two repetitions of the pattern can match the same characters, or the search restarts one at every position, so the " +
      "time grows with the square of the length or faster. Limit the length first, anchor the pattern, exclude the " +
      "separator (`[^>]*` in place of `.*`), or read the text without a pattern (`trimEnd`).",
    example: {
      path: "src/headings.js",
      bad: `exports.plain = (heading) => heading.replace(/#+$/, "")
`,
      good: `exports.plain = (heading) => {
  let end = heading.length
  while (heading[end - 1] === "#") end--
  return heading.slice(0, end)
}
`
    },
    cwe: [1333],
    confidence: 0.6,
    effort: "small",
    risk: "low",
    priority: "P3"
  },
  regex_from_input: {
    languages: ["java", "javascript", "php", "python", "ruby"],
    title: "Regular expression injection",
    description:
      "An attacker supplies a pattern that takes exponential time, or one that matches more than intended. Untrusted " +
      "input is compiled as a regular expression. Escape the value so that it matches only itself (`re.escape`, " +
      "`Pattern.quote`, `preg_quote`, `Regexp.escape`), or search for plain text.",
    example: {
      path: "server/search.js",
      bad: `app.get("/search", (req, res) => {
  const pattern = new RegExp(req.query.q)
  res.json(pages.filter((page) => pattern.test(page.text)))
})
`,
      good: `app.get("/search", (req, res) => {
  res.json(pages.filter((page) => page.text.includes(req.query.q)))
})
`
    },
    cwe: [1333, 400],
    confidence: 0.82,
    effort: "small",
    risk: "low"
  }
})

export type RuleId = keyof typeof rules
