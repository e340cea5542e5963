import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Chunk, Effect, Fiber, Queue, Stream, TestClock } from "effect"
import { type JobId } from "../../../src/schema/Ids.ts"
import { Caller } from "../../../src/services/access/Caller.ts"
import { JobEvents } from "../../../src/services/jobs/JobEvents.ts"
import { JobEventsRepo } from "../../../src/services/jobs/JobEventsRepo.ts"
import { Jobs } from "../../../src/services/jobs/Jobs.ts"
import { as, aTenant, ended, JobEventsOverDatabase, submitted, type Tenant } from "../../support/jobs.ts"

const log = (job_id: JobId, detail: string) =>
  Effect.flatMap(JobEventsRepo, (repo) =>
    repo.append({ job_id, stage: "scan", type: "log", detail, data: null, at: "2026-06-01T00:00:00.000Z" })
  )

const stream = (tenant: Tenant, id: JobId, lastEventId?: number) =>
  Stream.unwrapScoped(Effect.flatMap(JobEvents, (events) => events.stream(id, lastEventId))).pipe(
    Stream.flattenIterables,
    Stream.provideService(Caller, tenant.caller)
  )

// The test clock stands still: what arrives live arrives by notification, not by the poll.
layer(JobEventsOverDatabase)("events of a job", (it) => {
  it.effect("begin with its being queued, by whom", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const { id } = yield* submitted(tenant)
      const events = yield* JobEvents
      assert.deepStrictEqual((yield* as(tenant)(events.list(id, {}))).data, [
        {
          ts: "1970-01-01T00:00:00.000Z",
          stage: "job",
          type: "status_changed",
          detail: "Queued.",
          data: { created_by: "ci", intended_status: "pending", attempt_number: 1 }
        }
      ])
    })
  )

  it.effect("go oldest first, page by page", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const { id } = yield* submitted(tenant)
      for (const detail of ["1", "2", "3", "4"]) yield* log(id, detail)
      const events = yield* JobEvents
      const first = yield* as(tenant)(events.list(id, { limit: 3 }))
      const second = yield* as(tenant)(events.list(id, { limit: 3, cursor: first.next_cursor! }))
      assert.deepStrictEqual(
        [first, second].map(({ data, has_more }) => [...data.map(({ detail }) => detail), has_more]),
        [
          ["Queued.", "1", "2", true],
          ["3", "4", false]
        ]
      )
    })
  )

  it.effect("written by many at once are numbered without gap or repeat", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const { id } = yield* submitted(tenant)
      yield* Effect.forEach(Array.from({ length: 60 }), (_, n) => log(id, String(n)), { concurrency: 60 })
      yield* ended(id, "completed")
      const seen = Chunk.toReadonlyArray(yield* Stream.runCollect(stream(tenant, id)))
      assert.deepStrictEqual(
        seen.map(({ seq }) => seq),
        Array.from({ length: 62 }, (_, n) => n + 1)
      )
    })
  )

  it.effect("hold text that the database cannot, corrected", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const { id } = yield* submitted(tenant)
      yield* log(id, "a\u0000b\ud800c")
      const events = yield* JobEvents
      assert.strictEqual((yield* as(tenant)(events.list(id, {}))).data[1]?.detail, "a\ufffdb\ufffdc")
    })
  )

  it.scoped("of another workspace's job do not exist", () =>
    Effect.gen(function* () {
      const [ours, theirs] = [yield* aTenant(), yield* aTenant()]
      const { id } = yield* submitted(ours)
      const events = yield* JobEvents
      assert.strictEqual((yield* Effect.flip(as(theirs)(events.list(id, {}))))._tag, "JobNotFound")
      assert.strictEqual((yield* Effect.flip(as(theirs)(events.stream(id))))._tag, "JobNotFound")
    })
  )
})

