// Held in the short form by: jobEngine.kill.test.ts (no stage is lost or doubled by a kill), JobEngine.workers.test.ts (another
// worker takes the jobs of one that is gone).
import { type ChildProcess } from "node:child_process"
import { assert, layer } from "@effect/vitest"
import { Effect, Queue } from "effect"
import { asOwner } from "../support/Database.ts"
import { counts, kill, onceEach, probeLog, whenCompleted, worker } from "../support/engineWorkers.ts"
import { freePort } from "../support/freePort.ts"
import { aTenant, JobEventsOverDatabase, submitted } from "../support/jobs.ts"

layer(JobEventsOverDatabase, { excludeTestServices: true })("kill -9 of one of two workers", (it) => {
  it.scoped(
    "the other one takes its job over",
    () =>
      Effect.gen(function* () {
        yield* asOwner(probeLog)
        const tenant = yield* aTenant()
        const holders = yield* Queue.unbounded<ChildProcess>()
        const workers = [
          yield* worker(String(yield* freePort), holders),
          yield* worker(String(yield* freePort), holders)
        ]
        const { id } = yield* submitted(tenant, "audit")
        const holder = yield* Queue.take(holders)
        yield* kill(holder)
        const job = yield* whenCompleted(tenant, id)
        const survivor = workers.find((other) => other !== holder)
        assert.deepStrictEqual([job.status, job.result], ["completed", { by: survivor?.pid }])
        assert.deepStrictEqual(yield* counts(id), onceEach)
      }),
    600_000
  )
})
