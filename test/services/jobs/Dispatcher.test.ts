import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Layer, Option, Queue, Ref, Stream, TestClock } from "effect"
import { Dispatcher } from "../../../src/services/jobs/Dispatcher.ts"
import { type JobRun, JobRuns } from "../../../src/services/jobs/JobRuns.ts"
import { Notifications } from "../../../src/services/ports/Notifications.ts"
import { aTenant, JobsOverDatabase, submitted } from "../../support/jobs.ts"

class Engine extends Effect.Service<Engine>()("test/Engine", {
  effect: Effect.gen(function* () {
    return { sent: yield* Queue.unbounded<JobRun>(), ended: yield* Ref.make(false) }
  })
}) {}

const engine = Layer.effect(
  JobRuns,
  Effect.map(Engine, ({ sent, ended }) => ({
    sender: Effect.succeed((run: JobRun) => Effect.asVoid(Queue.offer(sent, run))),
    resend: () => Effect.void,
    hasEnded: () => Ref.get(ended),
    forget: () => Effect.succeed(0)
  }))
)

const ids = (sent: Iterable<JobRun>) => Array.from(sent, ({ id }) => id)

/** No word ever arrives: only the clock wakes the dispatcher. */
const deaf = Layer.succeed(Notifications, {
  subscribe: () => Effect.never,
  watch: () => Stream.never,
  listen: () => Stream.never,
  notify: () => Effect.void
})

/** Completed by the test to deliver one notification. */
class Word extends Effect.Service<Word>()("test/Word", { effect: Deferred.make<void>() }) {}
const once = Layer.effect(
  Notifications,
  Effect.map(Word, (word) => ({
    subscribe: () => Effect.never,
    watch: () => Stream.fromEffect(Effect.as(Deferred.await(word), Option.some("-"))),
    listen: () => Stream.never,
    notify: () => Effect.void
  }))
)

const dispatcher = Dispatcher.Default.pipe(Layer.provide(engine), Layer.provideMerge(Engine.Default))

layer(dispatcher.pipe(Layer.provide(deaf), Layer.provideMerge(JobsOverDatabase)))("without a wake", (it) => {
  it.scoped("a pending job starts at the next tick, not before", () =>
    Effect.gen(function* () {
      const { loop } = yield* Dispatcher
      const { sent } = yield* Engine
      const tenant = yield* aTenant()
      const before = yield* submitted(tenant)
      yield* Effect.forkScoped(loop)
      // Sent when it is claimed, and as one of the jobs that a predecessor may have left unsent.
      assert.deepStrictEqual(yield* Queue.takeN(sent, 2).pipe(Effect.map(ids)), [before.id, before.id])

      const after = yield* submitted(tenant, "audit")
      yield* TestClock.adjust("29 seconds")
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(yield* sql`SELECT status FROM jobs WHERE id = ${after.id}`, [{ status: "pending" }])
      yield* TestClock.adjust("1 second")
      yield* Effect.repeat(Queue.take(sent), { until: ({ id }) => id === after.id })
    })
  )
})

layer(dispatcher.pipe(Layer.provide(deaf), Layer.provideMerge(JobsOverDatabase)))("beside the ticks", (it) => {
  it.scoped("a job of which no stage reports is sent again within three seconds", () =>
    Effect.gen(function* () {
      const { loop } = yield* Dispatcher
      const { sent } = yield* Engine
      const { id } = yield* submitted(yield* aTenant())
      yield* Effect.forkScoped(loop)
      yield* Queue.takeN(sent, 2)
      // By the database's clock, the job began long ago.
      yield* TestClock.adjust("3 seconds")
      assert.strictEqual((yield* Queue.take(sent)).id, id)
    })
  )
})

layer(dispatcher.pipe(Layer.provide(once), Layer.provideMerge(Word.Default), Layer.provideMerge(JobsOverDatabase)))(
  "woken by a submission",
  (it) => {
    it.scoped("the dispatcher starts a pending job at once", () =>
      Effect.gen(function* () {
        const { loop } = yield* Dispatcher
        const { sent } = yield* Engine
        const tenant = yield* aTenant()
        const before = yield* submitted(tenant)
        yield* Effect.forkScoped(loop)
        assert.deepStrictEqual(yield* Queue.takeN(sent, 2).pipe(Effect.map(ids)), [before.id, before.id])
        const after = yield* submitted(tenant, "audit")
        yield* Deferred.succeed(yield* Word, undefined)
        assert.strictEqual((yield* Queue.take(sent)).id, after.id)
      })
    )
  }
)

layer(dispatcher.pipe(Layer.provide(deaf), Layer.provideMerge(JobsOverDatabase)))("a tick", (it) => {
  it.effect("gives a job that the engine lost three runs, then fails it as worker_lost", () =>
    Effect.gen(function* () {
      const { tick } = yield* Dispatcher
      const { sent, ended } = yield* Engine
      const sql = yield* SqlClient.SqlClient
      const { id } = yield* submitted(yield* aTenant())
      yield* Ref.set(ended, true)
      for (const _ of [1, 2, 3]) yield* tick("silent")
      assert.deepStrictEqual(yield* sql`SELECT status, run, failure_kind FROM jobs WHERE id = ${id}`, [
        { status: "failed", run: 3, failure_kind: "worker_lost" }
      ])
      assert.deepStrictEqual(
        [...(yield* Queue.takeAll(sent))].map(({ run }) => run),
        [1, 1, 2, 2, 3, 3]
      )
      yield* Ref.set(ended, false)
    })
  )

  it.effect("sends no job again whose stage reports that it runs", () =>
    Effect.gen(function* () {
      const { tick } = yield* Dispatcher
      const { sent } = yield* Engine
      const sql = yield* SqlClient.SqlClient
      const { id } = yield* submitted(yield* aTenant())
      yield* tick("silent")
      yield* Queue.takeAll(sent)
      yield* sql`INSERT INTO job_stages (job_id, stage, fence, runner, started_at, seen_at)
        VALUES (${id}, 'scan', 1, 'another', clock_timestamp(), clock_timestamp())`
      yield* tick("silent")
      assert.notInclude(ids(yield* Queue.takeAll(sent)), id)
      yield* tick("all")
      assert.include(ids(yield* Queue.takeAll(sent)), id)
      yield* sql`UPDATE jobs SET status = 'failed', finished_at = started_at WHERE id = ${id}`
    })
  )

  it.effect("leaves jobs of suspended workspaces and of workflows that are not served in the queue", () =>
    Effect.gen(function* () {
      const { tick } = yield* Dispatcher
      const sql = yield* SqlClient.SqlClient
      const [suspended, unserved] = [yield* aTenant(), yield* aTenant()]
      const jobs = [yield* submitted(suspended), yield* submitted(unserved)]
      yield* sql`UPDATE workspaces SET suspended_at = created_at WHERE id = ${suspended.caller.workspace_id}`
      yield* sql`UPDATE jobs SET workflow = 'review' WHERE id = ${jobs[1]!.id}`
      yield* tick("silent")
      for (const { id } of jobs) {
        assert.deepStrictEqual(yield* sql`SELECT status FROM jobs WHERE id = ${id}`, [{ status: "pending" }])
      }
    })
  )
})
