import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { emptyDiscovery } from "../../../src/schema/Discovery.ts"
import type { ResetRepository } from "../../../src/schema/Repository.ts"
import { Discoveries } from "../../../src/services/discovery/Discoveries.ts"
import { Jobs } from "../../../src/services/jobs/Jobs.ts"
import { Submissions } from "../../../src/services/jobs/Submissions.ts"
import { Observations } from "../../../src/services/observations/Observations.ts"
import { RepositoryLifecycle } from "../../../src/services/registration/RepositoryLifecycle.ts"
import { Repositories } from "../../../src/services/repositories/Repositories.ts"
import { as, aTenant, aWorkflow, ended, submitted, type Tenant } from "../../support/jobs.ts"
import { anOpenFinding, observationsIn, servicesWith } from "../../support/services.ts"

const reset = (tenant: Tenant, flags: ResetRepository) =>
  Effect.flatMap(RepositoryLifecycle, (lifecycle) => lifecycle.reset(tenant.path, flags)).pipe(as(tenant))

const nothing = {
  findings: 0,
  advisories: 0,
  suggestions: 0,
  fix_attempts: 0,
  jobs: 0,
  job_events: 0,
  discoveries: 0
}

/** A repository with an audit, observations of each kind, an attempt at a fix and a discovery. */
const used = Effect.gen(function* () {
  const tenant = yield* aTenant()
  const audit = yield* submitted(tenant)
  yield* ended(audit.id, "completed")
  const refs = yield* observationsIn(tenant, [
    {},
    { close_reason: "fixed" },
    { kind: "advisory" },
    { kind: "suggestion" },
    { kind: "suggestion" }
  ])
  const sql = yield* SqlClient.SqlClient
  yield* sql`INSERT INTO fix_attempts (id, workspace_id, repository_id, observation_id, started_at, updated_at)
    SELECT gen_random_uuid(), workspace_id, repository_id, id, created_at, created_at FROM observations
    WHERE workspace_id = ${tenant.caller.workspace_id} AND kind = 'finding'`
  yield* Effect.flatMap(Discoveries, (discoveries) =>
    discoveries.record({
      workspace_id: tenant.caller.workspace_id,
      repository_id: tenant.repository_id,
      job_id: audit.id,
      commit: "c0ffee",
      output: { ...emptyDiscovery, principles_md: "Be plain." }
    })
  )
  return { tenant, audit, refs }
})

const left = (tenant: Tenant) =>
  Effect.gen(function* () {
    const observations = yield* Effect.flatMap(Observations, (service) => service.list({}))
    const jobs = yield* Effect.flatMap(Jobs, (service) => service.list({}))
    const discovery = yield* Effect.flatMap(Discoveries, (service) => service.files(tenant.path))
    return {
      kinds: observations.data.map(({ kind }) => kind).sort(),
      jobs: jobs.data.length,
      principles: discovery.principles_md
    }
  }).pipe(as(tenant))

