import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Deferred, Duration, Effect, Fiber, Layer, Option, Ref, TestClock } from "effect"
import { storageChecks } from "../../../src/layers/checks/storageChecks.ts"
import { JobRuns } from "../../../src/services/jobs/JobRuns.ts"
import { Retention } from "../../../src/services/retention/Retention.ts"
import { RetentionRepo } from "../../../src/services/retention/RetentionRepo.ts"
import { type KeptFor, RetentionSettings } from "../../../src/services/retention/RetentionSettings.ts"
import { asOwner } from "../../support/Database.ts"
import { aTenant, JobsOverDatabase, submitted } from "../../support/jobs.ts"
import { NoticeWriterLive } from "../../support/notices.ts"

/** What the engine was asked to forget. */
class Forgotten extends Effect.Service<Forgotten>()("test/Forgotten", {
  effect: Ref.make<ReadonlyArray<{ readonly before: string; readonly most: number }>>([])
}) {}

const engine = Layer.effect(
  JobRuns,
  Effect.map(Forgotten, (asked) => ({
    sender: Effect.succeed(() => Effect.void),
    resend: () => Effect.void,
    hasEnded: () => Effect.succeed(false),
    // Two full batches, and the rest.
    forget: (request: { readonly before: string; readonly most: number }) =>
      Effect.map(
        Ref.updateAndGet(asked, (before) => [...before, request]),
        (all) => (all.length % 3 === 0 ? 1 : request.most)
      )
  }))
)

const days = (n: number) => Duration.days(n)
const set: KeptFor = { events: days(30), artifacts: days(60), outbox: days(30), auditLog: null }

const retention = (kept: KeptFor) =>
  Retention.Default.pipe(
    Layer.provide(Layer.succeed(RetentionSettings, kept)),
    Layer.provide(NoticeWriterLive),
    Layer.provide(engine),
    Layer.provideMerge(RetentionRepo.Default),
    Layer.provideMerge(Forgotten.Default)
  )

const now = "2026-06-01T00:00:00Z"
const ago = (n: number) => new Date(Date.parse(now) - n * 86_400_000).toISOString()

/** A job that ended so many days ago, with events and artifacts. */
const ended = (daysAgo: number, events = 2) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const tenant = yield* aTenant()
    const { id } = yield* submitted(tenant)
    yield* sql`UPDATE jobs SET status = 'completed', finished_at = ${ago(daysAgo)} WHERE id = ${id}`
    yield* sql`DELETE FROM job_events WHERE job_id = ${id}`
    yield* sql`INSERT INTO job_events (job_id, seq, ts, stage, type)
      SELECT ${id}, n, ${ago(daysAgo)}, 'scan', 'log' FROM generate_series(1, ${events}::int) n`
    yield* sql`INSERT INTO job_artifacts (job_id, namespace, content, content_hash, created_at, name, content_type, size)
      VALUES (${id}, 'handover', '', '', ${ago(daysAgo)}, NULL, NULL, NULL),
        (${id}, 'report', '', '', ${ago(daysAgo)}, 'report.sarif', 'application/json', 0)`
    return { id, workspace_id: tenant.caller.workspace_id }
  })

const countOf = (table: string, id: string, condition = "true") =>
  Effect.map(
    Effect.flatMap(SqlClient.SqlClient, (sql) =>
      sql.unsafe<{ n: number }>(`SELECT count(*)::int AS n FROM ${table} WHERE job_id = '${id}' AND ${condition}`)
    ),
    ([row]) => row!.n
  )

const sweptAt = (at: string) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(Date.parse(at))
    yield* (yield* Retention).sweep()
  })

const runOf = (kind: string) =>
  Effect.map(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) =>
        sql<{ deleted: number; deleted_in_all: number; reached: string | null }>`
        SELECT deleted::int AS deleted, deleted_in_all::int AS deleted_in_all, reached FROM retention_runs WHERE kind = ${kind}`
    ),
    ([row]) => row
  )

