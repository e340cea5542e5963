import { SqlClient } from "@effect/sql"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Either, Layer, Option, TestClock } from "effect"
import { Jobs } from "../../../src/services/jobs/Jobs.ts"
import { JobsRepo } from "../../../src/services/jobs/JobsRepo.ts"
import { Stages } from "../../../src/services/jobs/Stages.ts"
import { type Submission, Submissions } from "../../../src/services/jobs/Submissions.ts"
import { chooseInternal, chooseWorkflow } from "../../../src/services/jobs/submission.ts"
import { stage } from "../../../src/services/ports/Workflow.ts"
import { probeOverDatabase, start } from "../../support/jobEngine.ts"
import { as, aTenant, aWorkflow, type Tenant } from "../../support/jobs.ts"
import { JobsThatCostADollar, limit, limitKey, over, running } from "../../support/money.ts"

const submit = (tenant: Tenant, depth = 1, more: Partial<Submission> = {}) =>
  Effect.flatMap(Submissions, (submissions) =>
    submissions.submit({ path: tenant.path, workflow: "standard_audit", params: { depth }, ...more })
  ).pipe(as(tenant))

const rejection = (tenant: Tenant, depth = 1, more: Partial<Submission> = {}) =>
  Effect.flip(submit(tenant, depth, more))

layer(JobsThatCostADollar)("a submission", (it) => {
  it.effect("is rejected with 402 credit_exhausted when what no job holds does not cover its forecast", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      yield* limit(tenant, { credit_usd: 2.5 })
      const { job } = yield* submit(tenant, 1)
      yield* submit(tenant, 2)
      const rejected = yield* rejection(tenant, 3)
      assert.deepStrictEqual([rejected.spec.status, rejected.spec.code], [402, "credit_exhausted"])
      assert.deepStrictEqual(rejected.details, { forecast_usd: 1, credit_usd: 2.5, held_usd: 2 })
      // A running job holds what it spent when that is more than it reserved.
      yield* running(job.id, 1.4)
      assert.deepStrictEqual((yield* rejection(tenant, 3)).details?.held_usd, 2.4)
      const jobs = yield* Jobs
      yield* as(tenant)(jobs.cancel(job.id))
      assert.strictEqual((yield* rejection(tenant, 3)).spec.code, "credit_exhausted")
      yield* limit(tenant, { credit_usd: null })
      assert.isTrue((yield* submit(tenant, 3)).created)
    })
  )

  it.effect("is rejected with 402 spend_paused while spending is paused, unless it queues nothing", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const first = yield* submit(tenant, 1, { idempotencyKey: "once" })
      yield* limit(tenant, { spend_paused: true })
      assert.strictEqual((yield* rejection(tenant, 2)).spec.code, "spend_paused")
      assert.strictEqual((yield* submit(tenant, 1)).job.id, first.job.id)
      assert.strictEqual((yield* submit(tenant, 2, { idempotencyKey: "once" })).job.id, first.job.id)
      yield* limit(tenant, { spend_paused: false })
      assert.isTrue((yield* submit(tenant, 2)).created)
    })
  )

  it.effect("is rejected with 402 job_cost_cap when its forecast is more than one job may cost", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      yield* limit(tenant, { job_cap_usd: 0.999_999_999 })
      const rejected = yield* rejection(tenant)
      assert.deepStrictEqual([rejected.spec.status, rejected.spec.code], [402, "job_cost_cap"])
      assert.deepStrictEqual(rejected.details, { forecast_usd: 1, limit_usd: 0.999_999_999 })
      yield* limit(tenant, { job_cap_usd: 1 })
      assert.isTrue((yield* submit(tenant)).created)
    })
  )

  it.effect("is rejected with 402 job_cost_cap, not with a wait, when it alone exceeds the hourly ceiling", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      yield* limit(tenant, { spend_per_hour_usd: 0.5 })
      assert.strictEqual((yield* rejection(tenant)).spec.code, "job_cost_cap")
    })
  )

  it.effect("is rejected with 402 queue_limit_reached beyond the workspace's own cap", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      yield* limit(tenant, { max_queued: 1 })
      yield* submit(tenant, 1)
      const rejected = yield* rejection(tenant, 2)
      assert.deepStrictEqual(
        [rejected.spec.code, rejected.details],
        ["queue_limit_reached", { limit: 1, queued: 1, running_limit: 4, running: 0 }]
      )
    })
  )

  it.effect("is rejected with 402 queue_limit_reached while more jobs wait and run than may do both", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      yield* limit(tenant, { max_queued: 3, max_running: 3 })
      const sql = yield* SqlClient.SqlClient
      for (const depth of [1, 2, 3]) yield* running((yield* submit(tenant, depth)).job.id, 0)
      // What runs leaves the queue its room.
      const waiting = yield* submit(tenant, 4)
      assert.isTrue(waiting.created)
      yield* limit(tenant, { max_running: 1 })
      const rejected = yield* rejection(tenant, 5)
      assert.deepStrictEqual(
        [rejected.spec.code, rejected.details],
        ["queue_limit_reached", { limit: 3, queued: 1, running_limit: 1, running: 3 }]
      )
      assert.isFalse((yield* submit(tenant, 4)).created)
      yield* sql`UPDATE jobs SET status = 'failed', finished_at = started_at WHERE id = ${waiting.job.id}`
      assert.isTrue((yield* submit(tenant, 5)).created)
    })
  )

  it.effect("of a workflow outside the entitlements is rejected with 402 and details.allowed_workflows", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const { job } = yield* submit(tenant, 1, { workflow: "audit" })
      yield* limit(tenant, { entitled_workflows: ["standard_audit", "review"] })
      const rejected = yield* rejection(tenant, 1, { workflow: "audit" })
      assert.deepStrictEqual(
        [rejected.spec.status, rejected.spec.code, rejected.details],
        [402, "workflow_not_entitled", { allowed_workflows: ["standard_audit"] }]
      )
      const jobs = yield* Jobs
      const submissions = yield* Submissions
      yield* as(tenant)(jobs.cancel(job.id))
      assert.strictEqual((yield* Effect.flip(as(tenant)(submissions.retry(job.id)))).spec.code, "workflow_not_entitled")
      assert.isTrue((yield* submit(tenant)).created)
    })
  )
})