layer(servicesWith(aWorkflow("standard_audit")))("a reset", (it) => {
  it.effect("of findings deletes findings, advisories and their attempts, and nothing else", () =>
    Effect.gen(function* () {
      const { tenant } = yield* used
      const { deleted, repo_name } = yield* reset(tenant, { findings: true })
      assert.deepStrictEqual(
        [repo_name, deleted],
        ["api@main", { ...nothing, findings: 2, advisories: 1, fix_attempts: 2 }]
      )
      assert.deepStrictEqual(yield* left(tenant), {
        kinds: ["suggestion", "suggestion"],
        jobs: 1,
        principles: "Be plain."
      })
    })
  )

  it.effect("of history deletes jobs and events; observations forget them", () =>
    Effect.gen(function* () {
      const { tenant, audit } = yield* used
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE observations SET first_seen_job_id = ${audit.id}, last_seen_job_id = ${audit.id}`
      const { deleted } = yield* reset(tenant, { history: true, findings: false })
      assert.deepStrictEqual(deleted, { ...nothing, jobs: 1, job_events: deleted.job_events })
      assert.isAbove(deleted.job_events, 0)
      const { data } = yield* as(tenant)(Effect.flatMap(Observations, (service) => service.list({})))
      for (const { first_seen_job_id } of data) assert.isNull(first_seen_job_id)
      assert.deepStrictEqual(yield* left(tenant), {
        kinds: ["advisory", "finding", "finding", "suggestion", "suggestion"],
        jobs: 0,
        principles: "Be plain."
      })
    })
  )

  it.effect("of history leaves a repeated Idempotency-Key its job as it was: never a second run within 24 hours", () =>
    Effect.gen(function* () {
      const { tenant } = yield* used
      const submissions = yield* Submissions
      const submit = as(tenant)(
        submissions.submit({ path: tenant.path, workflow: "standard_audit", force: true, idempotencyKey: "once" })
      )
      const { job, created } = yield* submit
      assert.isTrue(created)
      yield* ended(job.id, "failed")
      const before = yield* submit
      yield* reset(tenant, { history: true })
      for (const after of [yield* submit, yield* submit]) {
        assert.isFalse(after.created)
        assert.deepStrictEqual(after.job, { ...before.job, error: null, result: null, progress: null })
        assert.deepStrictEqual([after.job.status, after.job.failure_kind], ["failed", "timeout"])
      }
      assert.strictEqual((yield* left(tenant)).jobs, 0)
      assert.strictEqual((yield* Effect.flip(as(tenant)(submissions.retry(job.id))))._tag, "JobNotFound")
      yield* reset(tenant, { wipe: true })
      assert.isFalse((yield* submit).created)
      yield* TestClock.adjust("24 hours")
      const next = yield* submit
      assert.isTrue(next.created)
      assert.notStrictEqual(next.job.id, job.id)
      assert.strictEqual((yield* submit).job.id, next.job.id)
    })
  )

  it.effect("of history and a repeated Idempotency-Key at the same time never start a second run", () =>
    Effect.gen(function* () {
      for (let round = 0; round < 10; round++) {
        const { tenant } = yield* used
        const submissions = yield* Submissions
        const submit = as(tenant)(
          submissions.submit({ path: tenant.path, workflow: "standard_audit", force: true, idempotencyKey: "once" })
        )
        const { job } = yield* submit
        yield* ended(job.id, "completed")
        const [first, second] = yield* Effect.all([submit, submit, reset(tenant, { history: true })], {
          concurrency: "unbounded"
        })
        assert.deepStrictEqual([first.created, second.created], [false, false])
        assert.deepStrictEqual([first.job.id, second.job.id], [job.id, job.id])
        assert.strictEqual((yield* left(tenant)).jobs, 0)
      }
    })
  )

  it.effect("of suggestions deletes suggestions", () =>
    Effect.gen(function* () {
      const { tenant } = yield* used
      assert.deepStrictEqual((yield* reset(tenant, { suggestions: true })).deleted, { ...nothing, suggestions: 2 })
      assert.deepStrictEqual((yield* left(tenant)).kinds, ["advisory", "finding", "finding"])
    })
  )

  it.effect("with wipe deletes all of it and the discovery, and leaves other repositories alone", () =>
    Effect.gen(function* () {
      const { tenant } = yield* used
      const other = yield* used
      const { deleted } = yield* reset(tenant, { wipe: true })
      assert.deepStrictEqual(deleted, {
        findings: 2,
        advisories: 1,
        suggestions: 2,
        fix_attempts: 2,
        jobs: 1,
        job_events: deleted.job_events,
        discoveries: 1
      })
      assert.deepStrictEqual(yield* left(tenant), { kinds: [], jobs: 0, principles: null })
      const repository = yield* as(tenant)(Effect.flatMap(Repositories, (service) => service.find(tenant.path)))
      assert.deepStrictEqual([repository.last_audit_at, repository.last_discovery_at], [null, null])
      assert.strictEqual((yield* left(other.tenant)).kinds.length, 5)
      assert.deepStrictEqual((yield* reset(tenant, { wipe: true })).deleted, nothing)
    })
  )

  it.effect("never gives a number again", () =>
    Effect.gen(function* () {
      const { tenant, refs } = yield* used
      yield* reset(tenant, { wipe: true })
      const ref = yield* anOpenFinding(tenant)
      assert.strictEqual(ref, `OBS-${Number(refs.at(-1)?.slice(4)) + 1}`)
    })
  )

  it.effect("of findings lets a new audit of the same commit run at once", () =>
    Effect.gen(function* () {
      const { tenant, audit } = yield* used
      assert.strictEqual((yield* submitted(tenant)).id, audit.id)
      yield* reset(tenant, { findings: true })
      assert.notStrictEqual((yield* submitted(tenant)).id, audit.id)
    })
  )

  it.effect("is rejected while a job is queued or runs, and deletes nothing", () =>
    Effect.gen(function* () {
      const { tenant } = yield* used
      const sql = yield* SqlClient.SqlClient
      const job = yield* as(tenant)(
        Effect.flatMap(Submissions, (submissions) =>
          submissions.submit({ path: tenant.path, workflow: "standard_audit", force: true })
        )
      )
      for (const status of ["pending", "running"]) {
        yield* sql`UPDATE jobs SET status = ${status} WHERE id = ${job.job.id}`
        const rejection = yield* Effect.flip(reset(tenant, { wipe: true }))
        assert.strictEqual(rejection._tag, "RepositoryBusy")
        assert.deepStrictEqual(rejection.details, { jobs: 1 })
      }
      assert.strictEqual((yield* left(tenant)).kinds.length, 5)
    })
  )

  it.effect("without any flag that is true is rejected, and of an unknown repository, too", () =>
    Effect.gen(function* () {
      const { tenant } = yield* used
      for (const flags of [{}, { findings: false, wipe: false }]) {
        const rejection = yield* Effect.flip(reset(tenant, flags))
        assert.strictEqual(rejection._tag, "InvalidPayload")
        assert.isUndefined(rejection.errors)
      }
      const elsewhere = { ...tenant, path: { ...tenant.path, github_base_branch: "dev" } }
      assert.strictEqual((yield* Effect.flip(reset(elsewhere, { wipe: true })))._tag, "RepositoryNotFound")
    })
  )

  it.effect("and a submission at the same time take turns: no job outlives its history's deletion unseen", () =>
    Effect.gen(function* () {
      for (let round = 0; round < 10; round++) {
        const { tenant } = yield* used
        const [submission, deletion] = yield* Effect.all(
          [
            Effect.flatMap(Submissions, (submissions) =>
              submissions.submit({ path: tenant.path, workflow: "standard_audit", force: true })
            ).pipe(as(tenant)),
            Effect.either(reset(tenant, { wipe: true }))
          ],
          { concurrency: "unbounded" }
        )
        const jobs = yield* as(tenant)(Effect.flatMap(Jobs, (service) => service.list({})))
        assert.isTrue(jobs.data.some(({ id }) => id === submission.job.id))
        assert.strictEqual(jobs.data.length, deletion._tag === "Right" ? 1 : 2)
      }
    })
  )
})
