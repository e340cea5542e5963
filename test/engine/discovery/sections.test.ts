import { assert, describe, it } from "vitest"
import { withinBytes } from "../../../src/engine/discovery/sections.ts"

const lines = (word: string, count: number) => Array.from({ length: count }, (_, i) => `- ${word} ${i}`)

describe("Sections within a number of bytes", () => {
  const sections = [
    { title: "Routes", lines: lines("route", 50), first: 2 },
    { title: "Nothing", lines: [], first: 5 },
    { title: "Traps", lines: lines("trap", 3), first: 2 }
  ]

  it("each has its first lines, however long those before it are; what room is left goes to the first ones", () => {
    const text = withinBytes(100, "# Title\n", sections)
    assert.strictEqual(
      text,
      "# Title\n\n## Routes\n\n- route 0\n- route 1\n- route 2\n- route 3\n- route 4\n\n## Traps\n\n- trap 0\n- trap 1\n"
    )
    assert.isAtMost(Buffer.byteLength(text), 100)
  })

  it("all of them are there in their order where there is room", () => {
    const text = withinBytes(10_000, "# Title\n", sections)
    assert.strictEqual(text.match(/^- /gm)?.length, 53)
    assert.isBelow(text.indexOf("- route 49"), text.indexOf("## Traps"))
  })

  it("no line is cut, and a heading never stands alone", () => {
    for (let max = 8; max < 140; max++) {
      const text = withinBytes(max, "# Title\n", sections)
      assert.isAtMost(Buffer.byteLength(text), max)
      assert.notMatch(text, /##[^\n]*\n\n(?!-)/)
    }
  })
})