layer(retention(set).pipe(Layer.provideMerge(JobsOverDatabase)))("retention", (it) => {
  it.effect(
    "deletes what ended jobs left for longer than the settings say, of every workspace, and nothing of others",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const [old, aged, recent] = [yield* ended(61), yield* ended(31), yield* ended(6)]
        const running = yield* submitted(yield* aTenant())
        const tables = (id: string) =>
          Effect.all([
            countOf("job_events", id),
            countOf("job_artifacts", id, "name IS NULL"),
            countOf("job_artifacts", id, "name IS NOT NULL")
          ])
        yield* sweptAt(now)
        assert.deepStrictEqual(yield* tables(old.id), [0, 0, 0])
        assert.deepStrictEqual(yield* tables(aged.id), [0, 0, 1])
        assert.deepStrictEqual(yield* tables(recent.id), [2, 1, 1])
        assert.isAbove(yield* countOf("job_events", running.id), 0)
        assert.lengthOf(yield* sql`SELECT 1 FROM jobs WHERE id IN ${sql.in([old.id, aged.id])}`, 2)
      })
  )

  it.effect("deletes more than a batch, a bounded number of rows at a time, and goes on where it ended", () =>
    Effect.gen(function* () {
      const repo = yield* RetentionRepo
      const many = yield* ended(40, 4_500)
      const other = yield* ended(39, 3)
      const beginning = { at: "-infinity", id: "00000000-0000-0000-0000-000000000000" }
      const batch = yield* repo.deleteEvents({ before: ago(30), most: 2_000, after: beginning })
      assert.strictEqual(Option.getOrThrow(batch).deleted, 2_000)
      assert.strictEqual(yield* countOf("job_events", many.id), 2_500)
      // The run before has passed these jobs' ends already.
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE retention_runs SET reached = NULL WHERE kind = 'events'`
      yield* sweptAt(now)
      assert.deepStrictEqual([yield* countOf("job_events", many.id), yield* countOf("job_events", other.id)], [0, 0])
      const run = yield* runOf("events")
      assert.deepStrictEqual([run?.deleted, run?.reached], [2_503, ago(30)])
      yield* sweptAt(now)
      assert.strictEqual((yield* runOf("events"))?.deleted, 0)
      assert.isAtLeast((yield* runOf("events"))?.deleted_in_all ?? 0, 2_503)
    })
  )

  it.effect("skips rows that another transaction holds, and deletes them in the next run", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenant = yield* aTenant()
      const { workspace_id } = tenant.caller
      const mail = (id: number, status: string, at: string) =>
        sql`INSERT INTO outbox_mails (id, workspace_id, "to", subject, text, status, created_at, next_attempt_at, sent_at)
          VALUES (${`018f2f2c-0000-7000-8000-00000000000${id}`}, ${workspace_id}, 'a@example.org', '', '', ${status}, ${at},
            ${at}, ${status === "sent" ? at : null})`
      yield* mail(1, "sent", ago(31))
      yield* mail(2, "failed", ago(31))
      yield* mail(3, "pending", ago(31))
      yield* mail(4, "sent", ago(29))
      const left = Effect.map(
        sql<{ id: string }>`SELECT id FROM outbox_mails WHERE workspace_id = ${workspace_id} ORDER BY id`,
        (rows) => rows.map(({ id }) => Number(id.at(-1)))
      )
      const [locked, release] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const holding = Effect.flatMap(SqlClient.SqlClient, (holder) =>
        holder.withTransaction(
          Effect.gen(function* () {
            yield* holder`SELECT 1 FROM outbox_mails WHERE status = 'failed' FOR UPDATE`
            yield* Deferred.succeed(locked, undefined)
            yield* Deferred.await(release)
          })
        )
      )
      const holder = yield* Effect.fork(asOwner(holding))
      yield* Deferred.await(locked)
      yield* sweptAt(now)
      assert.deepStrictEqual(yield* left, [2, 3, 4])
      yield* Deferred.succeed(release, undefined)
      yield* Fiber.join(holder)
      yield* sweptAt(now)
      assert.deepStrictEqual(yield* left, [3, 4])
    })
  )

  it.effect("counts from the end of a job, whatever time the job's ID names, and keeps all of one that runs", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [early, late] = ["00000000-0001-7000-8000-000000000001", "ffffffff-fffe-7000-8000-000000000001"]
      const withId = (id: string, status: "completed" | "running", daysAgo: number) =>
        Effect.gen(function* () {
          const job = yield* submitted(yield* aTenant())
          yield* sql`DELETE FROM job_events WHERE job_id = ${job.id}`
          yield* sql`UPDATE jobs SET id = ${id}, status = ${status}, started_at = ${ago(400)},
            finished_at = ${status === "running" ? null : ago(daysAgo)} WHERE id = ${job.id}`
          yield* sql`INSERT INTO job_events (job_id, seq, ts, stage, type) VALUES (${id}, 1, ${ago(400)}, 'scan', 'log')`
          yield* sql`UPDATE retention_runs SET reached = NULL WHERE kind = 'events'`
          yield* sweptAt(now)
          const left = yield* countOf("job_events", id)
          yield* sql`DELETE FROM jobs WHERE id = ${id}`
          return left
        })
      assert.strictEqual(yield* withId(early, "completed", 6), 1)
      assert.strictEqual(yield* withId(early, "completed", 31), 0)
      assert.strictEqual(yield* withId(early, "running", 400), 1)
      assert.strictEqual(yield* withId(late, "completed", 6), 1)
      assert.strictEqual(yield* withId(late, "completed", 31), 0)
    })
  )

  it.effect("does not wait for a transaction that reads the table", () =>
    Effect.gen(function* () {
      const job = yield* ended(31)
      yield* Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`UPDATE retention_runs SET reached = NULL WHERE kind = 'events'`
      )
      const [read, release] = [yield* Deferred.make<number>(), yield* Deferred.make<void>()]
      const reading = Effect.flatMap(SqlClient.SqlClient, (reader) =>
        reader.withTransaction(
          Effect.zipRight(
            Effect.flatMap(countOf("job_events", job.id), (count) => Deferred.succeed(read, count)),
            Deferred.await(release)
          )
        )
      )
      const reader = yield* Effect.fork(asOwner(reading))
      assert.strictEqual(yield* Deferred.await(read), 2)
      yield* sweptAt(now)
      assert.strictEqual(yield* countOf("job_events", job.id), 0)
      yield* Deferred.succeed(release, undefined)
      yield* Fiber.join(reader)
    })
  )

  it.effect(
    "has no partitioned table to delete from: a batch names rows by ctid, and rows of two partitions share one",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const partitioned = yield* sql`SELECT relname FROM pg_class WHERE relkind = 'p'`
        assert.deepStrictEqual(partitioned, [], "read docs/adr/0010-events-are-not-partitioned.md first")
      })
  )

  it.effect("forgets idempotency keys after their window, expired links and sessions, and executions in batches", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { id, workspace_id } = yield* ended(0)
      const user_id = "018f2f2c-0000-7000-8000-000000000099"
      yield* sql`INSERT INTO users (id, email, created_at) VALUES (${user_id}, 'r@example.org', ${now})`
      yield* sql`
        INSERT INTO idempotency_keys (workspace_id, route, key, job_id, payload_hash, created_at) VALUES
          (${workspace_id}, 'r', 'old', ${id}, '', ${ago(1)}),
          (${workspace_id}, 'r', 'recent', ${id}, '', ${new Date(Date.parse(ago(1)) + 1).toISOString()})`
      yield* sql`INSERT INTO sign_in_links (token_hash, user_id, workspace_id, created_at, expires_at)
        VALUES ('a', ${user_id}, ${workspace_id}, ${ago(9)}, ${ago(2)}), ('b', ${user_id}, ${workspace_id}, ${ago(9)}, ${now})`
      yield* sql`INSERT INTO sessions (id, token_hash, csrf_token, user_id, workspace_id, created_at, expires_at)
        VALUES (gen_random_uuid(), 'a', '', ${user_id}, ${workspace_id}, ${ago(9)}, ${ago(1)}),
          (gen_random_uuid(), 'b', '', ${user_id}, ${workspace_id}, ${ago(9)}, ${ago(-1)})`
      const asked = yield* Forgotten
      yield* Ref.set(asked, [])
      yield* sweptAt(now)
      assert.deepStrictEqual(yield* sql`SELECT key FROM idempotency_keys WHERE job_id = ${id}`, [{ key: "recent" }])
      assert.lengthOf(yield* sql`SELECT 1 FROM sign_in_links WHERE user_id = ${user_id}`, 1)
      assert.lengthOf(yield* sql`SELECT 1 FROM sessions WHERE user_id = ${user_id}`, 1)
      const batches = yield* Ref.get(asked)
      assert.deepStrictEqual(batches, Array(3).fill({ before: ago(1), most: 200 }))
      assert.strictEqual((yield* runOf("executions"))?.deleted, 401)
    })
  )

  it.scoped("runs when an hour has gone since any process's last run, however often processes start", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sweptAt(now)
      const { loop } = yield* Retention
      yield* Effect.forkScoped(loop)
      const last = Effect.map(sql<{ at: string }>`SELECT max(ended_at) AS at FROM retention_runs`, ([row]) =>
        new Date(row!.at).toISOString()
      )
      const next = yield* Effect.repeat(Effect.zipRight(TestClock.adjust("5 minutes"), last), {
        until: (at) => at !== new Date(now).toISOString()
      })
      assert.isAtLeast(Date.parse(next), Date.parse(now) + 3_600_000)
    })
  )

  it.effect("is what the doctor shows, with the growth of the database", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`DELETE FROM retention_runs`
      yield* sql`DELETE FROM storage_samples`
      assert.include((yield* storageChecks.retention).detail, "has not run yet")
      assert.include((yield* storageChecks.growth).detail, "its growth shows from tomorrow on")
      yield* ended(40, 7)
      yield* sweptAt(now)
      yield* sql`INSERT INTO storage_samples (day, bytes, tables)
        VALUES (current_date - 7, 0, '{}'), (current_date - 1, 5, '{}'), (current_date - 30, 9, '{}')`
      const { detail, status } = yield* storageChecks.retention
      assert.strictEqual(status, "ok")
      assert.match(detail, /^last run ended 2026-06-01 00:00 UTC and deleted .*\b7 events\b/)
      assert.match((yield* storageChecks.growth).detail, /^\d.* more than 7 days ago, most of it in \w+ \d/)
      yield* TestClock.adjust("25 hours")
      assert.strictEqual((yield* storageChecks.retention).status, "warn")
    })
  )
})

const logged = (workspace_id: string, at: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`INSERT INTO audit_log (id, workspace_id, at, actor, actor_names, action, object_kind, object_ref)
      VALUES (gen_random_uuid(), ${workspace_id}, ${at}, '{}', '{}', 'test', 'test', '')`
  )

const recordsOf = (workspace_id: string) =>
  Effect.map(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql`SELECT 1 FROM audit_log WHERE workspace_id = ${workspace_id} AND action = 'test'`
    ),
    (rows) => rows.length
  )

layer(retention({ ...set, auditLog: days(90) }).pipe(Layer.provideMerge(JobsOverDatabase)))(
  "retention of the audit log",
  (it) => {
    it.effect("deletes older records where it is set, and no statement deletes any other", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { workspace_id } = (yield* aTenant()).caller
        // The trigger asks the database's clock.
        yield* logged(workspace_id, "2020-01-01T00:00:00Z")
        yield* logged(workspace_id, ago(89))
        yield* sweptAt(now)
        assert.strictEqual(yield* recordsOf(workspace_id), 1)
        const recent = new Date(Date.now() - 29 * 86_400_000).toISOString()
        yield* logged(workspace_id, recent)
        const deleted = sql.withTransaction(
          Effect.zipRight(
            sql`SELECT set_config('assay.audit_log_before', 'infinity', true)`,
            sql`DELETE FROM audit_log WHERE workspace_id = ${workspace_id} AND at = ${recent}`
          )
        )
        assert.include(String((yield* Effect.flip(deleted)).cause), "append-only")
      })
    )
  }
)

layer(retention(set).pipe(Layer.provideMerge(JobsOverDatabase)))("the audit log", (it) => {
  it.effect("is kept for ever where no retention of it is set", () =>
    Effect.gen(function* () {
      const { workspace_id } = (yield* aTenant()).caller
      yield* logged(workspace_id, "2020-01-01T00:00:00Z")
      yield* sweptAt(now)
      assert.strictEqual(yield* recordsOf(workspace_id), 1)
    })
  )
})
