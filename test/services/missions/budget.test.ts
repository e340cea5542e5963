import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import {
  dollars,
  left,
  nanosOf,
  type Purse,
  raise,
  reserve,
  settle,
  usdOf
} from "../../../src/services/missions/budget.ts"

/** Whole billionths, from nothing to a hundred dollars. */
const amount = FastCheck.oneof(
  FastCheck.integer({ min: 0, max: 100_000_000_000 }),
  FastCheck.constantFrom(0, 1, 333_333_333, 10_000_000)
)

interface Run {
  purse: Purse
  /** What is set aside for the step under way; null while none is. */
  held: number | null
  readonly costs: Array<number>
}

type Act = { readonly kind: "start" | "end" | "raise"; readonly amount: number; readonly share: number }

const act: FastCheck.Arbitrary<Act> = FastCheck.record({
  kind: FastCheck.constantFrom("start" as const, "end" as const, "raise" as const),
  amount,
  share: FastCheck.integer({ min: 0, max: 100 })
})

/** Applies an act as the run of a mission does; `mostOf` is what a try may cost of what was set aside for it. */
const perform = (state: Run, { kind, amount, share }: Act, costOf: (held: number, share: number) => number) => {
  if (kind === "raise") {
    state.purse = raise(state.purse, amount) ?? state.purse
  } else if (kind === "start" && state.held === null) {
    const next = reserve(state.purse, amount)
    if (next === null) return
    state.purse = next
    state.held = amount
  } else if (kind === "end" && state.held !== null) {
    const cost = costOf(state.held, share)
    state.purse = settle(state.purse, state.held, cost)
    state.held = null
    state.costs.push(cost)
  }
}

describe("money of a mission", () => {
  it.prop(
    "is never spent or set aside beyond the budget, and its sums are exact",
    [amount, FastCheck.array(act, { maxLength: 80 })],
    ([budget, acts]) => {
      const state: Run = { purse: { budget, spent: 0, reserved: 0 }, held: null, costs: [] }
      for (const one of acts) {
        perform(state, one, (held, share) => Math.floor((held * share) / 100))
        const { purse, held, costs } = state
        assert.isAtLeast(left(purse), 0)
        assert.strictEqual(purse.reserved, held ?? 0)
        assert.strictEqual(
          BigInt(purse.spent),
          costs.reduce((sum, cost) => sum + BigInt(cost), 0n)
        )
      }
    }
  )

  it.prop(
    "lets nothing that costs begin once a try has cost more than was left, until the budget is raised",
    [amount, amount, FastCheck.array(act, { maxLength: 40 })],
    ([budget, excess, acts]) => {
      const state: Run = { purse: { budget, spent: 0, reserved: 0 }, held: null, costs: [] }
      for (const one of acts) {
        const isOver = left(state.purse) < 0
        const costs = state.costs.length
        perform(state, one, (held) => held + excess)
        if (isOver && one.kind === "start" && state.costs.length === costs) assert.isNull(state.held)
      }
    }
  )

  it("comes back from the database's dollars as it went in", () => {
    FastCheck.assert(FastCheck.property(amount, (nanos) => nanosOf(usdOf(nanos)) === nanos))
    assert.strictEqual(nanosOf(0.1) + nanosOf(0.2), nanosOf(0.3))
  })

  it("is raised, never lowered", () => {
    const purse = { budget: 5, spent: 2, reserved: 1 }
    assert.isNull(raise(purse, 5))
    assert.isNull(raise(purse, 4))
    assert.deepStrictEqual(raise(purse, 6), { budget: 6, spent: 2, reserved: 1 })
  })

  it("is shown in cents, and a smaller amount with two digits", () => {
    assert.deepStrictEqual([0, 5_000_000_000, 10_000_000, 1_234_567, 12_345, 12, 1].map(dollars), [
      "0.00 USD",
      "5.00 USD",
      "0.01 USD",
      "0.0012 USD",
      "0.000012 USD",
      "0.000000012 USD",
      "0.000000001 USD"
    ])
  })
})
