import { type ChildProcess } from "node:child_process"
import { assert, layer } from "@effect/vitest"
import { Effect, Queue } from "effect"
import { asOwner } from "../support/Database.ts"
import { counts, kill, onceEach, probeLog, whenCompleted, worker } from "../support/engineWorkers.ts"
import { aTenant, JobEventsOverDatabase, submitted } from "../support/jobs.ts"

layer(JobEventsOverDatabase, { excludeTestServices: true })("kill -9 in the middle of a stage", (it) => {
  it.scoped(
    "and a new start: the job completes, finished stages are not run again, no write is doubled",
    () =>
      Effect.gen(function* () {
        yield* asOwner(probeLog)
        const tenant = yield* aTenant()
        const holders = yield* Queue.unbounded<ChildProcess>()
        yield* worker("single", holders)
        const { id } = yield* submitted(tenant, "audit")
        yield* kill(yield* Queue.take(holders))
        const second = yield* worker("single", holders)
        const job = yield* whenCompleted(tenant, id)
        assert.deepStrictEqual([job.status, job.result], ["completed", { by: second.pid }])
        assert.deepStrictEqual(yield* counts(id), onceEach)
      }),
    600_000
  )
})
