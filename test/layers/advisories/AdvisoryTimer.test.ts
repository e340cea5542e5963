import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, TestClock } from "effect"
import { updatingLoop } from "../../../src/layers/advisories/AdvisoryTimer.ts"
import type { Updated } from "../../../src/layers/advisories/AdvisoryUpdate.ts"
import { FolderTaken } from "../../../src/layers/advisories/FolderLock.ts"
import { writeUpdateRecord } from "../../../src/layers/advisories/UpdateRecord.ts"
import { aFolder } from "../../support/gitRepository.ts"

/** An update that leaves its record and counts its runs. */
const updates = (folder: string, failures: Readonly<Record<string, string>> = {}) => {
  const ran: Array<number> = []
  const update = Effect.gen(function* () {
    const now = yield* DateTime.now
    ran.push(DateTime.toEpochMillis(now) / 3_600_000)
    writeUpdateRecord(folder, { ended_at: DateTime.formatIso(now), failures, dumps: {} })
    return Object.entries(failures).map(([ecosystem, message]): Updated => ({ ecosystem, status: "failed", message }))
  })
  return { ran, update }
}

describe("the timer of advisories", () => {
  it.scoped("updates at the start and then as often as it is set to", () =>
    Effect.gen(function* () {
      const folder = aFolder()
      const { ran, update } = updates(folder)
      yield* Effect.forkScoped(updatingLoop({ folder, everyHours: 24, update }))
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(ran, [0])
      yield* TestClock.adjust("49 hours")
      assert.deepStrictEqual(ran, [0, 24, 48])
    })
  )

  it.scoped("leaves an update to another process on the same folder", () =>
    Effect.gen(function* () {
      const folder = aFolder()
      const [one, two] = [updates(folder), updates(folder)]
      yield* Effect.forkScoped(updatingLoop({ folder, everyHours: 24, update: one.update }))
      yield* Effect.forkScoped(updatingLoop({ folder, everyHours: 24, update: two.update }))
      yield* TestClock.adjust("23 hours")
      assert.lengthOf([...one.ran, ...two.ran], 1)
    })
  )

  it.scoped("tries again after an hour what failed, and when another process held the folder", () =>
    Effect.gen(function* () {
      const folder = aFolder()
      const failing = updates(folder, { npm: "The mirror answers with status 503." })
      yield* Effect.forkScoped(updatingLoop({ folder, everyHours: 24, update: failing.update }))
      yield* TestClock.adjust("150 minutes")
      assert.deepStrictEqual(failing.ran, [0, 1, 2])
      let attempts = 0
      const taken = Effect.suspend(() => {
        attempts++
        return new FolderTaken({ message: "Another process updates the advisories now." })
      })
      yield* Effect.forkScoped(updatingLoop({ folder: aFolder(), everyHours: 24, update: taken }))
      yield* TestClock.adjust("3 hours")
      assert.isAbove(attempts, 1)
    })
  )

  it.scoped("goes on after an update that died, and does not repeat it at once", () =>
    Effect.gen(function* () {
      let attempts = 0
      const dying = Effect.suspend(() => {
        attempts++
        return Effect.die(new Error("no space"))
      })
      yield* Effect.forkScoped(updatingLoop({ folder: aFolder(), everyHours: 24, update: dying }))
      yield* TestClock.adjust("150 minutes")
      assert.strictEqual(attempts, 3)
    })
  )
})
