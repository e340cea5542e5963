import { readdirSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { languageOf } from "../../src/engine/core/files/Language.ts"
import type { AuditTool, Rule, RuleExample } from "../../src/engine/core/tool/AuditTool.ts"
import { exampleText } from "../../src/engine/core/tool/exampleText.ts"
import { tools } from "../../src/engine/rules/index.ts"
import { reportedAs } from "../../src/engine/rules/reportedAs.ts"
import { matchesSnapshot } from "../support/snapshots.ts"

/** What a match in source is reported as, once the rule is switched on where it is off by default. */
const reportOf = (tool: AuditTool, id: string) => {
  const { kind, priority, confidence, isOn } = reportedAs(tool, id)
  return { kind: isOn ? kind : `${kind}, off by default`, priority, share: confidence.toFixed(2) }
}

const row = (cells: ReadonlyArray<string>): string =>
  `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`

const ruleRow = (tool: AuditTool, id: string, rule: Rule): string => {
  const { kind, priority, share } = reportOf(tool, id)
  return row([
    `[\`${id}\`](rules/${tool.id}.md#${id})`,
    rule.title,
    kind,
    priority,
    [...rule.languages].sort().join(", "),
    rule.cwe.join(", "),
    share
  ])
}

const byId = ([a]: readonly [string, Rule], [b]: readonly [string, Rule]): number => (a < b ? -1 : 1)

const section = (tool: AuditTool): ReadonlyArray<string> => [
  `## [${tool.id}](rules/${tool.id}.md)`,
  "",
  `${tool.suite === "standard" ? "In both suites" : "In the full suite only"}. Domain ${tool.domain}, category ${tool.category}.`,
  "",
  row(["Rule", "Title", "Kind", "Priority", "Languages", "CWE", "Confidence"]),
  row(Array.from({ length: 7 }, () => "---")),
  ...Object.entries(tool.rules)
    .sort(byId)
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
    "rules are known not to see is listed in [known misses](audit-known-misses.md). Kind, priority and confidence are those of a",
    "match in source that a stranger's request reaches; another source lowers them (see [the engine](audit-engine.md)).",
    "",
    ...sorted.flatMap(section)
  ]
    .join("\n")
    .replace(/\n+$/, "\n")
}

const fenceNames: Readonly<Record<string, string>> = { shell: "sh", terraform: "hcl", text: "" }

const fenced = (path: string, code: string): ReadonlyArray<string> => {
  const language = languageOf(path)
  const fence = code.includes("```") ? "````" : "```"
  return [`${fence}${fenceNames[language] ?? language}`, exampleText(code).replace(/\n$/, ""), fence, ""]
}

const exampleOf = ({ path, bad, good, besides = {} }: RuleExample): ReadonlyArray<string> => [
  `Reported, in \`${path}\`:`,
  "",
  ...fenced(path, bad),
  "Not reported:",
  "",
  ...fenced(path, good),
  ...Object.entries(besides).flatMap(([path, code]) => [`Beside both, in \`${path}\`:`, "", ...fenced(path, code)])
]

const links = (cwe: ReadonlyArray<number>): string =>
  cwe.map((id) => `[CWE-${id}](https://cwe.mitre.org/data/definitions/${id}.html)`).join(", ")

const reportLine = (tool: AuditTool, id: string): string => {
  const { kind, priority, share } = reportOf(tool, id)
  return `- Reported as: ${kind}, priority ${priority}, confidence ${share}`
}

const ruleSection = (tool: AuditTool, id: string, rule: Rule): ReadonlyArray<string> => [
  `## ${id}`,
  "",
  `**${rule.title}**`,
  "",
  ...(rule.cwe.length === 0 ? [] : [`- Weakness: ${links(rule.cwe)}`]),
  `- Languages: ${[...rule.languages].sort().join(", ")}`,
  reportLine(tool, id),
  "",
  rule.description,
  "",
  ...(rule.example === undefined || rule.example === null ? [] : exampleOf(rule.example))
]

const toolPage = (tool: AuditTool): string =>
  [
    `# ${tool.id}`,
    "",
    "Written by `npm run snapshots` from the code; do not edit it by hand. [All tools](../audit-tools.md)",
    "",
    ...Object.entries(tool.rules)
      .sort(byId)
      .flatMap(([id, rule]) => ruleSection(tool, id, rule))
  ]
    .join("\n")
    .replace(/\n+$/, "\n")

describe("docs/audit-tools.md", () => {
  it("lists every tool and every rule as the code has them", () => {
    const text = page()
    matchesSnapshot("../../docs/audit-tools.md", text)
    for (const tool of tools) {
      for (const id of Object.keys(tool.rules)) assert.include(text, `| [\`${id}\`](rules/${tool.id}.md#${id}) |`)
    }
  })
})

describe("docs/rules", () => {
  it.each(tools)("$id.md describes each rule of the tool", (tool) => {
    matchesSnapshot(`../../docs/rules/${tool.id}.md`, toolPage(tool))
  })

  it("has no page of a tool that does not exist", () => {
    const pages = readdirSync(join(import.meta.dirname, "../../docs/rules"))
    assert.deepStrictEqual(pages.sort(), tools.map(({ id }) => `${id}.md`).sort())
  })
})
