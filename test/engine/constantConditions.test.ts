import { assert, describe, it } from "vitest"
import correctness from "../../src/engine/rules/correctness_bugs/tool.ts"
import { inspectProject } from "../support/audit.ts"

const reports = async (rule: string, path: string, text: string) =>
  (await inspectProject(correctness, { [path]: text })).filter((match) => match.rule === rule)

describe("literals that stand alone behind a comparison", () => {
  const inPython = (condition: string) =>
    reports("always_true_alternative", "src/a.py", `def f(x, y):\n    if ${condition}:\n        return 1\n`)

  it("are reported once, with all of the run", async () => {
    const all = await inPython('x == "a" or "b" or "c"')
    assert.lengthOf(all, 1)
    assert.include(all[0]!.message, '`x == "a" or "b" or "c"` is always true')
    assert.lengthOf(await inPython('(x == "a" or "b") or "c"'), 1)
    assert.lengthOf(await inPython('x == "a" or "b" or y == "c" or "d"'), 2)
    assert.lengthOf(await inPython('x == "a" or "" or y'), 0)
  })

  it("are less certain where nothing uses the result", async () => {
    const text = (statement: string) => `function f(x, y) {\n  ${statement}\n}\n`
    const sure = async (statement: string) =>
      (await reports("always_true_alternative", "src/a.js", text(statement))).map(({ confidence }) => confidence)
    assert.deepStrictEqual(await sure('if (x === "a" || "b") y()'), [undefined])
    assert.deepStrictEqual(await sure('x === "a" || "b"'), [0.75])
  })
})

describe("comparisons that contradict each other", () => {
  const sure = async (path: string, text: string) =>
    (await reports("contradictory_condition", path, text)).map(({ confidence }) => confidence)

  it("are less certain where they are printed", async () => {
    assert.deepStrictEqual(await sure("src/a.py", "def f(x):\n    print(not (x < 1 and x > 7))\n"), [0.6])
    assert.deepStrictEqual(await sure("src/a.js", "export const f = (x) => { console.log(x < 1 && x > 7) }\n"), [0.6])
    assert.deepStrictEqual(await sure("src/a.py", "def f(x):\n    report(x < 1 and x > 7)\n"), [undefined])
  })

  it("are less certain where a comment says what they are", async () => {
    const text = (above: string, behind: string) =>
      `def f(x):\n    ${above}\n    if x < 1 and x > 7:${behind}\n        return 1\n`
    assert.deepStrictEqual(await sure("src/a.py", text("# This is always false.", "")), [0.6])
    assert.deepStrictEqual(await sure("src/a.py", text("y = 1", "  # a linter should report this")), [0.6])
    assert.deepStrictEqual(await sure("src/a.py", text("# Always look at both ends.", "")), [undefined])
  })

  it("are those of strict comparisons with values of two types, null and undefined too, and of no others", async () => {
    const inScript = async (condition: string) =>
      (await sure("src/a.js", `export const f = (x) => { if (${condition}) return 1 }\n`)).length
    for (const condition of ["x !== null || x !== undefined", 'x !== "" || x !== null', 'x === 1 && x === "1"'])
      assert.strictEqual(await inScript(condition), 1, condition)
    for (const condition of ["x != null || x != undefined", 'x != "" || x != 0', "x === null || x === undefined"])
      assert.strictEqual(await inScript(condition), 0, condition)
  })

  it("are reported once where a run has two pairs of them", async () => {
    assert.lengthOf(await sure("src/a.py", "def f(x, n):\n    return x != 1 or x != 0 or n != 1 or n != 0\n"), 1)
  })
})
