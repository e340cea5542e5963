import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Effect, Ref, TestClock } from "effect"
import { retiredWorkflows } from "../../../src/schema/Job.ts"
import { type Scope, scopes } from "../../../src/schema/Key.ts"
import type { Caller } from "../../../src/services/access/Caller.ts"
import { Jobs } from "../../../src/services/jobs/Jobs.ts"
import { type Submission, Submissions } from "../../../src/services/jobs/Submissions.ts"
import { as, aTenant, ended, JobsOverDatabase, RemoteHead, type Tenant } from "../../support/jobs.ts"

const submit = (tenant: Tenant, submission: Partial<Submission> = {}) =>
  Effect.flatMap(Submissions, (submissions) =>
    submissions.submit({ path: tenant.path, workflow: "standard_audit", ...submission })
  ).pipe(as(tenant))

const without = (scope: Scope) => scopes.filter((s) => s !== scope)

layer(JobsOverDatabase)("a submission", (it) => {
  it.effect("answers a new pending job with the record's fields", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      yield* TestClock.setTime(Date.UTC(2026, 5, 1))
      const { job, created } = yield* submit(tenant, { params: { depth: 2 } })
      assert.isTrue(created)
      assert.deepStrictEqual(job, {
        id: job.id,
        workflow: "standard_audit",
        status: "pending",
        repo_name: "api@main",
        created_at: "2026-06-01T00:00:00.000Z",
        queued_at: "2026-06-01T00:00:00.000Z",
        started_at: null,
        finished_at: null,
        commit_sha: "c0ffee",
        params: { depth: 2 },
        parent_job_id: null,
        attempt: 1,
        agent_runner: null,
        progress: null,
        cost_usd: 0,
        forecast: job.forecast,
        error: null,
        failure_kind: null,
        retryable: false,
        pr_url: null,
        requested_by: tenant.caller.actor,
        result: null
      })
      const jobs = yield* Jobs
      const listed = yield* as(tenant)(jobs.list({}))
      assert.deepStrictEqual(listed.data, [job])
    })
  )

  it.effect("records what proposes the edits of a fix, as the workspace's setting says, and forecasts by it", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const sql = yield* SqlClient.SqlClient
      const runs = yield* Effect.forEach(["rules", "agent", "rules_then_agent"], (runner, depth) =>
        Effect.gen(function* () {
          yield* sql`UPDATE workspaces SET fix_runner = ${runner} WHERE id = ${tenant.caller.workspace_id}`
          const { job } = yield* submit(tenant, { workflow: "fix", params: { depth } })
          yield* sql`UPDATE jobs SET status = 'completed', started_at = ${job.created_at}, finished_at = ${job.created_at},
              cost_usd = ${depth + 1} WHERE id = ${job.id}`
          const { job: next } = yield* submit(tenant, { workflow: "fix", params: { depth: depth + 10 } })
          yield* sql`UPDATE jobs SET status = 'cancelled', finished_at = ${job.created_at} WHERE id = ${next.id}`
          const { agent_runner, source, cost_mid } = next.forecast!
          return [job.agent_runner, next.agent_runner, agent_runner, source, cost_mid]
        })
      )
      assert.deepStrictEqual(
        runs,
        ["rules", "agent", "rules_then_agent"].map((runner, i) => [
          runner,
          runner,
          runner,
          "repo+workflow+agent_runner",
          i + 1
        ])
      )
      const { job: audit } = yield* submit(tenant, { params: { depth: 30 } })
      assert.isNull(audit.agent_runner)
    })
  )

  it.effect("of a retired workflow is rejected with an explanation of the retirement", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      for (const workflow of retiredWorkflows) {
        const rejection = yield* Effect.flip(submit(tenant, { workflow }))
        assert.strictEqual(rejection._tag, "SubmissionInvalid")
        assert.include(rejection.message, `\`${workflow}\` was retired`)
        assert.isUndefined(rejection.errors)
      }
    })
  )

  it.effect("of an unknown workflow is rejected, also when it is named as an object's own property", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      for (const workflow of ["auditt", "", "constructor", "__proto__", "AUDIT"]) {
        const rejection = yield* Effect.flip(submit(tenant, { workflow }))
        assert.strictEqual(rejection._tag, "SubmissionInvalid")
      }
    })
  )

  it.effect("of a workflow that is not served names those that are", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const rejection = yield* Effect.flip(submit(tenant, { workflow: "discover" }))
      assert.strictEqual(rejection._tag, "WorkflowNotEntitled")
      assert.deepStrictEqual(rejection.details, { allowed_workflows: ["standard_audit", "audit", "fix"] })
    })
  )

  it.effect("with params that the workflow rejects is rejected with the detail in message and no errors array", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      for (const params of [{ depth: "hunter2-secret" }, { tools: [] }]) {
        const rejection = yield* Effect.flip(submit(tenant, { params }))
        assert.strictEqual(rejection._tag, "SubmissionInvalid")
        assert.match(rejection.message, /^params\.(depth|tools): /)
        assert.notInclude(rejection.message, "hunter2")
        assert.isUndefined(rejection.errors)
      }
    })
  )

  it.effect("of a fix needs submit_fix_jobs, too", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant(without("submit_fix_jobs"))
      assert.strictEqual((yield* Effect.flip(submit(tenant, { workflow: "fix" })))._tag, "InsufficientScope")
      assert.isTrue((yield* submit(tenant)).created)
    })
  )

  it.effect("identical to a job in flight answers that job, forced or not, whatever way its params are written", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const first = yield* submit(tenant)
      for (const again of [{}, { params: { depth: 1 } }, { force: true }]) {
        const { job, created } = yield* submit(tenant, again)
        assert.deepStrictEqual([job.id, created], [first.job.id, false])
      }
      assert.isTrue((yield* submit(tenant, { params: { depth: 2 } })).created)
      assert.isTrue((yield* submit(tenant, { workflow: "audit" })).created)
    })
  )

  it.effect("on a newer commit is new", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const head = yield* RemoteHead
      yield* submit(tenant)
      yield* Ref.set(head, "decaf")
      assert.isTrue((yield* submit(tenant)).created)
      yield* Ref.set(head, "c0ffee")
    })
  )

  it.effect("identical to a job completed within ten minutes answers that job unless forced", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const first = yield* submit(tenant)
      yield* ended(first.job.id, "completed")
      yield* TestClock.adjust("9 minutes")
      assert.deepStrictEqual((yield* submit(tenant)).job.id, first.job.id)
      const forced = yield* submit(tenant, { force: true })
      assert.isTrue(forced.created)
      yield* ended(forced.job.id, "completed")
      yield* TestClock.adjust("10 minutes")
      assert.isTrue((yield* submit(tenant)).created)
    })
  )

  it.effect("never answers a failed or cancelled job", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const jobs = yield* Jobs
      const first = yield* submit(tenant)
      yield* ended(first.job.id, "failed")
      const second = yield* submit(tenant)
      assert.isTrue(second.created)
      yield* as(tenant)(jobs.cancel(second.job.id))
      assert.isTrue((yield* submit(tenant)).created)
    })
  )

  it.effect("without a known commit is not taken for a completed one", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const head = yield* RemoteHead
      yield* Ref.set(head, null)
      const first = yield* submit(tenant)
      assert.isFalse((yield* submit(tenant)).created)
      yield* ended(first.job.id, "completed")
      assert.isTrue((yield* submit(tenant)).created)
      yield* Ref.set(head, "c0ffee")
    })
  )

  it.effect("sent a hundred times at once creates exactly one job", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const answers = yield* Effect.forEach(Array.from({ length: 100 }), () => submit(tenant), { concurrency: 100 })
      assert.strictEqual(answers.filter(({ created }) => created).length, 1)
      assert.strictEqual(new Set(answers.map(({ job }) => job.id)).size, 1)
    })
  )

  it.effect("beyond twenty queued jobs is rejected, however many arrive at once", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const answers = yield* Effect.forEach(
        Array.from({ length: 30 }, (_, depth) => depth),
        (depth) => Effect.either(submit(tenant, { params: { depth } })),
        { concurrency: 30 }
      )
      assert.strictEqual(answers.filter(({ _tag }) => _tag === "Right").length, 20)
      const rejections = answers.flatMap((answer) => (answer._tag === "Left" ? [answer.left] : []))
      assert.deepStrictEqual([...new Set(rejections.map(({ _tag }) => _tag))], ["QueueLimitReached"])
      assert.strictEqual(rejections[0]?.spec.status, 402)
      const known = answers.findIndex(({ _tag }) => _tag === "Right")
      assert.isFalse((yield* submit(tenant, { params: { depth: known } })).created)
    })
  )

  it.effect("to a repository of another workspace finds nothing", () =>
    Effect.gen(function* () {
      const [ours, theirs] = [yield* aTenant(), yield* aTenant()]
      const { job } = yield* submit(ours)
      const [jobs, submissions] = [yield* Jobs, yield* Submissions]
      for (const call of [jobs.get, jobs.cancel, submissions.retry]) {
        assert.strictEqual(
          (yield* Effect.flip(as(theirs)(Effect.asVoid<unknown, { _tag: string }, Caller>(call(job.id)))))._tag,
          "JobNotFound"
        )
      }
    })
  )
})

