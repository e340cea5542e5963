import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { millisUntilRoom, type Spent, windowMillis } from "../../../src/services/access/ceilings.ts"

const noon = Date.UTC(2026, 0, 1, 12)
const at = (minutes: number) => new Date(noon + minutes * 60_000).toISOString()

const usd = fc.integer({ min: 1, max: 3_000_000_000 }).map((nano) => nano / 1e9)
const anySpent: fc.Arbitrary<Spent> = fc.record({
  at: fc.integer({ min: noon - 2 * windowMillis, max: noon }).map((millis) => new Date(millis).toISOString()),
  usd
})

describe("an hourly ceiling", () => {
  it("has room while less than it is spent and the call fits", () => {
    const spent = [{ at: at(-30), usd: 1 }]
    assert.strictEqual(millisUntilRoom(spent, 2, 1, noon), 0)
    assert.isAbove(millisUntilRoom(spent, 2, 1.000000001, noon), 0)
    assert.strictEqual(millisUntilRoom(spent, 1.000000001, 0, noon), 0)
    assert.isAbove(millisUntilRoom(spent, 1, 0, noon), 0)
  })

  it("counts the last rolling hour only", () => {
    assert.strictEqual(millisUntilRoom([{ at: at(-60), usd: 9 }], 1, 1, noon), 0)
    assert.strictEqual(millisUntilRoom([{ at: at(-59), usd: 9 }], 1, 1, noon), 60_000)
  })

  it("has room again when enough of the oldest has left", () => {
    const spent = [
      { at: at(-10), usd: 1 },
      { at: at(-50), usd: 1 },
      { at: at(-40), usd: 1 }
    ]
    assert.strictEqual(millisUntilRoom(spent, 3, 1, noon), 10 * 60_000)
    assert.strictEqual(millisUntilRoom(spent, 3, 2, noon), 20 * 60_000)
    assert.strictEqual(millisUntilRoom(spent, 3, 3, noon), 50 * 60_000)
  })

  it("that is below the ledger's unit rejects only while something is spent", () => {
    for (const ceiling of [0, 1e-12, 4e-10]) {
      assert.strictEqual(millisUntilRoom([], ceiling, 0, noon), 0)
      assert.strictEqual(millisUntilRoom([{ at: at(-60), usd: 9 }], ceiling, 0, noon), 0)
      assert.strictEqual(millisUntilRoom([{ at: at(-59), usd: 1e-9 }], ceiling, 0, noon), 60_000)
    }
  })

  it("sums dimes without drifting", () => {
    const dimes = Array.from({ length: 9 }, () => ({ at: at(-1), usd: 0.1 }))
    assert.strictEqual(millisUntilRoom(dimes, 1, 0.1, noon), 0)
  })

  it("returns the shortest wait after which the call passes", () => {
    fc.assert(
      fc.property(
        fc.array(anySpent, { maxLength: 30 }),
        usd,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (spent, ceiling, share) => {
          const requested = ceiling * share
          const wait = millisUntilRoom(spent, ceiling, requested, noon)
          assert.isTrue(wait >= 0 && wait <= windowMillis)
          assert.strictEqual(millisUntilRoom(spent, ceiling, requested, noon + wait), 0)
          if (wait > 0) assert.isAbove(millisUntilRoom(spent, ceiling, requested, noon + wait - 1), 0)
        }
      ),
      { numRuns: 1000 }
    )
  })
})
