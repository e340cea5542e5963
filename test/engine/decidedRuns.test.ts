import { assert, describe, it } from "vitest"
import correctness_bugs from "../../src/engine/rules/correctness_bugs/tool.ts"
import { inspectText } from "../support/audit.ts"

const decided = async (condition: string) =>
  (await inspectText(correctness_bugs, "src/a.js", `export const go = (a, b) => {\n  if (${condition}) stop()\n}\n`))
    .filter(({ rule }) => rule === "contradictory_condition")
    .map(({ message }) => message.slice(1, message.indexOf("`", 1)))

describe("comparisons that decide a run", () => {
  it("are reported once, however many operands follow", async () => {
    assert.deepStrictEqual(await decided("a != 1 || a != 2 || a != 3 || a != 4"), ["a != 1 || a != 2"])
  })

  it("are reported where others lie between them", async () => {
    assert.deepStrictEqual(await decided("a != 1 || b || a != 2"), ["a != 1 || b || a != 2"])
  })

  it("are none where each tests a member of its own for null", async () => {
    assert.deepStrictEqual(await decided("Server.HOST == null && Server.PORT == null"), [])
    assert.deepStrictEqual(await decided("a == Server.HOST && a == Server.PORT"), [
      "a == Server.HOST && a == Server.PORT"
    ])
  })

  it("are none where an operand between them assigns what they test", async () => {
    assert.deepStrictEqual(await decided('a.name === "x" && (a = a.next) && a.name === "y"'), [])
    assert.deepStrictEqual(await decided("a > 5 && a-- && a < 5"), [])
    const other = 'a.name === "x" && (b = b.next) && a.name === "y"'
    assert.deepStrictEqual(await decided(other), [other])
  })

  it("are reported for each run", async () => {
    const one = "a != 1 || a != 2"
    assert.deepStrictEqual(await decided(`(${one}) && (b < 1 && b > 2)`), [one, "b < 1 && b > 2"])
    assert.deepStrictEqual(await decided("a != 1 && a != 2 && a != 3"), [])
  })
})
