import { assert, describe, it } from "vitest"
import { assemble } from "../../src/engine/core/scan/findings.ts"
import type { Placed } from "../../src/engine/core/scan/Inspector.ts"
import { PlacedHits } from "../../src/engine/core/scan/PlacedHits.ts"
import { patternTool } from "../support/audit.ts"

const hit = (n: number): Placed => ({
  tool: "pattern",
  rule: "match",
  path: `f${n % 97}.js`,
  kind: "finding",
  priority: n % 11 === 0 ? "P1" : "P2",
  confidence: 0.9,
  start: n,
  end: n + 1,
  lineStart: n + 1,
  lineEnd: n + 1,
  symbol: `f${n}`,
  title: "The pattern occurs",
  message: "Here.",
  steps: [],
  snippet: `line ${n}`,
  suggestedChange: null,
  identifiers: [],
  anchor: { text: "bad", hash: "h" }
})

describe("a flood of hits", () => {
  it("is kept without its texts, and leaves the same findings whatever order it comes in", () => {
    const flood = Array.from({ length: 20_000 }, (_, n) => hit(n))
    const orders = [
      flood,
      [...flood].reverse(),
      [...flood].sort((a, b) => ((a.start * 7919) % 20_011) - ((b.start * 7919) % 20_011))
    ]
    const [first, ...others] = orders.map((order) => {
      const hits = new PlacedHits()
      for (let at = 0; at < order.length; at += 100) hits.add(order.slice(at, at + 100))
      assert.isBelow(hits.all().filter(({ snippet }) => snippet !== "").length, 8_000)
      return assemble([patternTool(/bad/)], hits.all())
    })
    for (const other of others) assert.deepStrictEqual(other, first)
    assert.deepStrictEqual(first!.suppressed, [{ rule: "pattern.match", count: 19_980 }])
    assert.isTrue(first!.findings.every(({ snippet, priority }) => snippet !== "" && priority === "P1"))
  })
})
