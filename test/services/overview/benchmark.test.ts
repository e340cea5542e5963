import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import type { Domain } from "../../../src/schema/Observation.ts"
import { benchmarkOf, domains, type OpenGroup, scoreOf } from "../../../src/services/overview/benchmark.ts"

const group = FastCheck.record({
  domain: FastCheck.constantFrom<Domain>(...domains),
  priority: FastCheck.constantFrom("P0", "P1", "P2", "P3"),
  tool: FastCheck.constantFrom("secret_detection", "complexity"),
  count: FastCheck.integer({ min: 1, max: 40 }),
  confidence: FastCheck.double({ min: 0.5, max: 40, noNaN: true }),
  ref: FastCheck.constant("OBS-1"),
  title: FastCheck.constant("A key in the source")
}) satisfies FastCheck.Arbitrary<OpenGroup>
const lines = FastCheck.integer({ min: 0, max: 3_000_000 })

const everyTool = { lines: 12_000, tools: Object.fromEntries(domains.map((domain) => [domain, ["a_tool"]])) }
const scoresOf = (groups: ReadonlyArray<OpenGroup>) => benchmarkOf(groups, everyTool)

describe("a benchmark score", () => {
  it("is 0 to 100 and never rises by one more open observation, a P0 least of all", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.array(group, { maxLength: 20 }), group, lines, (groups, more, n) => {
        const before = scoreOf(groups, n)
        assert.isTrue(before >= 0 && before <= 100 && Number.isInteger(before))
        assert.isAtMost(scoreOf([...groups, more], n), before)
        assert.isAtMost(scoreOf([...groups, { ...more, priority: "P0" }], n), Math.min(before, 50))
        assert.isAtMost(scoreOf([...groups, { ...more, priority: "P0" }], n), scoreOf([...groups, more], n))
      })
    )
  })

  it("is what the documentation says", () => {
    const one = (priority: OpenGroup["priority"], confidence: number): OpenGroup => ({
      domain: "security",
      priority,
      tool: "secret_detection",
      count: 1,
      confidence,
      ref: "OBS-7",
      title: "A key in the source"
    })
    assert.strictEqual(scoreOf([], 50_000), 100)
    // 1.5 × 0.8 / 12 = 0.1 per 1,000 lines.
    assert.strictEqual(scoreOf([one("P2", 0.8)], 12_000), 99)
    assert.strictEqual(scoreOf([one("P1", 0.9)], 1_000_000), 80)
    assert.strictEqual(scoreOf([one("P0", 0.9)], 1_000_000), 50)
    // Small repositories count as 1,000 lines: 100 / (1 + 10 / 10).
    assert.strictEqual(scoreOf([one("P2", 1), one("P1", 1), one("P1", 1), one("P3", 1)], 10), 50)
  })

  it("is null where none of the domain's tools has run, whatever is open there", () => {
    const open = { tool: "t", count: 1, confidence: 0.9, ref: "OBS-1", title: "x", priority: "P0" } as const
    const scores = benchmarkOf([{ ...open, domain: "ux" }], { lines: 500, tools: { security: ["secret_detection"] } })
    assert.deepStrictEqual(
      scores.map(({ domain, score }) => [domain, score]),
      domains.map((domain) => [domain, domain === "security" ? 100 : null])
    )
    for (const { score, justification } of scores) {
      if (score === null) assert.strictEqual(justification, "No audit has run a tool of this domain yet.")
    }
  })

  it("is explained in a sentence, with what is worst and what is best", () => {
    const [security] = scoresOf([
      { domain: "security", priority: "P2", tool: "b", count: 3, confidence: 2.4, ref: "OBS-2", title: "Weak hash" },
      { domain: "security", priority: "P0", tool: "b", count: 1, confidence: 0.9, ref: "OBS-1", title: "A key" }
    ])
    assert.deepStrictEqual(security, {
      domain: "security",
      score: 50,
      change: null,
      justification: "4 open (1 P0, 3 P2) in 12,000 lines weigh 1.05 per 1,000 lines.",
      top_issue: "OBS-1 (P0): A key",
      top_strength: "a_tool has nothing open.",
      strengths: ["a_tool has nothing open."],
      weaknesses: ["OBS-1 (P0): A key", "OBS-2 (P2): Weak hash, and 2 more of the rule"]
    })
  })
})
