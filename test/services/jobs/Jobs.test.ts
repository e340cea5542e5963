import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Effect, Schema, TestClock } from "effect"
import { type JobId } from "../../../src/schema/Ids.ts"
import { Job } from "../../../src/schema/Job.ts"
import { type Scope, scopes } from "../../../src/schema/Key.ts"
import { JobClaimsRepo } from "../../../src/services/jobs/JobClaimsRepo.ts"
import { Jobs } from "../../../src/services/jobs/Jobs.ts"
import { type Submission, Submissions } from "../../../src/services/jobs/Submissions.ts"
import { as, aTenant, ended, JobsOverDatabase, type Tenant } from "../../support/jobs.ts"

const submit = (tenant: Tenant, submission: Partial<Submission> = {}) =>
  Effect.flatMap(Submissions, (submissions) =>
    submissions.submit({ path: tenant.path, workflow: "standard_audit", ...submission })
  ).pipe(as(tenant))

const without = (scope: Scope) => scopes.filter((s) => s !== scope)

const strictly = Schema.decodeUnknown(Schema.parseJson(Job), { onExcessProperty: "error" })

layer(JobsOverDatabase)("a job", (it) => {
  it.effect("is printed by the database as its schema encodes it, in every state", () =>
    Effect.gen(function* () {
      const jobs = yield* Jobs
      const tenant = yield* aTenant()
      for (const status of ["pending", "completed", "failed", "cancelled"] as const) {
        const { job } = yield* submit(tenant, { force: true })
        if (status === "cancelled") yield* as(tenant)(jobs.cancel(job.id))
        else if (status !== "pending") yield* ended(job.id, status)
        const [read, printed] = yield* Effect.all([jobs.get(job.id), jobs.printed(job.id)]).pipe(as(tenant))
        assert.strictEqual(read.status, status)
        assert.deepStrictEqual(yield* Effect.orDie(strictly(printed)), read)
      }
    })
  )
})

layer(JobsOverDatabase)("a retry", (it) => {
  const retry = (tenant: Tenant, id: JobId) =>
    as(tenant)(Effect.flatMap(Submissions, (submissions) => submissions.retry(id)))
  const failedJob = (tenant: Tenant) =>
    Effect.tap(
      Effect.map(submit(tenant), ({ job }) => job),
      ({ id }) => ended(id, "failed")
    )

  it.effect("is a new pending job with the same workflow, params and commit that names its parent", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const parent = yield* failedJob(tenant)
      const { job, created } = yield* retry(tenant, parent.id)
      assert.isTrue(created)
      assert.deepStrictEqual(
        [job.status, job.parent_job_id, job.attempt, job.workflow, job.params, job.commit_sha],
        ["pending", parent.id, 2, parent.workflow, parent.params, parent.commit_sha]
      )
    })
  )

  it.effect("asked for by many at once is one job, and the others get that one", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const parent = yield* failedJob(tenant)
      const answers = yield* Effect.forEach(Array.from({ length: 40 }), () => retry(tenant, parent.id), {
        concurrency: 40
      })
      assert.strictEqual(answers.filter(({ created }) => created).length, 1)
      assert.strictEqual(new Set(answers.map(({ job }) => job.id)).size, 1)
    })
  )

  it.effect("is rejected unless the job failed or was cancelled", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const { job } = yield* submit(tenant)
      assert.strictEqual((yield* Effect.flip(retry(tenant, job.id)))._tag, "JobNotRetryable")
      yield* ended(job.id, "completed")
      assert.strictEqual((yield* Effect.flip(retry(tenant, job.id)))._tag, "JobNotRetryable")
    })
  )

  it.effect("of the same original job is possible three times, in whatever chain", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const original = yield* failedJob(tenant)
      let last = original.id
      for (const attempt of [2, 3, 4]) {
        const { job } = yield* retry(tenant, last)
        assert.strictEqual(job.attempt, attempt)
        yield* ended(job.id, "failed")
        last = attempt === 3 ? original.id : job.id
      }
      for (const id of [last, original.id]) {
        assert.strictEqual((yield* Effect.flip(retry(tenant, id)))._tag, "RetryLimitReached")
      }
    })
  )

  it.effect("of a fix needs submit_fix_jobs, too", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const { job } = yield* submit(tenant, { workflow: "fix" })
      yield* ended(job.id, "failed")
      const lesser = { ...tenant, caller: { ...tenant.caller, permissions: new Set(without("submit_fix_jobs")) } }
      assert.strictEqual((yield* Effect.flip(retry(lesser, job.id)))._tag, "InsufficientScope")
      assert.isTrue((yield* retry(tenant, job.id)).created)
    })
  )

  it.effect("in flight also answers an identical submission", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const parent = yield* failedJob(tenant)
      const { job } = yield* retry(tenant, parent.id)
      assert.deepStrictEqual((yield* submit(tenant)).job.id, job.id)
    })
  )
})

