import { existsSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Option } from "effect"
import { Dispatcher } from "../../src/services/jobs/Dispatcher.ts"
import { Jobs } from "../../src/services/jobs/Jobs.ts"
import { Notifications } from "../../src/services/ports/Notifications.ts"
import { StageFailed } from "../../src/services/ports/Workflow.ts"
import { Retention } from "../../src/services/retention/Retention.ts"
import { asOwner } from "../support/Database.ts"
import { begun, engineOverDatabase, start, story, whenEnded, whenJob } from "../support/jobEngine.ts"
import { as, aTenant, until } from "../support/jobs.ts"

const wakeDispatcher = Effect.flatMap(Notifications, ({ notify }) => notify("job_dispatch", "-"))

const owned = (statement: string) => asOwner(Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(statement)))

// The engine's own timers need real time.
layer(engineOverDatabase(), { excludeTestServices: true })("a job", (it) => {
  it.effect("runs its stages in order, reports each in events, and completes with the last output as its result", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const { id, status } = yield* start(tenant, "plain", () => Effect.succeed({ found: 3 }))
      assert.strictEqual(status, "pending")
      const job = yield* whenEnded(tenant, id)
      assert.deepStrictEqual([job.status, job.result], ["completed", { found: 3, recorded: true }])
      assert.isNotNull(job.started_at)
      assert.deepStrictEqual(yield* story(tenant, id), [
        "job status_changed pending",
        "job status_changed running",
        "prepare stage_started",
        "prepare stage_completed",
        "scan stage_started",
        "scan stage_completed",
        "record stage_started",
        "record stage_completed",
        "job status_changed completed"
      ])
    })
  )

  it.effect("keeps artifacts, progress, log lines and cost of its stages", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const content = { text: "\u0000 \ud800 ä".repeat(1000) }
      const { id } = yield* start(tenant, "reporting", (stage) =>
        Effect.gen(function* () {
          yield* stage.artifact.write("inventory", { old: true })
          yield* stage.artifact.write("inventory", content)
          yield* stage.phase("reading")
          for (let done = 0; done <= 1000; done++) yield* stage.progress(done, 1000)
          yield* stage.log("half way")
          yield* stage.recordCost(0.25)
          yield* stage.recordCost(0.5)
          const read = Option.getOrThrow(yield* stage.artifact.read("inventory"))
          const none = yield* stage.artifact.read("nothing")
          return { same: JSON.stringify(read) === JSON.stringify(content), none: Option.isNone(none) }
        })
      )
      const job = yield* whenEnded(tenant, id)
      assert.deepStrictEqual(job.result, { same: true, none: true, recorded: true })
      assert.deepStrictEqual([job.progress, job.cost_usd], [{ stage: "reading", done: 1000, total: 1000 }, 0.75])
      const events = yield* story(tenant, id)
      const count = (type: string) => events.filter((line) => line === `scan ${type}`).length
      assert.deepStrictEqual([count("artifact_written"), count("log"), count("cost_recorded")], [2, 1, 1])
      const ofPhase = events.filter((line) => line.startsWith("reading "))
      assert.strictEqual(ofPhase[0], "reading stage_started")
      assert.isBelow(ofPhase.length, 10)
    })
  )

  it.effect("fails with the failure kind of the stage that failed", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const { id } = yield* start(
        tenant,
        "failing",
        () => new StageFailed({ failure_kind: "clone_failed", message: "No such branch.\u0000" })
      )
      const job = yield* whenEnded(tenant, id)
      assert.deepStrictEqual(
        [job.status, job.failure_kind, job.error, job.retryable],
        ["failed", "clone_failed", "No such branch.\ufffd", true]
      )
      assert.deepStrictEqual((yield* story(tenant, id)).slice(-2), ["scan stage_failed", "job status_changed failed"])
    })
  )

  it.effect("whose stage has a bug fails as internal and does not hang", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const sql = yield* SqlClient.SqlClient
      const bugs = {
        dies: () => Effect.die(new Error("secret detail")),
        throws: () => {
          throw new Error("secret detail")
        },
        interruptsItself: () => Effect.interrupt,
        sends: () => Effect.orDie(Effect.as(sql`SELECT 1/0`, {}))
      }
      for (const [name, bug] of Object.entries(bugs)) {
        const { id } = yield* start(tenant, name, bug)
        const job = yield* whenEnded(tenant, id)
        assert.deepStrictEqual([job.status, job.failure_kind], ["failed", "internal"], name)
        assert.notInclude(job.error ?? "", "secret")
        assert.strictEqual(begun.get(`${id}/scan`), 1, name)
      }
    })
  )

  it.effect("that meets a full disk fails as disk_full and may be retried", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const sql = yield* SqlClient.SqlClient
      const full = {
        inDatabase: () =>
          Effect.orDie(Effect.as(sql`DO $$ BEGIN RAISE 'could not extend file' USING ERRCODE = '53100'; END $$`, {})),
        inFile: () =>
          Effect.promise(() => writeFile("/dev/full", "x")).pipe(
            Effect.as({}),
            // Where there is no device that is always full, its error is made by hand.
            Effect.catchAllDefect((error) =>
              Effect.die(existsSync("/dev/full") ? error : Object.assign(new Error("full"), { code: "ENOSPC" }))
            )
          )
      }
      for (const [name, write] of Object.entries(full)) {
        const { id } = yield* start(tenant, name, write)
        const job = yield* whenEnded(tenant, id)
        assert.deepStrictEqual([job.status, job.failure_kind, job.retryable], ["failed", "disk_full", true], name)
        assert.strictEqual(begun.get(`${id}/scan`), 1, name)
      }
    })
  )

  it.effect("that is cancelled stops its running stage at once, and nothing of it is written any more", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const interrupted = yield* Deferred.make<void>()
      const { id } = yield* start(tenant, "endless", () =>
        Effect.onInterrupt(Effect.never, () => Deferred.succeed(interrupted, undefined))
      )
      yield* whenJob(tenant, id, () => begun.has(`${id}/scan`))
      const answer = yield* as(tenant)(Effect.flatMap(Jobs, (jobs) => jobs.cancel(id)))
      assert.deepStrictEqual(answer, { ok: true, status: "cancelled" })
      // The poll that a lost notification costs is longer.
      yield* Effect.timeout(Deferred.await(interrupted), "1 minute")
      assert.strictEqual((yield* story(tenant, id)).at(-1), "job status_changed cancelled")
    })
  )

  it.effect("that is cancelled during a commit keeps all of it or nothing", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const sql = yield* SqlClient.SqlClient
      const inside = yield* Deferred.make<void>()
      const goOn = yield* Deferred.make<void>()
      const { id } = yield* start(tenant, "committing", (stage) =>
        Effect.gen(function* () {
          yield* stage.commit(
            Effect.gen(function* () {
              yield* Effect.orDie(
                sql`UPDATE repositories SET last_audit_sha = 'first' WHERE id = ${tenant.repository_id}`
              )
              yield* Deferred.succeed(inside, undefined)
              yield* Deferred.await(goOn)
            })
          )
          yield* Effect.never
          return {}
        })
      )
      yield* Deferred.await(inside)
      const cancelling = yield* Effect.fork(as(tenant)(Effect.flatMap(Jobs, (jobs) => jobs.cancel(id))))
      yield* Deferred.succeed(goOn, undefined)
      assert.isTrue((yield* Fiber.join(cancelling)).ok)
      const rows = yield* sql`SELECT last_audit_sha FROM repositories WHERE id = ${tenant.repository_id}`
      assert.deepStrictEqual(rows, [{ last_audit_sha: "first" }])
    })
  )

  it.effect("whose execution ended without ending it goes on in the next run, skipping finished stages", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const sql = yield* SqlClient.SqlClient
      const { id } = yield* start(tenant, "healed", () => Effect.succeed({ found: 1 }))
      yield* whenEnded(tenant, id)
      // What a lost reply looks like: the engine is done, the last stage and the job are not.
      const lose = Effect.zipRight(
        sql`WITH s AS (
            UPDATE job_stages SET seen_at = seen_at - interval '1 minute',
              finished_at = CASE WHEN stage <> 'record' THEN finished_at END,
              output = CASE WHEN stage <> 'record' THEN output END
            WHERE job_id = ${id})
          UPDATE jobs SET status = 'running', finished_at = NULL, result = NULL WHERE id = ${id}`,
        wakeDispatcher
      )
      yield* lose
      const job = yield* whenEnded(tenant, id)
      assert.deepStrictEqual([job.status, job.result], ["completed", { found: 1, recorded: true }])
      assert.deepStrictEqual(
        ["prepare", "scan", "record"].map((stage) => begun.get(`${id}/${stage}`)),
        [1, 1, 2]
      )
      assert.deepStrictEqual((yield* story(tenant, id)).slice(9), [
        "job attempt_started",
        "prepare stage_skipped",
        "scan stage_skipped",
        "record stage_started",
        "record stage_completed",
        "job status_changed completed"
      ])

      yield* lose
      assert.strictEqual((yield* whenEnded(tenant, id)).status, "completed")
      yield* lose
      const given = yield* whenEnded(tenant, id)
      assert.deepStrictEqual([given.status, given.failure_kind], ["failed", "worker_lost"])
    })
  )

  it.effect("that a worker has read and lost is read again as soon as its silence is noticed", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const sql = yield* SqlClient.SqlClient
      // As if another worker had read each message at once, a minute ago.
      yield* owned(`CREATE FUNCTION engine.read_and_lost() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN NEW.last_read := now() - interval '1 minute'; RETURN NEW; END $$`)
      yield* owned(`CREATE TRIGGER read_and_lost BEFORE INSERT ON engine.cluster_messages
        FOR EACH ROW EXECUTE FUNCTION engine.read_and_lost()`)
      const { id } = yield* start(tenant, "lost", () => Effect.succeed({}))
      yield* until(
        sql`SELECT 1 FROM engine.cluster_messages WHERE tag = 'run' AND payload LIKE ${`%${id}%`}`,
        (rows) => rows.length === 1
      )
      yield* owned("DROP TRIGGER read_and_lost ON engine.cluster_messages")
      assert.isFalse(begun.has(`${id}/prepare`))
      yield* sql`UPDATE jobs SET started_at = started_at - interval '1 minute' WHERE id = ${id}`
      yield* wakeDispatcher
      assert.strictEqual((yield* whenEnded(tenant, id)).status, "completed")
      assert.strictEqual(begun.get(`${id}/prepare`), 1)
    })
  )

  it.effect("leaves nothing in the engine's tables a day after its end", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const retention = yield* Retention
      const tenant = yield* aTenant()
      const [old, recent] = [
        yield* start(tenant, "old", () => Effect.succeed({})),
        yield* start(tenant, "recent", () => Effect.succeed({}))
      ]
      for (const { id } of [old, recent]) yield* whenEnded(tenant, id)
      const runsOf = (id: string) =>
        Effect.map(
          sql<{ n: number }>`
            SELECT count(*) AS n FROM engine.cluster_messages r JOIN engine.cluster_messages m USING (entity_id)
            WHERE r.tag = 'run' AND r.payload LIKE ${`%${id}%`}`,
          ([row]) => row!.n
        )
      // The reply to the run is stored a moment after the job's row.
      yield* until(
        sql`SELECT 1 FROM engine.cluster_messages WHERE tag = 'run' AND NOT processed`,
        (rows) => rows.length === 0
      )
      yield* sql`UPDATE jobs SET finished_at = finished_at - interval '25 hours' WHERE id = ${old.id}`
      assert.strictEqual(yield* runsOf(old.id), 1)
      yield* retention.sweep()
      assert.deepStrictEqual([yield* runsOf(old.id), yield* runsOf(recent.id)], [0, 1])
    })
  )
})

