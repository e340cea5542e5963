import { stripVTControlCharacters } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { renderReport } from "../../src/cli/auditReport.ts"
import { coloured, plain } from "../../src/cli/terminal.ts"
import { scan } from "../../src/engine/core/scan/Engine.ts"
import { patternTool, treeOf } from "../support/audit.ts"

const long = "src/a/folder/with/a/rather/long/name/that/goes/on/component.js"
const tree = {
  [long]: "function aFunctionWithANameThatIsLong() { bad }",
  "b.js": "function f() {\n  bad\n  bad\n}",
  "src/\u001b[2J\u202e.js": "bad"
}
const now = Date.parse("2026-01-11T00:00:00Z")
/** Of a tool whose findings are rarely wrong: those of an unknown one are advisories. */
const tool = patternTool(/bad/, { tool: { id: "ci_workflow_security" }, rule: { languages: ["javascript"] } })
const result = await scan(treeOf(tree), { suite: "full", tools: [tool] })
const render = (width: number | null, hint = false) =>
  renderReport(result, { width, paint: plain, now, hint, verbose: false })

describe("The report of an audit", () => {
  for (const width of [60, 80, 120, 200]) {
    it(`fits ${width} columns, and cuts neither a title nor a path`, () => {
      const text = render(width)
      const lines = text.split("\n").filter((line) => !line.includes(long))
      for (const line of lines) assert.isAtMost(line.length, width, line)
      assert.include(text, `  ${long}:1:43`)
      const words = text.split(/\s+/).join(" ")
      assert.include(words, "aFunctionWithANameThatIsLong")
    })
  }

  it("shows place, title, code, reason and rule of a finding", () => {
    const lines = render(null).split("\n")
    const at = lines.indexOf("  b.js:2:3 (+1)")
    assert.deepStrictEqual(lines.slice(at + 1, at + 5), [
      "    The pattern occurs: `bad`",
      "    | bad",
      "    `bad` occurs.",
      "    ci_workflow_security.match, right in 90 of 100"
    ])
  })

  it("lists advisories in short after the findings, and in full when it is to be verbose", async () => {
    const unsure = patternTool(/bad/, { rule: { confidence: 0.6 } })
    const found = await scan(treeOf({ "a.js": "bad" }), { suite: "full", tools: [unsure] })
    const options = { width: 80, paint: plain, now, hint: false }
    assert.include(renderReport(found, { ...options, verbose: false }), "  1 advisory\n\n  a.js:1:1\n    The pattern")
    assert.include(renderReport(found, { ...options, verbose: true }), "    | bad\n")
  })

  it("lets no name of a file steer the terminal", () => {
    assert.notMatch(render(80), /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
  })

  it("ends with how many observations there are of each priority, and what was looked at", () => {
    const [counts, inspected] = render(80).split("\n").slice(-2)
    assert.strictEqual(counts, "3 observations: 3 P2.")
    assert.match(inspected ?? "", /^3 files, 6 lines, 1 tool in /)
  })

  it("names what was silenced, decisions without effect, and languages that no rule knows", async () => {
    const decided = await scan(
      treeOf({
        "a.js":
          "bad // assay: ignore ci_workflow_security -- known\ngood // assay: ignore ci_workflow_security -- gone\n",
        "b.lua": "x\n",
        ".assay.yaml": "path: []\n"
      }),
      { suite: "full", tools: [tool] }
    )
    const lines = (verbose: boolean) =>
      renderReport(decided, { width: null, paint: plain, now, hint: false, verbose }).split("\n")
    assert.deepStrictEqual(lines(false).slice(-4), [
      "Silenced: 1 by comments (--verbose lists them).",
      "Ignore comments that match nothing: a.js:2. Remove them.",
      'Warning: .assay.yaml:1: Unknown key "path": known are version, paths, rules, roles, languages, accessibility.',
      "No rules for: Lua (1 file, 2 lines)."
    ])
    assert.include(lines(true), "  a.js:1 ci_workflow_security.match, by comments: known")
  })

  it("says how to get more only where a user could want it", () => {
    assert.include(render(80, true), "--sarif <file>")
    assert.notInclude(render(80, false), "--sarif")
  })

  it("is the same text with and without colours", () => {
    const colourful = renderReport(result, { width: 80, paint: coloured, now, hint: false, verbose: false })
    assert.notStrictEqual(colourful, render(80))
    assert.strictEqual(stripVTControlCharacters(colourful), render(80))
  })

  it("says so when there are no findings", async () => {
    const nothing = await scan(treeOf({ "a.js": "good" }), { suite: "full", tools: [tool] })
    assert.match(
      renderReport(nothing, { width: 80, paint: plain, now, hint: true, verbose: false }),
      /^No findings\.\n1 file, /
    )
  })
})