describe("a private-beta workflow", () => {
  it.effect("that is not enabled for the workspace is rejected with 403 feature_not_enabled", () =>
    Effect.gen(function* () {
      const workflow = { ...aWorkflow("review"), beta: "change_reviews" } as const
      const served = new Map([[workflow.name, workflow]])
      const chosen = (features: ReadonlyArray<string>) =>
        chooseWorkflow(served, { plan: "paid", entitled_workflows: null, features }, "review")
      const rejected = yield* Effect.flip(chosen(["missions"]))
      const { status, type, code } = rejected.spec
      assert.deepStrictEqual([status, type, code], [403, "permission_error", "feature_not_enabled"])
      assert.deepStrictEqual(rejected.required_features, ["change_reviews"])
      assert.strictEqual(yield* chosen(["change_reviews"]), workflow)
    })
  )
})

layer(JobsThatCostADollar)("the hourly spend ceiling", (it) => {
  it.effect("rejects with 429 rate_limit_budget, and waiting Retry-After seconds succeeds", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      yield* limit(tenant, { spend_per_hour_usd: 3 })
      for (const depth of [1, 2, 3]) {
        yield* submit(tenant, depth)
        yield* TestClock.adjust("10 minutes")
      }
      const rejected = yield* rejection(tenant, 4)
      assert.deepStrictEqual([rejected.spec.status, rejected.spec.code], [429, "rate_limit_budget"])
      assert.strictEqual(rejected.retryAfterSeconds, 30 * 60)
      assert.deepStrictEqual(rejected.details, {
        ceiling: "workspace",
        usd_per_hour: 3,
        spent_usd: 3
      })
      yield* TestClock.adjust("1799 seconds")
      assert.strictEqual((yield* rejection(tenant, 4)).retryAfterSeconds, 1)
      yield* TestClock.adjust("1 second")
      assert.isTrue((yield* submit(tenant, 4)).created)
      assert.strictEqual((yield* rejection(tenant, 5)).retryAfterSeconds, 10 * 60)
    })
  )

  it.effect("counts a settled job with what it cost, in the hour it was submitted", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      yield* limit(tenant, { spend_per_hour_usd: 1.5 })
      const { job } = yield* submit(tenant, 1)
      yield* TestClock.adjust("10 minutes")
      assert.strictEqual((yield* rejection(tenant, 2)).retryAfterSeconds, 50 * 60)
      yield* running(job.id, 0.5)
      yield* over(job.id, "timeout")
      const { job: second } = yield* submit(tenant, 2)
      // What it cost beyond its reservation counts from its end on.
      yield* running(second.id, 2)
      yield* TestClock.adjust("10 minutes")
      yield* over(second.id, "timeout")
      const rejected = yield* rejection(tenant, 3)
      assert.strictEqual(rejected.details?.spent_usd, 2.5)
      assert.strictEqual(rejected.retryAfterSeconds, 60 * 60)
    })
  )

  it.effect("stops a retry, too, but not an answer that queues nothing", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      yield* limit(tenant, { spend_per_hour_usd: 1.5 })
      const submissions = yield* Submissions
      const { job } = yield* submit(tenant, 1)
      assert.isFalse((yield* submit(tenant, 1)).created)
      yield* running(job.id, 0.8)
      yield* over(job.id, "timeout")
      assert.strictEqual((yield* Effect.flip(as(tenant)(submissions.retry(job.id)))).spec.code, "rate_limit_budget")
      yield* TestClock.adjust("1 hour")
      const retried = yield* as(tenant)(submissions.retry(job.id))
      assert.isTrue(retried.created)
      assert.strictEqual((yield* as(tenant)(submissions.retry(job.id))).job.id, retried.job.id)
    })
  )

  it.effect("of a key is lower than the workspace's and counts that key's jobs only", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      yield* limit(tenant, { spend_per_hour_usd: 4 })
      const limited = yield* limitKey(tenant, 2)
      yield* submit(tenant, 1)
      yield* TestClock.adjust("5 minutes")
      yield* submit(limited, 2)
      yield* submit(limited, 3)
      const rejected = yield* rejection(limited, 4)
      assert.deepStrictEqual([rejected.details?.ceiling, rejected.retryAfterSeconds], ["key", 60 * 60])
      assert.isTrue((yield* submit(tenant, 4)).created)
      assert.strictEqual((yield* rejection(tenant, 5)).retryAfterSeconds, 55 * 60)
      // Both are full: the longer wait is the true one.
      assert.strictEqual((yield* rejection(limited, 5)).retryAfterSeconds, 60 * 60)
    })
  )

  it.effect("is exact however many submissions arrive at once", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      yield* limit(tenant, { spend_per_hour_usd: 7.9 })
      const answers = yield* Effect.forEach(
        Array.from({ length: 20 }, (_, depth) => depth),
        (depth) => Effect.either(submit(tenant, depth)),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(answers.filter(Either.isRight).length, 7)
      for (const answer of answers)
        if (Either.isLeft(answer)) assert.strictEqual(answer.left.spec.code, "rate_limit_budget")
    })
  )
})

