import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { WorkspaceId } from "../../../src/schema/Ids.ts"
import { JobClaimsRepo } from "../../../src/services/jobs/JobClaimsRepo.ts"
import { defaultJobLimits, type JobLimitsSettings } from "../../../src/services/jobs/JobLimits.ts"
import { transactional } from "../../../src/services/support/transactional.ts"
import { aTenant, JobsOverDatabase, type Tenant } from "../../support/jobs.ts"

const workflows = ["standard_audit", "audit", "review", "fix"]

/** Rows of jobs that this connection has read, since it last reported that. */
const rowsRead = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<{ n: number }>`
    SELECT (seq_tup_read + idx_tup_fetch)::int AS n FROM pg_stat_xact_user_tables WHERE relname = 'jobs'`
).pipe(Effect.map(([row]) => row?.n ?? 0))

/** Claims in a transaction as the dispatcher does; who was claimed, by workspace, and how many rows of jobs were read. */
const claimed = (limits: Partial<JobLimitsSettings> = {}) =>
  Effect.gen(function* () {
    const { claimPending } = yield* JobClaimsRepo
    const sql = yield* SqlClient.SqlClient
    const claim = Effect.gen(function* () {
      const before = yield* rowsRead
      const started = yield* claimPending({
        workflows,
        limits: { ...defaultJobLimits, ...limits },
        at: "2026-01-01T12:00:00.000Z"
      })
      return { ids: started.map(({ id }) => id), read: (yield* rowsRead) - before }
    })
    return yield* transactional(sql)(claim)
  })

/** Queued jobs of one repository, `every` seconds apart from `from` on. */
const queued = (
  { caller, repository_id }: Pick<Tenant, "caller" | "repository_id">,
  count: number,
  { workflow = "audit", from = "2026-01-01T10:00:00Z" } = {}
) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<{ id: string }>`
      INSERT INTO jobs (id, workspace_id, repository_id, workflow, status, dedupe_hash, original_job_id, requested_by, event_seq,
        created_at, queued_at)
      SELECT id, ${caller.workspace_id}, ${repository_id}, ${workflow}, 'pending', id::text, id, '{}', 1, at, at
      FROM (SELECT gen_random_uuid() AS id, ${from}::timestamptz + n * interval '1 second' AS at
        FROM generate_series(1, ${count}::int) n) one
      RETURNING id`
  ).pipe(Effect.map((rows) => rows.map(({ id }) => id)))

const anotherRepository = ({ caller }: Tenant, name: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<{ id: Tenant["repository_id"] }>`
      INSERT INTO repositories (id, workspace_id, github_org, github_repo, github_base_branch, access_mode, clone_url, created_at)
      VALUES (gen_random_uuid(), ${caller.workspace_id}, 'acme', ${name}, 'main', 'anonymous', 'https://example.org/acme',
        '2026-01-01T00:00:00Z')
      RETURNING id`
  ).pipe(Effect.map(([row]) => ({ caller, repository_id: row!.id })))

const statusCounts = (workspace: WorkspaceId) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<{ status: string; n: number }>`
      SELECT status, count(*)::int AS n FROM jobs WHERE workspace_id = ${workspace} GROUP BY status`
  ).pipe(Effect.map((rows) => Object.fromEntries(rows.map(({ status, n }) => [status, n]))))

const ended = (id: string | undefined) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`UPDATE jobs SET status = 'completed', finished_at = started_at WHERE id = ${id ?? null}`
  )

/** The tests share a database: what one leaves waiting must not be the next one's. */
const clean = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`DELETE FROM jobs`)

layer(JobsOverDatabase)("a claim", (it) => {
  it.effect("gives the next slot to another workspace's first job, however many jobs wait, and reads few of them", () =>
    Effect.gen(function* () {
      yield* clean
      const sql = yield* SqlClient.SqlClient
      const [busy, other] = [yield* aTenant(), yield* aTenant()]
      yield* queued(busy, 10_000)
      yield* sql`ANALYZE jobs`
      const first = yield* claimed()
      assert.deepStrictEqual(yield* statusCounts(busy.caller.workspace_id), { pending: 9_996, running: 4 })
      const [late] = yield* queued(other, 1, { from: "2026-01-01T11:59:00Z" })
      assert.deepStrictEqual((yield* claimed()).ids, [])
      // One slot is free again: it is not for the 9,996 that have waited longer.
      yield* ended(first.ids[0])
      const next = yield* claimed()
      assert.deepStrictEqual(next.ids, [late])
      assert.isAtMost(Math.max(first.read, next.read), 100)
    })
  )

  it.effect("takes reviews and fixes before audits of the same workspace that were queued up to an hour before", () =>
    Effect.gen(function* () {
      yield* clean
      const tenant = yield* aTenant()
      const [old] = yield* queued(tenant, 1, { from: "2026-01-01T09:00:00Z" })
      const [audit] = yield* queued(tenant, 1, { from: "2026-01-01T10:00:00Z" })
      const [review] = yield* queued(tenant, 1, { workflow: "review", from: "2026-01-01T10:30:00Z" })
      const [fix] = yield* queued(tenant, 1, { workflow: "fix", from: "2026-01-01T10:40:00Z" })
      const order: Array<string | undefined> = []
      for (let n = 0; n < 4; n++) {
        const { ids } = yield* claimed({ running: 1 })
        order.push(...ids)
        yield* ended(ids[0])
      }
      assert.deepStrictEqual(order, [old, review, fix, audit])
    })
  )

  it.effect(
    "keeps to the caps of a repository, a workspace and the installation, and leaves no slot idle for one of them",
    () =>
      Effect.gen(function* () {
        yield* clean
        const [tenant, other] = [yield* aTenant(), yield* aTenant()]
        const second = yield* anotherRepository(tenant, "second")
        yield* queued(tenant, 20)
        const [later] = yield* queued(second, 1, { from: "2026-01-01T11:00:00Z" })
        const limits = { running: 4, runningPerWorkspace: 3, runningPerRepository: 1 }
        const all = [...(yield* claimed(limits)).ids, ...(yield* claimed(limits)).ids]
        assert.lengthOf(all, 2)
        assert.include(all, later)
        assert.deepStrictEqual((yield* claimed(limits)).ids, [])
        yield* queued(other, 20)
        const third = yield* claimed({ ...limits, runningPerRepository: 20 })
        // Of the two slots that are left, the other workspace's first two come before this one's third.
        assert.deepStrictEqual(yield* statusCounts(other.caller.workspace_id), { pending: 18, running: 2 })
        assert.lengthOf(third.ids, 2)
      })
  )
})
