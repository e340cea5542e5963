import { assert, it } from "vitest"
import { briefGuides, briefPattern, briefRules, guidesNamed, linesWithin } from "../../src/mcp/knowledgeAnswers.ts"
import type { ApplicableRules, CanonicalPattern, HowToGuides } from "../../src/schema/Discovery.ts"

const lines = (count: number) => Array.from({ length: count }, (_, n) => `- line ${n}`).join("\n")

const guide = (slug: string, count: number) => ({ slug, title: slug, description: null, content: `${lines(count)}\n` })

const all = (guides: HowToGuides["guides"]): HowToGuides => ({
  repo_name: "api@main" as HowToGuides["repo_name"],
  commit_sha: "c0ffee",
  guides,
  skills: [{ name: "add-a-table", content: lines(3), description: null, extends: null }]
})

it("a text is cut between lines and says how many are left out and how to read them", () => {
  assert.strictEqual(linesWithin(lines(3), 1_000, "ask"), lines(3))
  const cut = linesWithin(lines(100), 400, "ask")
  assert.match(cut, /^- line 0\n[\s\S]*- line (\d+)\n\n\(\d+ of 100 lines left out: ask\)\n$/)
  const kept = cut.split("\n").filter((line) => line.startsWith("- ")).length
  assert.include(cut, `(${100 - kept} of 100 lines`)
  assert.isAtMost(JSON.stringify(cut).length, 400)
})

it("a quotation that is cut is closed before the note", () => {
  assert.match(linesWithin(`\`\`\`\n${lines(100)}\n\`\`\`\n`, 400, "ask"), /\n```\n\n\(\d+ of 102 lines/)
})

it("guides that have no room say how to be read, and the first ones are whole", () => {
  const many = briefGuides(all([guide("install", 5), ...Array.from({ length: 40 }, (_, n) => guide(`g${n}`, 200))]))
  assert.isBelow(JSON.stringify(many).length, 30_000)
  assert.strictEqual(many.guides[0]?.content, `${lines(5)}\n`)
  assert.include(many.guides.at(-1)?.content, '(200 of 200 lines left out: get_how_to_guides with name "g39" has them)')
})

it("one guide or recipe is read whole by its name, and an unknown name lists all", () => {
  const given = all([guide("install", 5), guide("test", 900)])
  const [whole] = briefGuides(guidesNamed(given, "test")).guides
  assert.strictEqual(whole?.content, `${lines(900)}\n`)
  assert.deepStrictEqual(guidesNamed(given, "add-a-table").guides, [])
  assert.deepStrictEqual(guidesNamed(given, "gone"), given)
})

const rule = (text: string): ApplicableRules["rules"][number] => ({
  origin: "inferred",
  text,
  support: null,
  deviates: false,
  cited: [{ file_path: "src/a.ts", line: 1 }]
})
const rulesOf = (rules: ApplicableRules["rules"]): ApplicableRules => ({
  repo_name: "acme/shop",
  file_path: "src/a.ts",
  path_known: true,
  commit_sha: null,
  rules,
  patterns: [],
  directives: []
})

it("rules of a file that have no room are counted in the last one that has, and few rules stay as they are", () => {
  const many = Array.from({ length: 200 }, (_, i) => rule(`Rule ${i}. ${"Always. ".repeat(30)}`))
  const brief = briefRules(rulesOf(many))
  assert.isBelow(JSON.stringify(brief).length, 32_000)
  const left = many.length - brief.rules.length
  assert.isAbove(left, 0)
  assert.include(brief.rules.at(-1)!.text, `(${left} of 200 rules left out: GET /api/repos/`)
  assert.strictEqual(brief.rules[0]!.text, many[0]!.text)
  const few = rulesOf(many.slice(0, 3))
  assert.deepStrictEqual(briefRules(few), few)
})

it("an example of a pattern that is too long says which lines to read", () => {
  const pattern: CanonicalPattern = {
    repo_name: "acme/shop",
    commit_sha: "c0ffee",
    name: "route",
    title: "Routes",
    shape: "express route",
    support: { count: 1, of: 1 },
    file_path: "src/a.ts",
    line_start: 3,
    line_end: 4_000,
    symbol: null,
    snippet: "const value = 1\n".repeat(4_000),
    deviations: []
  }
  assert.match(briefPattern(pattern).snippet!, /lines left out: read src\/a\.ts, lines 3 to 4000\)/)
  assert.isBelow(JSON.stringify(briefPattern(pattern)).length, 32_000)
  const short = { ...pattern, snippet: "const value = 1\n" }
  assert.deepStrictEqual(briefPattern(short), short)
})
