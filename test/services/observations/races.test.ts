import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Effect, FastCheck, Ref } from "effect"
import { closed } from "../../../src/schema/closed.ts"
import { type JobId } from "../../../src/schema/Ids.ts"
import { ObservationRef } from "../../../src/schema/Observation.ts"
import { type AttemptKey } from "../../../src/services/fixes/FixAttemptsRepo.ts"
import { Fixes } from "../../../src/services/fixes/Fixes.ts"
import { FixPrs } from "../../../src/services/fixes/FixPrs.ts"
import { Jobs } from "../../../src/services/jobs/Jobs.ts"
import { JobsRepo } from "../../../src/services/jobs/JobsRepo.ts"
import { Observations } from "../../../src/services/observations/Observations.ts"
import { RecordingRepo } from "../../../src/services/observations/RecordingRepo.ts"
import { RepositoryLifecycle } from "../../../src/services/registration/RepositoryLifecycle.ts"
import { as, aTenant, aWorkflow, type Tenant } from "../../support/jobs.ts"
import { numberOf, observationsIn, servicesWith } from "../../support/services.ts"

const aFix = { ...aWorkflow("fix"), params: closed({ ref: ObservationRef }) }

const kinds = [
  "fix",
  "cancel",
  "end job",
  "open pr",
  "merge",
  "reject",
  "fail attempt",
  "dismiss",
  "reopen",
  "record",
  "reset suggestions",
  "list"
] as const
type Kind = (typeof kinds)[number]

interface Step {
  readonly kind: Kind
  readonly nth: number
}

const steps = FastCheck.array(FastCheck.record({ kind: FastCheck.constantFrom(...kinds), nth: FastCheck.nat(3) }), {
  minLength: 200,
  maxLength: 200
})

/** One step of the schedule, over the observations of the tenant and the attempts made so far. */
const run = (
  tenant: Tenant,
  refs: ReadonlyArray<string>,
  made: Ref.Ref<ReadonlyArray<{ readonly attempt: AttemptKey; readonly job_id: JobId }>>,
  { kind, nth }: Step
) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [fixes, prs, jobs, repo] = [yield* Fixes, yield* FixPrs, yield* Jobs, yield* JobsRepo]
    const [observations, recording, lifecycle] = [yield* Observations, yield* RecordingRepo, yield* RepositoryLifecycle]
    const ref = refs[nth]!
    const last = (yield* Ref.get(made)).at(-1 - nth)
    const change = <A, E, R>(effect: Effect.Effect<A, E, R>) => sql.withTransaction(effect)
    switch (kind) {
      case "fix":
        return yield* Effect.tap(fixes.submit(numberOf(ref), { extra_attempt: true }), ({ attempt_id, job_id }) =>
          Effect.zipRight(
            sql`UPDATE jobs SET cost_usd = 1 WHERE id = ${job_id}`,
            Ref.update(made, (all) => [
              ...all,
              { attempt: { workspace_id: tenant.caller.workspace_id, id: attempt_id }, job_id }
            ])
          )
        )
      case "dismiss":
        return yield* observations.dismiss(numberOf(ref), {
          dismissal_category: "stale",
          dismissal_note: "Not so any more."
        })
      case "reopen":
        return yield* observations.reopen(numberOf(ref), { reopen_reason: "It is." })
      case "reset suggestions":
        return yield* lifecycle.reset(tenant.path, { suggestions: true })
      case "list":
        return yield* observations.list({ status: "new", order: "display_rank" })
      case "record":
        // As an audit writes: the repository's lock, all its observations, numbers.
        return yield* change(
          Effect.gen(function* () {
            yield* recording.lockRepository({ ...tenant.caller, repository_id: tenant.repository_id })
            yield* sql`UPDATE observations SET times_seen = times_seen + 1 WHERE repository_id = ${tenant.repository_id}`
            yield* recording.drawNumbers({ workspace_id: tenant.caller.workspace_id, count: 1 })
          })
        )
    }
    if (last === undefined) return
    switch (kind) {
      case "cancel":
        return yield* jobs.cancel(last.job_id)
      case "end job":
        yield* sql`UPDATE jobs SET status = 'running' WHERE id = ${last.job_id} AND status = 'pending'`
        return yield* repo.fail({ id: last.job_id, run: 1, failure_kind: "timeout", error: "Slow.", at: "2026-01-02" })
      case "open pr":
        return yield* change(
          prs.opened(last.attempt, { pr_url: "https://example.org/pr/1", pr_number: 1, branch: "fix" })
        )
      case "merge":
        return yield* change(prs.merged(last.attempt, { merge_commit: null }))
      case "reject":
        return yield* change(prs.ended(last.attempt, "pr_rejected"))
      case "fail attempt":
        return yield* change(prs.ended(last.attempt, "failed"))
    }
  }).pipe(as(tenant))

layer(servicesWith(aFix))("fixes, triage, audits and resets at the same time", (it) => {
  it.effect("never stand in each other's way for good, and leave the counts true", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      for (const schedule of FastCheck.sample(steps, { numRuns: 5, seed: 11 })) {
        const tenant = yield* aTenant()
        const refs = yield* observationsIn(tenant, [{}, {}, {}, {}])
        yield* sql`UPDATE workspaces SET max_queued = 1000, credit_usd = 1000000 WHERE id = ${tenant.caller.workspace_id}`
        const made = yield* Ref.make<ReadonlyArray<{ readonly attempt: AttemptKey; readonly job_id: JobId }>>([])
        // A deadlock would be a defect; typed errors are results.
        yield* Effect.forEach(schedule, (step) => Effect.either(run(tenant, refs, made, step)), { concurrency: 5 })
        const wrong = yield* sql`
          SELECT o.number FROM observations o LEFT JOIN fix_attempts a ON a.observation_id = o.id
          WHERE o.workspace_id = ${tenant.caller.workspace_id}
          GROUP BY o.id
          HAVING o.fix_attempts <> count(a.id) FILTER (WHERE a.outcome NOT IN ('cancelled', 'withdrawn'))
            OR o.has_fix_pr <> coalesce(bool_or(a.pr_url IS NOT NULL), false)
            OR o.open_fix_pr <> coalesce(bool_or(a.pr_status IN ('in_review', 'revising', 'needs_attention')), false)
            OR count(a.id) FILTER (WHERE a.outcome = 'started') > 1`
        assert.deepStrictEqual(wrong, [])
        const loose = yield* sql`
          SELECT a.id FROM fix_attempts a JOIN fix_attempt_jobs l ON l.attempt_id = a.id JOIN jobs j ON j.id = l.job_id
          WHERE a.workspace_id = ${tenant.caller.workspace_id} AND a.outcome = 'started' AND a.pr_url IS NULL
            AND j.status IN ('completed', 'failed', 'cancelled')`
        assert.deepStrictEqual(loose, [])
        assert.isNotEmpty(yield* Ref.get(made))
      }
    })
  )
})
