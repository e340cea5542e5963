import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"

const root = join(import.meta.dirname, "../..")

/** Names of public suites of vulnerable or labelled code, in two parts each, so that this list does not match itself. */
const suites = [
  ["owasp[ _-]?", "benchmark"],
  ["juli", "et[ _-]?(?:test|suite|c\\b|java\\b)"],
  ["sam", "ate"],
  ["software assurance ", "reference"],
  ["dv", "wa\\b"],
  ["damn[ _-]?", "vulnerable"],
  ["web", "goat"],
  ["node", "goat"],
  ["rails", "goat"],
  ["juice", "[ _-]?shop"],
  ["securi", "bench"],
  ["vuln", "ado\\b"],
  ["vuln", "hub"],
  ["mutilli", "dae"],
  ["bw", "app\\b"],
  ["bandit", "[ /_-]examples"],
  ["gosec", "[ /_-](?:samples|testutils)"],
  ["sec", "bench\\b"],
  ["vul4", "j\\b"],
  ["big", "vul\\b"],
  ["defects", "4j"],
  ["bugs", "[ _-]?in[ _-]?py"],
  ["bugs", "[ _-]?js\\b"],
  ["wavs", "ep\\b"],
  ["terra", "goat"],
  ["kubernetes", "[ _-]?goat"],
  ["cfn", "goat"],
  ["hackable", "\\.php"],
  ["ossf[ _-]?", "cve"],
  ["pixi", "[ _-]crs"],
  ["xvw", "a\\b"],
  ["dvn", "a\\b"],
  ["vam", "pi\\b"],
  ["crap", "i\\b"]
].map((parts) => new RegExp(`(?<![a-z])${parts.join("")}`, "i"))

/** Whole test ids of the labelled corpora, such as a class of a hundred numbered cases. */
const caseNames = [new RegExp(`${"Benchmark"}${"Test\\d{4,}"}`), /CWE\d+_[A-Z][A-Za-z_]+__[A-Za-z]+_\d\d/]

const foldersRead = [
  "src/engine",
  "test/fixtures",
  "test/engine",
  "docs/rules",
  "docs/audit-tools.md",
  "docs/fixers.md"
]

const filesUnder = (path: string): ReadonlyArray<string> => {
  const full = join(root, path)
  const entries = readdirSync(full, { withFileTypes: true })
  return entries.flatMap((entry) => {
    const below = `${path}/${entry.name}`
    return entry.isDirectory() ? filesUnder(below) : [below]
  })
}

const files = foldersRead.flatMap((path) => (path.endsWith(".md") ? [path] : filesUnder(path)))

const namedIn = (text: string): ReadonlyArray<string> =>
  [...suites, ...caseNames].flatMap((suite) => suite.exec(text)?.[0] ?? [])

describe("rules, models and fixtures", () => {
  it("name no public suite of vulnerable code, in their paths or in their texts", () => {
    const named = files.flatMap((path) => {
      const found = [...namedIn(path), ...namedIn(readFileSync(join(root, path), "utf8"))]
      return found.length === 0 ? [] : [`${path}: ${found.join(", ")}`]
    })
    assert.deepStrictEqual(named, [])
  })

  it("would be caught naming one", () => {
    for (const text of [
      ["Web", "Goat"],
      ["OWASP ", "Benchmark"],
      ["juice", "-shop"],
      ["Benchmark", "Test00042"]
    ])
      assert.isNotEmpty(namedIn(`// As in ${text.join("")}.`), text.join(""))
    assert.isEmpty(namedIn("// A benchmark of the shop, for goats."))
  })
})
