import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Option, TestClock } from "effect"
import { type JobId } from "../../../src/schema/Ids.ts"
import { JobEvents } from "../../../src/services/jobs/JobEvents.ts"
import { Jobs } from "../../../src/services/jobs/Jobs.ts"
import { JobsRepo } from "../../../src/services/jobs/JobsRepo.ts"
import { Stages } from "../../../src/services/jobs/Stages.ts"
import { StagesRepo } from "../../../src/services/jobs/StagesRepo.ts"
import { type StageContext, StageFailed, stage } from "../../../src/services/ports/Workflow.ts"
import { TestDatabase } from "../../support/Database.ts"
import { probeOverDatabase, start, story } from "../../support/jobEngine.ts"
import { as, aTenant } from "../../support/jobs.ts"
import { administer } from "../../support/TestPostgres.ts"

const claimed = Effect.gen(function* () {
  const tenant = yield* aTenant()
  const { id } = yield* start(tenant, "unused")
  const sql = yield* SqlClient.SqlClient
  const repo = yield* JobsRepo
  yield* sql`UPDATE jobs SET status = 'running' WHERE id = ${id}`
  return { tenant, job: Option.getOrThrow(yield* repo.open({ id, run: 1 })) }
})

/** A stage whose body reports its start and waits for a signal to continue. */
const held = Effect.gen(function* () {
  const inside = yield* Deferred.make<StageContext>()
  const goOn = yield* Deferred.make<void>()
  const run = stage("scan", (context) =>
    Effect.as(Effect.zipRight(Deferred.succeed(inside, context), Deferred.await(goOn)), { by: "held" })
  )
  return { run, inside: Deferred.await(inside), goOn: Deferred.succeed(goOn, undefined) }
})

const takeOver = (id: JobId, at = "1970-01-01T00:00:00.000Z") =>
  Effect.gen(function* () {
    const stages = yield* StagesRepo
    return Option.getOrThrow(yield* stages.start({ job_id: id, stage: "scan", run: 1, runner: "another", at }))
  })

/** Turns the clock step by step until the fiber is done; the database answers in its own time. */
const turningUntilDone = <A, E>(fiber: Fiber.Fiber<A, E>, step: "5 seconds") =>
  Effect.raceFirst(Fiber.join(fiber), Effect.forever(Effect.zipRight(TestClock.adjust(step), settled)))

