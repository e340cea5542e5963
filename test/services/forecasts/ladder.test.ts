import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc, Schema } from "effect"
import { confidences, Forecast } from "../../../src/schema/Forecast.ts"
import { climb, type PastRun, type Question } from "../../../src/services/forecasts/ladder.ts"

const question: Question = {
  workflow: "audit",
  agent_runner: null,
  stages: ["prepare", "inspect"],
  lines: null,
  cpuSecondUsd: 0.00005
}

const aRun = (run: Partial<PastRun> = {}): PastRun => ({
  same_repository: true,
  same_code: false,
  completed: true,
  agent_runner: null,
  lines: null,
  duration_s: 11,
  cost_usd: 2,
  stages: [
    { stage: "prepare", duration_s: 2, cost_usd: 0 },
    { stage: "inspect", duration_s: 8, cost_usd: 2 }
  ],
  ...run
})

const times = (n: number, run: Partial<PastRun> = {}) => Array.from({ length: n }, () => aRun(run))

const elsewhere = { same_repository: false }
const withoutStages = { stages: [] }

const number = fc.oneof(fc.double({ min: 0, max: 1e6, noNaN: true }), fc.double(), fc.constant(0))
const anyRun: fc.Arbitrary<PastRun> = fc.record({
  same_repository: fc.boolean(),
  same_code: fc.boolean(),
  completed: fc.boolean(),
  agent_runner: fc.constantFrom(null, "rules", "other"),
  lines: fc.oneof(fc.constant(null), fc.integer({ min: 0, max: 1e9 })),
  duration_s: number,
  cost_usd: number,
  stages: fc.array(
    fc.record({ stage: fc.constantFrom("prepare", "inspect", "old"), duration_s: number, cost_usd: number }),
    { maxLength: 4 }
  )
})
const anyQuestion: fc.Arbitrary<Question> = fc.record({
  workflow: fc.constantFrom("audit", "standard_audit", "fix", "discover"),
  agent_runner: fc.constantFrom(null, "rules"),
  stages: fc.constantFrom(null, [], ["prepare", "inspect"]),
  lines: fc.oneof(fc.constant(null), fc.integer({ min: 0, max: 1e8 })),
  cpuSecondUsd: fc.double({ min: 0, max: 1, noNaN: true })
})