const limits = { queuedPerWorkspace: 20, runningPerWorkspace: 2, runningPerRepository: 2, running: 5, slots: 5 }

layer(engineOverDatabase(limits), { excludeTestServices: true })("caps", (it) => {
  it.effect("of running jobs per workspace and in all are never exceeded, and every job gets its turn", () =>
    Effect.gen(function* () {
      const tenants = yield* Effect.all([aTenant(), aTenant(), aTenant(), aTenant()])
      const running = new Map<string, number>()
      const maxima = { workspace: 0, all: 0 }
      const full = yield* Deferred.make<void>()
      const change = (workspace: string, by: number) =>
        Effect.suspend(() => {
          running.set(workspace, (running.get(workspace) ?? 0) + by)
          const counts = [...running.values()]
          maxima.workspace = Math.max(maxima.workspace, ...counts)
          maxima.all = Math.max(
            maxima.all,
            counts.reduce((a, b) => a + b, 0)
          )
          return maxima.all === limits.running ? Deferred.succeed(full, undefined) : Effect.void
        })
      const ids = yield* Effect.forEach(
        tenants.flatMap((tenant) => [1, 2, 3, 4].map((n) => ({ tenant, n }))),
        ({ tenant, n }) =>
          Effect.map(
            start(tenant, `capped ${n}`, ({ job }) =>
              Effect.acquireUseRelease(
                change(job.workspace_id, 1),
                // The first ones wait until as many run as may.
                () => Effect.as(Deferred.await(full), {}),
                () => change(job.workspace_id, -1)
              )
            ),
            ({ id }) => ({ tenant, id })
          ),
        { concurrency: 8 }
      )
      const ends = yield* Effect.forEach(ids, ({ tenant, id }) => whenEnded(tenant, id), { concurrency: 8 })
      assert.deepStrictEqual([...new Set(ends.map(({ status }) => status))], ["completed"])
      assert.deepStrictEqual(maxima, { workspace: 2, all: 5 })
    })
  )
})

const moreThanSlots = { ...limits, runningPerWorkspace: 4, runningPerRepository: 4, running: 4, slots: 2 }

layer(engineOverDatabase(moreThanSlots), { excludeTestServices: true })("the process that runs all jobs", (it) => {
  it.effect("starts none that would wait for a slot", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const sql = yield* SqlClient.SqlClient
      const { tick } = yield* Dispatcher
      const goOn = yield* Deferred.make<void>()
      const jobs = yield* Effect.forEach([1, 2, 3, 4], (n) =>
        start(tenant, `held ${n}`, () => Effect.as(Deferred.await(goOn), {}))
      )
      yield* tick("silent")
      assert.deepStrictEqual(yield* sql`SELECT status, count(*) AS n FROM jobs GROUP BY status ORDER BY status`, [
        { status: "pending", n: 2 },
        { status: "running", n: 2 }
      ])
      yield* Deferred.succeed(goOn, undefined)
      for (const { id } of jobs) assert.strictEqual((yield* whenEnded(tenant, id)).status, "completed")
    })
  )
})
