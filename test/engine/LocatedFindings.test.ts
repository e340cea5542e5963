import { assert, describe, it } from "vitest"
import { assemble } from "../../src/engine/core/scan/findings.ts"
import type { LocatedFinding } from "../../src/engine/core/scan/LocatedFinding.ts"
import { LocatedFindings } from "../../src/engine/core/scan/LocatedFindings.ts"
import { patternTool } from "../support/audit.ts"

const found = (n: number): LocatedFinding => ({
  tool: "pattern",
  rule_id: "pattern.match",
  file_path: `f${n % 97}.js`,
  kind: "finding",
  priority: n % 11 === 0 ? "P1" : "P2",
  confidence: 0.9,
  start: n,
  end: n + 1,
  line_start: n + 1,
  line_end: n + 1,
  symbol: `f${n}`,
  title: "The pattern occurs",
  message: "Here.",
  noun: null,
  checks: [],
  priority_reason: "P2 by its consequence.",
  region: { column_start: 1, column_end: 2, snippet_line: 1 },
  steps: [],
  snippet: `line ${n}`,
  suggested_change: null,
  suggested_diff: null,
  identifiers: [],
  missing_identifiers: [],
  anchor: { text: "bad", hash: "h" }
})

describe("a flood of findings", () => {
  it("is kept without texts, and leaves the same findings whatever order they come in", () => {
    const flood = Array.from({ length: 40_000 }, (_, n) => found(n))
    const orders = [
      flood,
      [...flood].reverse(),
      [...flood].sort((a, b) => ((a.start * 7919) % 20_011) - ((b.start * 7919) % 20_011))
    ]
    const [first, ...others] = orders.map((order) => {
      const findings = new LocatedFindings()
      for (let at = 0; at < order.length; at += 100) findings.add(order.slice(at, at + 100))
      assert.isBelow(findings.all().filter(({ snippet }) => snippet !== "").length, 16_001)
      return assemble([patternTool(/bad/, { rule: { category: "operations" } })], findings.all())
    })
    for (const other of others) assert.deepStrictEqual(other, first)
    assert.deepStrictEqual(first!.suppressed, [{ rule: "pattern.match", count: 39_980 }])
    assert.isTrue(first!.findings.every(({ snippet, priority }) => snippet !== "" && priority === "P1"))
  })
})
