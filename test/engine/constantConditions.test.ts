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

  it("are reported behind a conjunction where only its truth is used", async () => {
    assert.lengthOf(await inPython('y and x == "a" or "b"'), 1)
    assert.lengthOf(await inPython('y and (x == "a") or "b" or "c"'), 1)
    assert.lengthOf(await inPython('y and x == "a" or y == "b"'), 0)
    const value = 'def f(x, y):\n    name = y and x == "a" or "b"\n    return name\n'
    assert.lengthOf(await reports("always_true_alternative", "src/a.py", value), 0)
  })

  it("are less certain where nothing uses the result", async () => {
    const text = (statement: string) => `function f(x, y) {\n  ${statement}\n}\n`
    const sure = async (statement: string) =>
      (await reports("always_true_alternative", "src/a.js", text(statement))).map(({ confidence }) => confidence)
    assert.deepStrictEqual(await sure('if (x === "a" || "b") y()'), [0.85])
    assert.deepStrictEqual(await sure('x === "a" || "b"'), [0.75])
  })

  it("are less certain where the other branch could not be taken anyway", async () => {
    const sure = async (path: string, text: string) =>
      (await reports("always_true_alternative", path, text)).map(({ confidence }) => confidence)
    const inScript = (body: string) => sure("src/a.js", `function f(x, y) {\n  if (y) y()\n  else ${body}\n}\n`)
    assert.deepStrictEqual(await inScript('if (x === "a" || "b") x()'), [0.75])
    assert.deepStrictEqual(await inScript('if (x === "a" || "b") x()\n  else y(x)'), [0.85])
    assert.deepStrictEqual(await sure("src/a.js", 'if (x === "a" || "b") {\n  // later\n}\n'), [0.75])
    const inPython = (last: string) =>
      sure(
        "src/a.py",
        `def f(x, y):\n    if y:\n        return 2\n    elif x == "a" or "b":\n        return 1\n${last}`
      )
    assert.deepStrictEqual(await inPython(""), [0.75])
    assert.deepStrictEqual(await inPython("    else:\n        return 3\n"), [undefined])
  })

  it("are values where JavaScript asks for one, and mistakes where it asks for an answer", async () => {
    const count = async (text: string) => (await reports("always_true_alternative", "src/a.js", text)).length
    for (const value of [
      'const f = (x) => x === "a" || "it must be a"',
      'function f(x) {\n  return x === "a" || "it must be a"\n}',
      'const label = x === "a" || "b"',
      'show(x === "a" || "b")'
    ])
      assert.strictEqual(await count(value), 0, value)
    for (const answer of [
      'const found = list.filter((x) => x.kind === "a" || "b")',
      'const found = list.some(\n  (x) => x.kind === "a" || "b"\n)',
      'const isKnown = (x) => x === "a" || "b"',
      'function isKnown(x) {\n  return x === "a" || "b"\n}',
      'const isKnown = x === "a" || "b"',
      'const state = { isKnown: x === "a" || "b" }'
    ])
      assert.strictEqual(await count(answer), 1, answer)
  })
})

describe("loops that never end", () => {
  const sure = async (path: string, text: string) =>
    (await reports("loop_never_ends", path, text)).map(({ confidence }) => confidence)
  const inGo = (loop: string) => sure("src/a.go", `package a\n\nfunc f(n int) {\n${loop}\n}\n`)

  it("are less certain where they do nothing", async () => {
    assert.deepStrictEqual(await inGo("\tfor i := 10; i > 0; i++ {\n\t\tf(n)\n\t}"), [undefined])
    assert.deepStrictEqual(await inGo("\tfor i := 10; i > 0; i++ {\n\t\t// later\n\t}"), [0.75])
  })

  it("are left alone where they wait, or a comment says what they are", async () => {
    assert.deepStrictEqual(
      await sure("src/a.php", "<?php\nfor ($i = 10; $i > 0; $i++) {\n  run();\n  sleep(1);\n}\n"),
      []
    )
    assert.deepStrictEqual(await inGo("\tfor i := 10; i > 0; i++ { // want `wrong direction`\n\t\tf(n)\n\t}"), [])
    const nested = "\t\tfor j := 0; j < 5; i++ {\n\t\t\tf(j)\n\t\t}\n"
    assert.deepStrictEqual(await inGo(`\t// Expect: jumbled\n\tfor i := 0; i < 9; i++ {\n${nested}\t}`), [])
    assert.deepStrictEqual(await inGo("\t// An infinite loop.\n\tfor i := 10; i > 0; i++ {\n\t\tf(n)\n\t}"), [])
  })

  it("are less certain where they read their counter, and none where it may wrap around", async () => {
    assert.deepStrictEqual(await inGo("\tfor i := n - 1; i >= 0; i++ {\n\t\tf(rows[i])\n\t}"), [0.85])
    assert.deepStrictEqual(await inGo("\tfor i := 0; i < n; i-- {\n\t\tf(rows[i])\n\t}"), [0.85])
    assert.deepStrictEqual(await inGo("\tfor i := n - 1; i < n; i-- {\n\t\tf(rows[i])\n\t}"), [])
    assert.deepStrictEqual(await inGo("\tfor i := n - 1; i >= 0; i++ {\n\t\ti = f(i)\n\t}"), [])
  })

  it("only read their counter where it is an index", async () => {
    const inSharp = (body: string) =>
      sure(
        "src/A.cs",
        `class A {\n  void F(int[,] m) {\n    for (int x = 9; x > 0; x++) {\n      ${body}\n    }\n  }\n}\n`
      )
    assert.deepStrictEqual(await inSharp("m[x, 1] = 2;"), [0.85])
    assert.deepStrictEqual(await inSharp("m[x--, 1] = 2;"), [])
    assert.deepStrictEqual(await inSharp("(x, m[0, 0]) = (1, 2);"), [])
  })

  it("are those whose counter is compared or handed on, and not those that set it", async () => {
    const inner = (body: string) => inGo(`\tfor i := 0; i < n; j++ {\n\t\t${body}\n\t}`)
    assert.lengthOf(await inner("if i == 0 {\n\t\t\tf(n)\n\t\t}"), 1)
    assert.lengthOf(await inner("g(i, n)"), 1)
    assert.lengthOf(await inner("i, n = g(n)"), 0)
    assert.lengthOf(await inner("i = g(n)"), 0)
  })
})

describe("a missing break", () => {
  it("loses a value whose text only looks like the name that holds it", async () => {
    const text = (second: string) =>
      `let day = "Sunday"\nswitch (x) {\n  case 1:\n    day = "Sunday"\n  case 2:\n    day = ${second}\n    break\n}\n`
    assert.lengthOf(await reports("missing_break", "src/a.js", text('"Monday"')), 1)
    assert.lengthOf(await reports("missing_break", "src/a.js", text('day + "!"')), 0)
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