layer(Stages.Default.pipe(Layer.provideMerge(probeOverDatabase)))("a running job", (it) => {
  it.effect("that costs more than one job may fails with budget_exceeded and keeps its cost", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const sql = yield* SqlClient.SqlClient
      const repo = yield* JobsRepo
      const stages = yield* Stages
      const jobs = yield* Jobs
      const { id } = yield* start(tenant, "unused")
      yield* limit(tenant, { job_cap_usd: 1, credit_usd: 5 })
      yield* sql`UPDATE jobs SET status = 'running', started_at = queued_at WHERE id = ${id}`
      const job = Option.getOrThrow(yield* repo.open({ id, run: 1 }))
      const spending = (usd: number) => stage("scan", ({ recordCost }) => Effect.as(recordCost(usd), { spent: usd }))
      assert.strictEqual(yield* stages.run(job, spending(1)), "done")
      assert.strictEqual(yield* stages.run(job, { ...spending(0.25), name: "record" }), "stopped")
      const failed = yield* as(tenant)(jobs.get(id))
      assert.deepStrictEqual(
        [failed.status, failed.failure_kind, failed.cost_usd, failed.retryable],
        ["failed", "budget_exceeded", 1.25, false]
      )
      assert.deepStrictEqual(yield* sql`SELECT stage, cost_usd FROM job_stages WHERE job_id = ${id} ORDER BY stage`, [
        { stage: "record", cost_usd: 0.25 },
        { stage: "scan", cost_usd: 1 }
      ])
      assert.deepStrictEqual(
        yield* sql`SELECT credit_usd::text FROM workspaces WHERE id = ${tenant.caller.workspace_id}`,
        [{ credit_usd: "3.750000000" }]
      )
    })
  )
})

describe("a workflow that the service starts itself", () => {
  const workflow = { ...aWorkflow("change_review"), beta: "change_reviews" } as const
  const served = new Map([[workflow.name, workflow]])
  const policy = { plan: "paid", entitled_workflows: ["audit"], features: ["change_reviews"] } as const

  it.effect("is rejected with 422 when it is submitted by its name, and the message names the way", () =>
    Effect.gen(function* () {
      const rejected = yield* Effect.flip(chooseWorkflow(served, policy, "change_review"))
      assert.deepStrictEqual([rejected.spec.status, rejected.spec.code], [422, "invalid_payload"])
      assert.include(rejected.message, "POST /api/change-reviews")
    })
  )

  it.effect("is limited by its feature, not by the workflows that the workspace may submit", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* chooseInternal(served, policy, "change_review"), workflow)
      const off = yield* Effect.flip(chooseInternal(served, { ...policy, features: [] }, "change_review"))
      assert.strictEqual(off.spec.code, "feature_not_enabled")
    })
  )
})