describe("a forecast", () => {
  it("is low <= mid <= high and valid, whatever the history", () => {
    fc.assert(
      fc.property(anyQuestion, fc.array(anyRun, { maxLength: 40 }), (asked, history) => {
        const forecast = climb(asked, history)
        assert.isTrue(Schema.is(Forecast)({ workflow: asked.workflow, ...forecast }), JSON.stringify(forecast))
        assert.isTrue(forecast.cost_low <= forecast.cost_mid && forecast.cost_mid <= forecast.cost_high)
        assert.isTrue(forecast.duration_low <= forecast.duration_mid && forecast.duration_mid <= forecast.duration_high)
        assert.isTrue(forecast.cost_low >= 0 && forecast.duration_low >= 0 && Number.isFinite(forecast.cost_high))
        assert.strictEqual(forecast.source === "default", forecast.confidence === "none")
        assert.strictEqual(forecast.source === "default", forecast.sample_size === 0)
      }),
      { numRuns: 2000 }
    )
  })

  it("does not depend on the order of the history", () => {
    fc.assert(
      fc.property(anyQuestion, fc.array(anyRun, { maxLength: 20 }), (asked, history) => {
        const [there, back] = [climb(asked, history), climb(asked, [...history].reverse())]
        assert.strictEqual(there.source, back.source)
        assert.approximately(there.cost_mid, back.cost_mid, Math.abs(there.cost_mid) * 1e-9 + 1e-9)
      })
    )
  })

  it("comes from the best rung that the history reaches", () => {
    const withRunner: Question = { ...question, agent_runner: "rules" }
    const byRules = { agent_runner: "rules" }
    const rungs: ReadonlyArray<readonly [Question, ReadonlyArray<PastRun>, string, number]> = [
      [question, [], "default", 0],
      [question, times(4, elsewhere), "tenant+workflow", 4],
      [withRunner, [...times(4, elsewhere), aRun({ ...elsewhere, ...byRules })], "tenant+workflow+agent_runner", 1],
      [question, [...times(4, elsewhere), aRun()], "repo+workflow", 1],
      [withRunner, [...times(9, withoutStages), aRun(byRules)], "repo+workflow+agent_runner", 1],
      [question, times(3), "stage_models_per_stage_sum", 3],
      [question, times(9, withoutStages), "repo+workflow", 9],
      [{ ...question, stages: null }, times(9), "repo+workflow", 9],
      [question, [...times(9), aRun({ same_code: true })], "stage_models_hash_exact", 1]
    ]
    for (const [asked, history, source, sample_size] of rungs) {
      const forecast = climb(asked, history)
      assert.deepStrictEqual([forecast.source, forecast.sample_size], [source, sample_size])
    }
  })

  it("learns stages from jobs that failed later, totals only from completed ones", () => {
    const failedLater = times(3, { completed: false, duration_s: 1 })
    assert.strictEqual(climb(question, failedLater).source, "stage_models_per_stage_sum")
    assert.strictEqual(climb(question, times(9, { completed: false, stages: [] })).source, "default")
  })

  it("of stages is their sum and what passes between them", () => {
    const forecast = climb(question, times(12))
    assert.deepStrictEqual([forecast.cost_mid, forecast.duration_mid], [2, 11])
  })

  it("is as sure as its samples are many, near and alike", () => {
    const cases: ReadonlyArray<readonly [ReadonlyArray<PastRun>, (typeof confidences)[number]]> = [
      [[], "none"],
      [times(9, elsewhere), "low"],
      [times(10, elsewhere), "medium"],
      [times(100, elsewhere), "medium"],
      [times(2), "low"],
      [times(3), "medium"],
      [times(10), "high"],
      [times(2, { same_code: true }), "medium"],
      [times(3, { same_code: true }), "high"],
      [[...times(6, withoutStages), ...times(6, { ...withoutStages, cost_usd: 50 })], "medium"]
    ]
    for (const [history, confidence] of cases) {
      const forecast = climb(question, history)
      assert.strictEqual(forecast.confidence, confidence, JSON.stringify(forecast))
    }
  })

  it("of one run says half to double, of many what nine in ten took", () => {
    const one = climb({ ...question, stages: null }, [aRun({ cost_usd: 2 })])
    assert.deepStrictEqual([one.cost_low, one.cost_mid, one.cost_high], [1, 2, 4])
    const many = climb(
      { ...question, stages: null },
      Array.from({ length: 101 }, (_, i) => aRun({ cost_usd: 100 + i }))
    )
    assert.approximately(many.cost_low, 110, 2)
    assert.approximately(many.cost_high, 190, 2)
  })

  it("holds what the next run takes at least three times in four, and not always", () => {
    const skewed = fc.double({ min: -1, max: 1, noNaN: true }).map((exponent) => 10 * 3 ** exponent)
    for (const n of [1, 3, 10, 50]) {
      const trials = fc.sample(fc.array(skewed, { minLength: n + 1, maxLength: n + 1 }), { numRuns: 1000, seed: n })
      const held = trials.filter(([next = 0, ...history]) => {
        const runs = history.map((duration_s) => aRun({ ...withoutStages, duration_s }))
        const { duration_low, duration_high } = climb(question, runs)
        return duration_low <= next && next <= duration_high
      })
      assert.isAbove(held.length, 550 + (n >= 3 ? 200 : 0), `${n} samples`)
      assert.isBelow(held.length, 990, `${n} samples`)
    }
  })

  it("without any history grows with the size of the repository", () => {
    const [small, large] = [climb({ ...question, lines: 1000 }, []), climb({ ...question, lines: 1_000_000 }, [])]
    assert.isBelow(small.cost_high, large.cost_low)
    assert.isBelow(small.duration_high, large.duration_low)
  })

  it("from other repositories grows with the size of the repository, for what reads every file", () => {
    const ofSmall = times(5, { ...elsewhere, ...withoutStages, lines: 1000, duration_s: 3, cost_usd: 0.001 })
    const mids = (workflow: Question["workflow"], lines: number | null) => {
      const { source, cost_mid, duration_mid } = climb({ ...question, workflow, lines }, ofSmall)
      assert.strictEqual(source, "tenant+workflow")
      return [cost_mid, duration_mid]
    }
    assert.deepStrictEqual(mids("audit", 1000), [0.001, 3])
    assert.deepStrictEqual(mids("audit", null), [0.001, 3])
    const [cost = 0, duration = 0] = mids("audit", 1_000_000)
    assert.isTrue(cost > 0.04 && cost < 0.1, `${cost} USD`)
    assert.isTrue(duration > 50 && duration < 150, `${duration} s`)
    assert.deepStrictEqual(mids("fix", 1_000_000), [0.001, 3])
    const unsized = climb(
      { ...question, lines: 1_000_000 },
      times(5, { ...elsewhere, ...withoutStages, cost_usd: 0.001 })
    )
    assert.strictEqual(unsized.cost_mid, 0.001)
  })
})