layer(JobEventsOverDatabase)("the live stream of a job's events", (it) => {
  it.scoped("shows each as it happens and ends after the last one", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const { id } = yield* submitted(tenant)
      const seen = yield* Queue.unbounded<string>()
      const fiber = yield* Effect.forkScoped(
        Stream.runForEach(stream(tenant, id), ({ seq, event }) => Queue.offer(seen, `${seq} ${event.detail}`))
      )
      assert.strictEqual(yield* Queue.take(seen), "1 Queued.")
      yield* log(id, "a")
      assert.strictEqual(yield* Queue.take(seen), "2 a")
      yield* Effect.all([log(id, "b"), log(id, "c")])
      assert.deepStrictEqual([yield* Queue.take(seen), yield* Queue.take(seen)], ["3 b", "4 c"])
      yield* as(tenant)(Effect.flatMap(Jobs, (jobs) => jobs.cancel(id)))
      assert.strictEqual(yield* Queue.take(seen), "5 Cancelled.")
      yield* Fiber.join(fiber)
    })
  )

  it.effect("resumed after any number gives exactly the rest, and nothing after the end", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const { id } = yield* submitted(tenant)
      for (const detail of ["a", "b"]) yield* log(id, detail)
      yield* ended(id, "failed")
      for (const last of [0, 1, 2, 3, 4, 5, 2 ** 31]) {
        const seen = Chunk.toReadonlyArray(yield* Stream.runCollect(stream(tenant, id, last)))
        assert.deepStrictEqual(
          seen.map(({ seq }) => seq),
          [1, 2, 3, 4].filter((seq) => seq > last)
        )
      }
    })
  )

  it.scoped("loses nothing of a burst written while many read", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const { id } = yield* submitted(tenant)
      const readers = yield* Effect.forEach(Array.from({ length: 8 }), () =>
        Effect.forkScoped(Stream.runCollect(Stream.map(stream(tenant, id), ({ seq }) => seq)))
      )
      yield* Effect.forEach(Array.from({ length: 150 }), (_, n) => log(id, String(n)), { concurrency: 4 })
      yield* ended(id, "completed")
      const expected = Array.from({ length: 152 }, (_, n) => n + 1)
      for (const reader of readers) assert.deepStrictEqual(Chunk.toReadonlyArray(yield* Fiber.join(reader)), expected)
    })
  )

  it.scoped("ends when the job's record is gone", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const { id } = yield* submitted(tenant)
      const started = yield* Queue.unbounded<number>()
      const fiber = yield* Effect.forkScoped(
        Stream.runForEach(stream(tenant, id), ({ seq }) => Queue.offer(started, seq))
      )
      yield* Queue.take(started)
      const sql = yield* SqlClient.SqlClient
      yield* sql`WITH gone AS (DELETE FROM jobs WHERE id = ${id}) SELECT pg_notify('job_events', ${id})`
      yield* Fiber.join(fiber)
    })
  )
})

layer(JobEventsOverDatabase)("waiting for a change of a job", (it) => {
  const waited = (tenant: Tenant, id: JobId, seconds: number) =>
    as(tenant)(Effect.flatMap(JobEvents, (events) => events.awaitChange(id, seconds)))

  it.scoped("ends with another stage or status, and not with any other event", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const sql = yield* SqlClient.SqlClient
      const { id } = yield* submitted(tenant)
      const atStage = (stage: string, done: number) =>
        sql`WITH changed AS (
              UPDATE jobs SET progress = ${JSON.stringify({ stage, done, total: 9 })}::jsonb WHERE id = ${id})
            SELECT pg_notify('job_events', ${id})`
      yield* atStage("scan", 1)
      const first = yield* Effect.forkScoped(waited(tenant, id, 25))
      for (let done = 2; done < 20; done++) yield* Effect.zip(log(id, "a"), atStage("scan", done))
      assert.isNull(first.unsafePoll())
      let stage = 0
      // It may not have read the job yet, and then compares with a later stage.
      yield* Effect.repeat(
        Effect.suspend(() => atStage(`stage ${stage++}`, 1)),
        { until: () => first.unsafePoll() !== null }
      )
      assert.match((yield* Fiber.join(first)).progress?.stage ?? "", /^stage /)
      const second = yield* Effect.forkScoped(waited(tenant, id, 25))
      yield* as(tenant)(Effect.flatMap(Jobs, (jobs) => jobs.cancel(id)))
      assert.strictEqual((yield* Fiber.join(second)).status, "cancelled")
    })
  )

  it.scoped("ends after its time with the job as it is, and at once for a job that has ended", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const { id } = yield* submitted(tenant)
      const fiber = yield* Effect.forkScoped(waited(tenant, id, 25))
      yield* Effect.repeat(TestClock.adjust("5 seconds"), { until: () => fiber.unsafePoll() !== null })
      assert.strictEqual((yield* Fiber.join(fiber)).status, "pending")
      yield* ended(id, "failed")
      assert.strictEqual((yield* waited(tenant, id, 25)).status, "failed")
    })
  )
})