layer(JobsOverDatabase)("a cancel", (it) => {
  const cancel = (tenant: Tenant, id: JobId) => as(tenant)(Effect.flatMap(Jobs, (jobs) => jobs.cancel(id)))

  it.effect("of a pending or running job answers ok, of an ended one its status", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const { job } = yield* submit(tenant)
      assert.deepStrictEqual(yield* cancel(tenant, job.id), { ok: true, status: "cancelled" })
      assert.deepStrictEqual(yield* cancel(tenant, job.id), { ok: false, status: "cancelled" })
      const other = yield* submit(tenant)
      yield* ended(other.job.id, "completed")
      assert.deepStrictEqual(yield* cancel(tenant, other.job.id), { ok: false, status: "completed" })
    })
  )

  it.effect("by many at once happens once and is reported once", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const { job } = yield* submit(tenant)
      const answers = yield* Effect.forEach(Array.from({ length: 20 }), () => cancel(tenant, job.id), {
        concurrency: 20
      })
      assert.strictEqual(answers.filter(({ ok }) => ok).length, 1)
      const sql = yield* SqlClient.SqlClient
      const [events] = yield* sql<{ n: number }>`SELECT count(*) AS n FROM job_events WHERE job_id = ${job.id}`
      assert.strictEqual(events?.n, 2)
    })
  )

  it.effect("of a deleted repository's jobs ends all that wait or run", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const jobs = yield* Jobs
      const ids = [(yield* submit(tenant)).job.id, (yield* submit(tenant, { params: { depth: 3 } })).job.id]
      yield* as(tenant)(jobs.cancelAllOf(tenant.repository_id))
      for (const id of ids) assert.strictEqual((yield* as(tenant)(jobs.get(id))).status, "cancelled")
    })
  )
})

layer(JobsOverDatabase)("lists of jobs", (it) => {
  it.effect("go newest first, page by page, without gap or repeat, and filter by workflow", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const jobs = yield* Jobs
      const ids: Array<string> = []
      for (const depth of [1, 2, 3, 4, 5]) {
        yield* TestClock.adjust(depth % 2 === 0 ? "1 millis" : "0 millis")
        ids.unshift((yield* submit(tenant, { params: { depth } })).job.id)
      }
      yield* submit(tenant, { workflow: "audit" })
      const { path } = tenant
      const seen: Array<string> = []
      let cursor: string | null = null
      do {
        const page: { data: ReadonlyArray<{ id: string }>; next_cursor: string | null; has_more: boolean } = yield* as(
          tenant
        )(jobs.listOfRepository({ path, workflow: "standard_audit", limit: 2, ...(cursor === null ? {} : { cursor }) }))
        seen.push(...page.data.map(({ id }) => id))
        assert.strictEqual(page.has_more, page.next_cursor !== null)
        cursor = page.next_cursor
      } while (cursor !== null)
      assert.deepStrictEqual(seen, ids)
      assert.strictEqual((yield* as(tenant)(jobs.list({}))).data.length, 6)

      const { next_cursor } = yield* as(tenant)(jobs.list({ limit: 1 }))
      const elsewhere = jobs.listOfRepository({ path, cursor: next_cursor! })
      assert.strictEqual((yield* Effect.flip(as(tenant)(elsewhere)))._tag, "InvalidCursor")
    })
  )

  it.effect("show only the workspace's own", () =>
    Effect.gen(function* () {
      const [ours, theirs] = [yield* aTenant(), yield* aTenant()]
      yield* submit(ours)
      const jobs = yield* Jobs
      assert.deepStrictEqual((yield* as(theirs)(jobs.list({}))).data, [])
    })
  )
})

layer(JobsOverDatabase)("claims", (it) => {
  it.effect("take the next of every workspace before the second of any, within both caps", () =>
    Effect.gen(function* () {
      const repo = yield* JobClaimsRepo
      const sql = yield* SqlClient.SqlClient
      const tenants = [yield* aTenant(), yield* aTenant(), yield* aTenant()]
      for (const tenant of tenants) for (const depth of [1, 2, 3, 4]) yield* submit(tenant, { params: { depth } })
      const limits = { queuedPerWorkspace: 20, runningPerWorkspace: 2, runningPerRepository: 2, running: 5, slots: 5 }
      const claim = sql.withTransaction(
        repo.claimPending({ workflows: ["standard_audit"], limits, at: "2026-06-01T00:00:00.000Z" })
      )
      const claims = yield* Effect.all([claim, claim, claim], { concurrency: 3 })
      assert.strictEqual(claims.flat().length, 5)
      const perWorkspace = yield* sql<{ n: number }>`
        SELECT count(*) AS n FROM jobs WHERE status = 'running' GROUP BY workspace_id ORDER BY n`
      assert.deepStrictEqual(
        perWorkspace.map(({ n }) => n),
        [1, 2, 2]
      )
      assert.deepStrictEqual(yield* claim, [])
    })
  )
})
