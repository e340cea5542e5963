import { assert, describe, it } from "vitest"
import type { AuditTool, Rule } from "../../src/engine/core/tool/AuditTool.ts"
import { tools } from "../../src/engine/rules/index.ts"
import { matchesSnapshot } from "../support/snapshots.ts"

const ADVISORY_BELOW = 0.7

const kindOf = (tool: AuditTool, rule: Rule): string => {
  const kind = rule.kind ?? tool.kind
  return kind === "finding" && rule.confidence < ADVISORY_BELOW ? "advisory" : kind
}

const row = (cells: ReadonlyArray<string>): string =>
  `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`

const ruleRow = (tool: AuditTool, id: string, rule: Rule): string =>
  row([
    `\`${id}\``,
    rule.title,
    kindOf(tool, rule),
    rule.priority ?? tool.priority,
    [...rule.languages].sort().join(", "),
    rule.cwe.join(", "),
    rule.confidence.toFixed(2)
  ])

const section = (tool: AuditTool): ReadonlyArray<string> => [
  `## ${tool.id}`,
  "",
  `${tool.suite === "standard" ? "In both suites" : "In the full suite only"}. Domain ${tool.domain}, category ${tool.category}.`,
  "",
  row(["Rule", "Title", "Kind", "Priority", "Languages", "CWE", "Confidence"]),
  row(Array.from({ length: 7 }, () => "---")),
  ...Object.entries(tool.rules)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, rule]) => ruleRow(tool, id, rule)),
  ""
]

const page = (): string => {
  const sorted = [...tools].sort((a, b) => (a.id < b.id ? -1 : 1))
  const rules = sorted.reduce((sum, tool) => sum + Object.keys(tool.rules).length, 0)
  const standard = sorted.filter(({ suite }) => suite === "standard").length
  return [
    "# Audit tools and their rules",
    "",
    "Written by `npm run snapshots` from the code; do not edit it by hand.",
    "",
    `${sorted.length} tools with ${rules} rules; ${standard} of the tools run in \`standard_audit\`, all of them in \`audit\`. "javascript"`,
    'stands for TypeScript, TSX and JSX too, and "text" for files of any kind. A rule\'s full name is `tool.rule`. What the',
    "rules are known not to see is listed in [known misses](audit-known-misses.md).",
    "",
    ...sorted.flatMap(section)
  ]
    .join("\n")
    .replace(/\n+$/, "\n")
}

describe("docs/audit-tools.md", () => {
  it("lists every tool and every rule as the code has them", () => {
    const text = page()
    matchesSnapshot("../../docs/audit-tools.md", text)
    for (const tool of tools) {
      for (const id of Object.keys(tool.rules)) assert.include(text, `| \`${id}\` |`)
    }
  })
})