layer(JobsOverDatabase)("an Idempotency-Key", (it) => {
  it.effect("answers the first job for 24 hours, even ended and even with another body", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const idempotencyKey = "k".repeat(255)
      const first = yield* submit(tenant, { idempotencyKey })
      yield* ended(first.job.id, "failed")
      yield* TestClock.adjust("23 hours")
      for (const body of [{}, { force: true }, { workflow: "audit" }, { params: { depth: 7 } }]) {
        const { job, created } = yield* submit(tenant, { idempotencyKey, ...body })
        assert.deepStrictEqual([job.id, created], [first.job.id, false])
      }
      yield* TestClock.adjust("1 hour")
      const second = yield* submit(tenant, { idempotencyKey })
      assert.isTrue(second.created)
      assert.strictEqual((yield* submit(tenant, { idempotencyKey, force: true })).job.id, second.job.id)
    })
  )

  it.effect("that fifty different submissions share at once creates one job", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const answers = yield* Effect.forEach(
        Array.from({ length: 50 }, (_, depth) => depth),
        (depth) => submit(tenant, { params: { depth }, idempotencyKey: "same" }),
        { concurrency: 50 }
      )
      assert.strictEqual(answers.filter(({ created }) => created).length, 1)
      assert.strictEqual(new Set(answers.map(({ job }) => job.id)).size, 1)
    })
  )

  it.effect("means nothing in another workspace", () =>
    Effect.gen(function* () {
      const [ours, theirs] = [yield* aTenant(), yield* aTenant()]
      yield* submit(ours, { idempotencyKey: "same" })
      assert.isTrue((yield* submit(theirs, { idempotencyKey: "same" })).created)
    })
  )

  it.effect("must be 1 to 255 visible ASCII characters", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      for (const idempotencyKey of ["", "k".repeat(256), "a b", "é", "a\n"]) {
        assert.strictEqual((yield* Effect.flip(submit(tenant, { idempotencyKey })))._tag, "SubmissionInvalid")
      }
    })
  )
})
