import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TurnScheduler } from "../../src/layers/TurnScheduler.ts"

const nextTurn = () => new Promise<void>((resolve) => void setImmediate(resolve))

/** Turns of the event loop until `isDone`. */
const turnsUntil = async (isDone: () => boolean) => {
  let turns = 0
  while (!isDone()) {
    await nextTurn()
    turns++
  }
  return turns
}

/** Schedules so many tasks at once, and counts those that have run. */
const busy = (scheduler: TurnScheduler, amount: number) => {
  const ran: Array<number> = []
  for (let n = 0; n < amount; n++) scheduler.scheduleTask(() => void ran.push(n))
  return ran
}

const hour = 3_600_000

describe("the scheduler of requests", () => {
  it("runs fibers in the order in which they became ready, in as many turns as they need", async () => {
    const ran = busy(new TurnScheduler(0), 100)
    // At most one in each of the two phases.
    assert.isAtLeast(await turnsUntil(() => ran.length === 100), 40)
    assert.deepStrictEqual(
      ran,
      Array.from({ length: 100 }, (_, n) => n)
    )
  })

  it("runs all that is ready in one turn while there is time", async () => {
    const ran = busy(new TurnScheduler(hour), 3000)
    assert.isAtMost(await turnsUntil(() => ran.length === 3000), 1)
  })

  it("runs one fiber a phase after a new connection, until a turn has none", async () => {
    const scheduler = new TurnScheduler(hour)
    scheduler.hurry()
    const ran = busy(scheduler, 10)
    await Promise.resolve()
    assert.strictEqual(ran.length, 1)
    await nextTurn()
    assert.strictEqual(ran.length, 2)
    await nextTurn()
    assert.strictEqual(ran.length, 10)
  })

  it("lets the event loop turn while a fiber computes without end", async () => {
    let isStopped = false
    const forever = Effect.whileLoop({ while: () => !isStopped, body: () => Effect.void, step: () => undefined })
    const running = Effect.runPromise(Effect.withScheduler(forever, new TurnScheduler(0)))
    await nextTurn()
    await nextTurn()
    isStopped = true
    await running
  })
})