const settled = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT 1`)

const tests = Stages.Default.pipe(Layer.provideMerge(probeOverDatabase))

/** On a connection of its own: every client uses the one of the transaction that it is called in. */
const terminated = (pid: number) =>
  Effect.flatMap(TestDatabase, ({ server }) => administer(server.url, `SELECT pg_terminate_backend(${pid}, 5000)`))

layer(tests)("a superseded execution of a stage", (it) => {
  it.scoped("writes nothing, whatever it tries", () =>
    Effect.gen(function* () {
      const { tenant, job } = yield* claimed
      const stages = yield* Stages
      const sql = yield* SqlClient.SqlClient
      const first = yield* held
      const zombie = yield* Effect.forkScoped(stages.run(job, first.run))
      const context = yield* first.inside
      assert.strictEqual((yield* takeOver(job.id)).fence, 2)
      const events = yield* story(tenant, job.id)

      const write = context.commit(Effect.die("must not run"))
      for (const attempt of [write, context.artifact.write("a", 1), context.recordCost(1)]) {
        assert.strictEqual((yield* Effect.flip(attempt))._tag, "Superseded")
      }
      yield* context.progress(1, 1)
      yield* context.log("still here")
      yield* first.goOn
      yield* settled
      assert.deepStrictEqual(yield* story(tenant, job.id), events)
      assert.deepStrictEqual(yield* sql`SELECT cost_usd, progress FROM jobs WHERE id = ${job.id}`, [
        { cost_usd: 0, progress: null }
      ])
      assert.deepStrictEqual(yield* sql`SELECT 1 FROM job_artifacts WHERE job_id = ${job.id}`, [])
      assert.isTrue(Option.isNone(yield* Fiber.poll(zombie)))
    })
  )

  it.scoped("answers only when the other one is done", () =>
    Effect.gen(function* () {
      const { job } = yield* claimed
      const stages = yield* Stages
      const repo = yield* StagesRepo
      const first = yield* held
      const zombie = yield* Effect.forkScoped(stages.run(job, first.run))
      yield* first.inside
      yield* takeOver(job.id)
      yield* first.goOn
      const key = { job_id: job.id, stage: "scan" }
      const output = { by: "another" }
      yield* repo.finish({ ...key, run: 1, fence: 2, output, at: "1970-01-01T00:00:00.000Z" })
      assert.strictEqual(yield* turningUntilDone(zombie, "5 seconds"), "done")
      assert.deepStrictEqual(yield* repo.output(key), Option.some({ by: "another" }))
    })
  )

  it.scoped("takes over again when the other one falls silent, whatever clock that one goes by", () =>
    Effect.gen(function* () {
      const { job } = yield* claimed
      const stages = yield* Stages
      const repo = yield* StagesRepo
      const sql = yield* SqlClient.SqlClient
      const first = yield* held
      const zombie = yield* Effect.forkScoped(stages.run(job, first.run))
      yield* first.inside
      yield* takeOver(job.id, "2100-01-01T00:00:00.000Z")
      yield* first.goOn
      yield* sql`UPDATE job_stages SET seen_at = clock_timestamp() - interval '61 seconds' WHERE job_id = ${job.id}`
      assert.strictEqual(yield* turningUntilDone(zombie, "5 seconds"), "done")
      assert.deepStrictEqual(yield* repo.output({ job_id: job.id, stage: "scan" }), Option.some({ by: "held" }))
    })
  )

  it.scoped("waits while the other one reports, whatever time of day it believes", () =>
    Effect.gen(function* () {
      const { job } = yield* claimed
      const repo = yield* StagesRepo
      yield* takeOver(job.id, "1970-01-01T00:00:00.000Z")
      const state = Option.getOrThrow(yield* repo.look({ job_id: job.id, stage: "scan" }))
      assert.isBelow(state.silent_seconds, 60)
    })
  )
})

layer(tests)("a stage that records its cost every two seconds", (it) => {
  it.scoped("has an event of it at most every 30 seconds and at its end, readable, to six decimals", () =>
    Effect.gen(function* () {
      const { tenant, job } = yield* claimed
      const stages = yield* Stages
      const started = yield* TestClock.currentTimeMillis
      const usd = 0.000005280150000000001
      const recording = stage("scan", ({ recordCost }) =>
        Effect.forEach(
          Array.from({ length: 40 }),
          () => Effect.zipRight(recordCost(usd), TestClock.adjust("2 seconds")),
          { discard: true }
        ).pipe(Effect.as({ by: "scan" }))
      )
      assert.strictEqual(yield* stages.run(job, recording), "done")
      const { data } = yield* Effect.flatMap(JobEvents, (events) => events.list(job.id, { limit: 200 })).pipe(
        as(tenant)
      )
      const costs = data.filter(({ type }) => type === "cost_recorded")
      assert.deepStrictEqual(
        costs.map(({ ts, detail, data }) => [Date.parse(ts) - started, detail, data?.cost_usd]),
        [
          [30_000, "Cost 0.000084 USD more.", 0.000084],
          [60_000, "Cost 0.000080 USD more.", 0.00008],
          [80_000, "Cost 0.000047 USD more.", 0.000047]
        ]
      )
      assert.strictEqual(data.at(-1)?.type, "stage_completed")
      const { cost_usd } = yield* Effect.flatMap(Jobs, (jobs) => jobs.get(job.id)).pipe(as(tenant))
      assert.approximately(cost_usd, 40 * usd, 1e-12)
    })
  )

  it.scoped("has an event of what it cost before it failed", () =>
    Effect.gen(function* () {
      const { tenant, job } = yield* claimed
      const stages = yield* Stages
      const failing = stage("scan", ({ recordCost }) =>
        Effect.zipRight(
          recordCost(0.5),
          Effect.fail(new StageFailed({ failure_kind: "timeout", message: "Too slow." }))
        )
      )
      assert.strictEqual(yield* stages.run(job, failing), "stopped")
      assert.deepStrictEqual((yield* story(tenant, job.id)).slice(-3), [
        "scan cost_recorded",
        "scan stage_failed",
        "job status_changed failed"
      ])
    })
  )
})

layer(tests)("a stage", (it) => {
  it.scoped("of a run that was given up does not begin", () =>
    Effect.gen(function* () {
      const { job } = yield* claimed
      const stages = yield* Stages
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE jobs SET run = 2 WHERE id = ${job.id}`
      assert.strictEqual(
        yield* stages.run(
          job,
          stage("scan", () => Effect.die("must not run"))
        ),
        "stopped"
      )
      assert.isTrue(Option.isNone(yield* stages.open({ id: job.id, run: 1 })))
    })
  )

  it.scoped("that finished before is not run again", () =>
    Effect.gen(function* () {
      const { job } = yield* claimed
      const stages = yield* Stages
      assert.strictEqual(
        yield* stages.run(
          job,
          stage("scan", () => Effect.succeed({}))
        ),
        "done"
      )
      assert.strictEqual(
        yield* stages.run(
          job,
          stage("scan", () => Effect.die("must not run"))
        ),
        "done"
      )
    })
  )

  it.scoped("survives the loss of its database connections", () =>
    Effect.gen(function* () {
      const { tenant, job } = yield* claimed
      const stages = yield* Stages
      const sql = yield* SqlClient.SqlClient
      const database = yield* Effect.context<TestDatabase>()
      let runs = 0
      const losing = stage("scan", (context) =>
        Effect.gen(function* () {
          runs++
          yield* context.commit(
            Effect.gen(function* () {
              yield* sql`UPDATE repositories SET last_audit_sha = ${`run ${runs}`} WHERE id = ${tenant.repository_id}`
              const [{ pid } = { pid: 0 }] = yield* sql<{ readonly pid: number }>`SELECT pg_backend_pid() AS pid`
              if (runs === 1) yield* Effect.provide(terminated(pid), database)
              yield* sql`SELECT 1`
            }).pipe(Effect.orDie)
          )
          return { runs }
        })
      )
      const fiber = yield* Effect.forkScoped(stages.run(job, losing))
      assert.strictEqual(yield* turningUntilDone(fiber, "5 seconds"), "done")
      const rows = yield* sql`SELECT last_audit_sha FROM repositories WHERE id = ${tenant.repository_id}`
      assert.deepStrictEqual([runs, rows], [2, [{ last_audit_sha: "run 2" }]])
    })
  )
})
