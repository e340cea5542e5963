import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import { closed } from "../../../src/schema/closed.ts"
import { FixableObservation, FixObservationResponse, FixPrSummary } from "../../../src/schema/Fix.ts"
import { AttemptId } from "../../../src/schema/Ids.ts"
import type { ObservationsQuery } from "../../../src/schema/Observation.ts"
import { ObservationRef } from "../../../src/schema/Observation.ts"
import { Fixes } from "../../../src/services/fixes/Fixes.ts"
import { FixPrs, type Unmerged } from "../../../src/services/fixes/FixPrs.ts"
import { Jobs } from "../../../src/services/jobs/Jobs.ts"
import { JobsRepo } from "../../../src/services/jobs/JobsRepo.ts"
import { Submissions } from "../../../src/services/jobs/Submissions.ts"
import { Observations } from "../../../src/services/observations/Observations.ts"
import { newId } from "../../../src/services/support/ids.ts"
import { loggedIn } from "../../support/auditLog.ts"
import { as, aTenant, aWorkflow, ended, submitted, type Tenant } from "../../support/jobs.ts"
import { anOpenFinding, numberOf, observationsIn, servicesWith } from "../../support/services.ts"
import { withStatements } from "../../support/statements.ts"

const aFix = { ...aWorkflow("fix"), params: closed({ ref: ObservationRef }) }

const fix = (tenant: Tenant, ref: string, extra_attempt?: boolean) =>
  Effect.flatMap(Fixes, (fixes) =>
    fixes.submit(numberOf(ref), extra_attempt === undefined ? {} : { extra_attempt })
  ).pipe(
    as(tenant),
    Effect.tap((answer) => Effect.orDie(Schema.encode(FixObservationResponse)(answer)))
  )

const rejectionOf = (tenant: Tenant, ref: string, extra_attempt?: boolean) =>
  Effect.map(Effect.flip(fix(tenant, ref, extra_attempt)), ({ spec, details }) =>
    [spec.status, spec.code, details?.reason].filter((part) => part !== undefined).join(" ")
  )

const strictly = Schema.decodeUnknown(Schema.parseJson(FixableObservation), { onExcessProperty: "error" })

/** What the database prints for the API is the record that tools read, and has nothing that the schema does not have. */
const detail = (tenant: Tenant, ref: string) =>
  Effect.gen(function* () {
    const fixes = yield* Fixes
    const [found, statements] = yield* withStatements(fixes.detail(numberOf(ref)))
    assert.deepStrictEqual(statements, ["sql.execute"])
    assert.deepStrictEqual(yield* Effect.orDie(strictly(yield* fixes.printedDetail(numberOf(ref)))), found)
    return found
  }).pipe(as(tenant))

const listed = (tenant: Tenant, query: ObservationsQuery) =>
  Effect.flatMap(Observations, (observations) => observations.list(query)).pipe(
    Effect.map(({ data }) => data.map(({ ref }) => ref)),
    as(tenant)
  )

const lane = (tenant: Tenant, page: { readonly limit?: number; readonly cursor?: string } = {}) =>
  Effect.flatMap(FixPrs, (prs) => prs.list(tenant.path, page)).pipe(
    as(tenant),
    Effect.tap(({ data }) => Effect.orDie(Schema.encode(Schema.Array(FixPrSummary))(data)))
  )

const keyOf = (tenant: Tenant, id: AttemptId) => ({ workspace_id: tenant.caller.workspace_id, id })

const pr = { pr_url: "https://example.org/pr/7", pr_number: 7, branch: "assay/fix-obs-1" }
const merge = { merge_commit: "facade" }
const proposal = { base_commit: "c0ffee", head_commit: "decade", diff: "--- a\n+++ b\n", runner: "rules" }

const withPr = (tenant: Tenant, ref: string) =>
  Effect.gen(function* () {
    const attempt = keyOf(tenant, (yield* fix(tenant, ref, true)).attempt_id)
    const prs = yield* FixPrs
    assert.isTrue(yield* prs.opened(attempt, pr))
    return attempt
  })

/** So many attempts that ended in this way. */
const tried = (tenant: Tenant, ref: string, times: number, outcome: Unmerged) =>
  Effect.gen(function* () {
    const prs = yield* FixPrs
    for (let n = 0; n < times; n++) {
      const { attempt_id, job_id } = yield* fix(tenant, ref, true)
      yield* prs.ended(keyOf(tenant, attempt_id), outcome, "No way.")
      yield* ended(job_id, "completed")
    }
  })

layer(servicesWith(aWorkflow("standard_audit"), aFix))("a fix", (it) => {
  it.effect("of an open finding makes an attempt and a fix job, and leaves the observation open", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const ref = yield* anOpenFinding(tenant)
      const { observation, attempt_id, job_id } = yield* fix(tenant, ref)
      assert.deepStrictEqual(
        [observation.ref, observation.status, observation.fix_attempts, observation.has_fix_pr],
        [ref, "new", 1, false]
      )
      const job = yield* as(tenant)(Effect.flatMap(Jobs, (jobs) => jobs.get(job_id)))
      assert.deepStrictEqual([job.workflow, job.status, job.params], ["fix", "pending", { ref }])
      const { attempts, fix_available } = yield* detail(tenant, ref)
      assert.deepStrictEqual(
        attempts.map((attempt) => [attempt.attempt_id, attempt.job_id, attempt.outcome, attempt.status]),
        [[attempt_id, job_id, "started", null]]
      )
      assert.isFalse(fix_available)
      assert.deepStrictEqual(yield* listed(tenant, { status: "new" }), [ref])
      assert.deepStrictEqual((yield* lane(tenant)).data, [])
    })
  )

  it.effect("leaves one record in the audit log, of the observation; its job leaves none, nor does a rejection", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const ref = yield* anOpenFinding(tenant)
      const { attempt_id, job_id } = yield* fix(tenant, ref, true)
      assert.strictEqual(yield* rejectionOf(tenant, ref), "422 observation_not_fixable in_flight")
      const records = yield* loggedIn(tenant.caller.workspace_id)
      assert.deepStrictEqual(
        records.map(({ object_kind, object_ref, after }) => ({ object_kind, object_ref, after })),
        [{ object_kind: "observation", object_ref: ref, after: { attempt_id, job_id, extra_attempt: true } }]
      )
    })
  )

  it.effect("of what cannot be fixed is rejected, and writes nothing", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const [advisory, suggestion, closed, workflow] = yield* observationsIn(tenant, [
        { kind: "advisory" },
        { kind: "suggestion" },
        { close_reason: "completed" },
        { file_path: ".github/workflows/ci.yml" }
      ])
      assert.strictEqual(yield* rejectionOf(tenant, advisory!), "422 observation_not_fixable kind")
      assert.strictEqual(yield* rejectionOf(tenant, suggestion!), "422 observation_not_fixable kind")
      assert.strictEqual(yield* rejectionOf(tenant, closed!), "422 observation_not_fixable closed")
      assert.strictEqual(yield* rejectionOf(tenant, workflow!), "422 observation_fix_targets_workflow_file")
      assert.strictEqual(yield* rejectionOf(tenant, workflow!, true), "422 observation_fix_targets_workflow_file")
      assert.strictEqual(yield* rejectionOf(tenant, "OBS-999"), "404 not_found")
      assert.strictEqual(yield* rejectionOf(yield* aTenant(), advisory!), "404 not_found")
      const jobs = yield* as(tenant)(Effect.flatMap(Jobs, (service) => service.list({})))
      assert.deepStrictEqual(jobs.data, [])
      const available = yield* Effect.forEach([advisory!, closed!, workflow!], (ref) => detail(tenant, ref))
      assert.deepStrictEqual(
        available.map(({ fix_available }) => fix_available),
        [false, false, false]
      )
    })
  )

  it.effect("is rejected while another is under way, or its pull request is open", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const ref = yield* anOpenFinding(tenant)
      const { attempt_id, job_id } = yield* fix(tenant, ref)
      assert.strictEqual(yield* rejectionOf(tenant, ref), "422 observation_not_fixable in_flight")
      assert.strictEqual(yield* rejectionOf(tenant, ref, true), "422 observation_not_fixable in_flight")
      const prs = yield* FixPrs
      const attempt = keyOf(tenant, attempt_id)
      yield* prs.opened(attempt, { ...pr, pr_number: null })
      yield* ended(job_id, "completed")
      assert.strictEqual(yield* rejectionOf(tenant, ref, true), "422 observation_not_fixable open_fix_pr")
      yield* prs.ended(attempt, "pr_rejected")
      assert.isTrue((yield* detail(tenant, ref)).fix_available)
      yield* fix(tenant, ref)
    })
  )

  it.effect("asked for eight times at once is one attempt and one job", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const ref = yield* anOpenFinding(tenant)
      const outcomes = yield* Effect.all(
        Array.from({ length: 8 }, () => Effect.either(fix(tenant, ref))),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(outcomes.filter(({ _tag }) => _tag === "Right").length, 1)
      const jobs = yield* as(tenant)(Effect.flatMap(Jobs, (service) => service.list({})))
      assert.strictEqual(jobs.data.length, 1)
      assert.strictEqual((yield* detail(tenant, ref)).attempts.length, 1)
    })
  )

  it.effect("that failed three times closes the observation as exhausted; reopened, it takes an extra attempt", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const ref = yield* anOpenFinding(tenant)
      yield* tried(tenant, ref, 2, "failed")
      assert.strictEqual((yield* detail(tenant, ref)).status, "new")
      yield* tried(tenant, ref, 1, "declined")
      const exhausted = yield* detail(tenant, ref)
      assert.deepStrictEqual(
        [exhausted.status, exhausted.close_reason, exhausted.dismissal_category, exhausted.fix_attempts],
        ["closed", "dismissed", "exhausted_fix_attempts", 3]
      )
      assert.deepStrictEqual(
        exhausted.events.filter(({ from_status, to_status }) => from_status !== to_status).map(({ event }) => event),
        ["dismissed"]
      )
      assert.deepStrictEqual(yield* listed(tenant, { needs_review: true }), [ref])
      yield* as(tenant)(Effect.flatMap(Observations, (o) => o.reopen(numberOf(ref), { reopen_reason: "Look again." })))
      assert.deepStrictEqual(yield* listed(tenant, { needs_review: true, kind: ["finding"], status: "new" }), [ref])
      assert.strictEqual(yield* rejectionOf(tenant, ref), "422 observation_not_fixable attempts_exhausted")
      assert.isTrue((yield* detail(tenant, ref)).fix_available)
      assert.strictEqual((yield* fix(tenant, ref, true)).observation.fix_attempts, 4)
      assert.deepStrictEqual(yield* listed(tenant, { needs_review: true }), [])
    })
  )

  it.effect("that was called off is no try", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const ref = yield* anOpenFinding(tenant)
      yield* tried(tenant, ref, 2, "cancelled")
      const prs = yield* FixPrs
      for (const attempt of [yield* withPr(tenant, ref)]) assert.isTrue(yield* prs.withdrawn(attempt))
      assert.deepStrictEqual(
        [(yield* detail(tenant, ref)).fix_attempts, (yield* detail(tenant, ref)).status],
        [0, "new"]
      )
    })
  )

  it.effect("ends with its job, however that ends", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const jobs = yield* Jobs
      const repo = yield* JobsRepo
      const ref = yield* anOpenFinding(tenant)
      const cancelled = yield* fix(tenant, ref)
      yield* as(tenant)(jobs.cancel(cancelled.job_id))
      const failed = yield* fix(tenant, ref)
      yield* ended(failed.job_id, "failed")
      const silent = yield* fix(tenant, ref)
      yield* ended(silent.job_id, "completed")
      const { attempts, fix_attempts } = yield* detail(tenant, ref)
      assert.deepStrictEqual(
        attempts.map(({ outcome, last_failure_reason, finished_at }) => [
          outcome,
          last_failure_reason,
          finished_at !== null
        ]),
        [
          ["cancelled", null, true],
          ["failed", "Too slow.", true],
          ["failed", "The job ended without a pull request.", true]
        ]
      )
      assert.strictEqual(fix_attempts, 2)
      // An attempt that has its pull request goes on without the job.
      const { id: attempt_id } = yield* withPr(tenant, ref)
      const { job_id } = (yield* detail(tenant, ref)).attempts.at(-1)!
      yield* ended(job_id!, "completed")
      const last = (yield* detail(tenant, ref)).attempts.at(-1)
      assert.deepStrictEqual([last?.attempt_id, last?.outcome, last?.status], [attempt_id, "started", "in_review"])
      assert.isFalse(yield* repo.cancel({ workspace_id: tenant.caller.workspace_id, id: job_id!, at: "2026-01-01" }))
    })
  )

  it.effect("that uses up the last try by its job's end closes the observation, however the job ends", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const ref = yield* anOpenFinding(tenant)
      yield* ended((yield* fix(tenant, ref)).job_id, "failed")
      yield* ended((yield* fix(tenant, ref)).job_id, "completed")
      const last = yield* fix(tenant, ref)
      const at = "2026-01-02T00:00:00.000Z"
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE jobs SET status = 'running', run = 3 WHERE id = ${last.job_id}`
      const repo = yield* JobsRepo
      yield* repo.fail({ id: last.job_id, run: 3, failure_kind: "worker_lost", error: "Lost three times.", at })
      const { status, dismissal_category, closed_by, attempts } = yield* detail(tenant, ref)
      assert.deepStrictEqual(
        [status, dismissal_category, closed_by?.label, attempts.at(-1)?.last_failure_reason],
        ["closed", "exhausted_fix_attempts", "fix", "Lost three times."]
      )
    })
  )

  it.effect("ends with the jobs of a repository that is deleted", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const ref = yield* anOpenFinding(tenant)
      const { attempt_id } = yield* fix(tenant, ref)
      yield* as(tenant)(Effect.flatMap(Jobs, (jobs) => jobs.cancelAllOf(tenant.repository_id)))
      const attempt = (yield* detail(tenant, ref)).attempts[0]
      assert.deepStrictEqual([attempt?.attempt_id, attempt?.outcome], [attempt_id, "cancelled"])
    })
  )

  it.effect("run again is the same attempt with a further job, and no further try", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const { workspace_id } = tenant.caller
      const submissions = yield* Submissions
      const prs = yield* FixPrs
      const ref = yield* anOpenFinding(tenant)
      const number = numberOf(ref)
      const first = yield* fix(tenant, ref)
      const begun = Option.getOrThrow(yield* prs.begin({ id: first.job_id, workspace_id, number }))
      assert.deepStrictEqual(
        [begun.id, begun.number, begun.branch, begun.kind, begun.instructions, begun.observation.ref],
        [first.attempt_id, 1, `assay/fix-obs-${number}`, "fix", null, ref]
      )
      yield* ended(first.job_id, "failed")
      assert.deepStrictEqual(yield* prs.begin({ id: first.job_id, workspace_id, number }), Option.none())
      const { job } = yield* as(tenant)(submissions.retry(first.job_id))
      const again = Option.getOrThrow(yield* prs.begin({ id: job.id, workspace_id, number }))
      assert.deepStrictEqual([again.id, again.kind, again.branch], [first.attempt_id, "retry", begun.branch])
      const { attempts, fix_attempts, events } = yield* detail(tenant, ref)
      assert.deepStrictEqual(
        attempts.map(({ number, job_ids, job_id, outcome, finished_at }) => [
          number,
          job_ids,
          job_id,
          outcome,
          finished_at
        ]),
        [[1, [first.job_id, job.id], first.job_id, "started", null]]
      )
      assert.strictEqual(fix_attempts, 1)
      assert.deepStrictEqual(
        events.map(({ event }) => event),
        ["fix_started", "fix_failed", "fix_retried"]
      )
      yield* ended(job.id, "failed")
      assert.deepStrictEqual(
        [(yield* detail(tenant, ref)).fix_attempts, (yield* detail(tenant, ref)).status],
        [1, "new"]
      )
    })
  )

  it.effect("cannot run again while another is under way, nor once its observation is closed", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const submissions = yield* Submissions
      const ref = yield* anOpenFinding(tenant)
      const { job_id } = yield* fix(tenant, ref)
      yield* ended(job_id, "failed")
      const second = yield* fix(tenant, ref)
      const retry = Effect.flip(as(tenant)(submissions.retry(job_id))).pipe(
        Effect.map(({ spec, message }) => [spec.status, spec.code, message])
      )
      assert.deepStrictEqual(yield* retry, [
        409,
        "job_not_retryable",
        `A fix of ${ref} is under way already; await or cancel that job.`
      ])
      yield* ended(second.job_id, "failed")
      const observations = yield* Observations
      yield* as(tenant)(observations.complete(numberOf(ref), {}))
      assert.deepStrictEqual(yield* retry, [
        409,
        "job_not_retryable",
        `${ref} is closed (completed); reopen it, then request a new fix of it.`
      ])
      const jobs = yield* as(tenant)(Effect.flatMap(Jobs, (service) => service.list({})))
      assert.strictEqual(jobs.data.length, 2)
    })
  )

  it.effect("submitted as a job gets an attempt when it runs, unless the tries are used up", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const { workspace_id } = tenant.caller
      const prs = yield* FixPrs
      const [ref, spent] = yield* observationsIn(tenant, [{}, { fix_attempts: 3 }])
      for (const [of, has] of [
        [ref!, true],
        [spent!, false]
      ] as const) {
        const job = yield* submitted(tenant, "fix", { ref: of })
        const attempt = yield* prs.begin({ id: job.id, workspace_id, number: numberOf(of) })
        assert.strictEqual(Option.isSome(attempt), has)
        assert.deepStrictEqual(
          (yield* detail(tenant, of)).attempts.map(({ job_ids }) => job_ids),
          has ? [[job.id]] : []
        )
        assert.strictEqual((yield* prs.rejectionOfJob({ workspace_id, number: numberOf(of) })) === null, false)
      }
    })
  )

  it.effect("keeps the newest result of each gate, and a diff of whole lines", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const fixes = yield* Fixes
      const prs = yield* FixPrs
      const ref = yield* anOpenFinding(tenant)
      const none = yield* Effect.flip(as(tenant)(fixes.diff(numberOf(ref))))
      assert.strictEqual(none._tag, "NoFixDiff")
      const attempt = keyOf(tenant, (yield* fix(tenant, ref)).attempt_id)
      const gates = [
        ["still_present", "passed", 1],
        ["edit", "passed", 1],
        ["parse", "failed", 1],
        ["edit", "passed", 2],
        ["scope", "warned", 2],
        ["push", "skipped", 3]
      ] as const
      for (const [name, result, round] of [...gates, ...gates]) {
        yield* prs.gate(attempt, { name, result, round, reason: `${result} ${round}` })
      }
      const line = `+${"é".repeat(99)}\n`
      assert.isTrue(yield* prs.proposed(attempt, { ...proposal, diff: line.repeat(2000) }))
      assert.deepStrictEqual((yield* detail(tenant, ref)).attempts[0]?.gates, [
        { name: "still_present", result: "passed", reason: "passed 1" },
        { name: "edit", result: "passed", reason: "passed 2" },
        { name: "scope", result: "warned", reason: "warned 2" },
        { name: "push", result: "skipped", reason: "skipped 3" }
      ])
      const { diff, ...rest } = yield* as(tenant)(fixes.diff(numberOf(ref)))
      assert.deepStrictEqual(rest, {
        attempt_id: attempt.id,
        base_commit: "c0ffee",
        head_commit: "decade",
        truncated: true
      })
      assert.strictEqual(diff, line.repeat(1280))
      yield* prs.opened(attempt, pr)
      assert.isFalse(yield* prs.proposed(attempt, proposal))
    })
  )
})

layer(servicesWith(aFix))("a fix pull request", (it) => {
  it.effect("takes the observation out of what is new and into the lane; closed unmerged, it is back", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const [ref, other] = yield* observationsIn(tenant, [{}, {}])
      const attempt = yield* withPr(tenant, ref!)
      assert.deepStrictEqual(yield* listed(tenant, { status: "new" }), [other])
      assert.deepStrictEqual(yield* listed(tenant, {}), [other, ref])
      assert.deepStrictEqual(yield* listed(tenant, { has_fix_pr: true }), [ref])
      assert.deepStrictEqual(yield* listed(tenant, { has_fix_pr: false }), [other])
      assert.deepStrictEqual(yield* listed(tenant, { has_fix_pr: true, status: "new" }), [])
      const { data, has_more, next_cursor } = yield* lane(tenant)
      const observation = yield* detail(tenant, ref!)
      assert.deepStrictEqual(data, [
        {
          attempt_id: attempt.id,
          observation_id: observation.id,
          ref: ref!,
          title: observation.title,
          pr_url: "https://example.org/pr/7",
          status: "in_review",
          number: 7,
          outcome: "started",
          dismissal_category: null,
          dismissal_note: null,
          finished_at: null,
          last_failure_reason: null,
          started_at: data[0]?.started_at ?? null
        }
      ])
      assert.deepStrictEqual([has_more, next_cursor], [false, null])

      const prs = yield* FixPrs
      for (const [change, status] of [
        [prs.conflicted(attempt, "It does not apply."), "needs_attention"],
        [prs.conflictResolved(attempt), "in_review"]
      ] as const) {
        assert.isTrue(yield* change)
        assert.strictEqual((yield* lane(tenant)).data[0]?.status, status)
        assert.deepStrictEqual(yield* listed(tenant, { status: "new" }), [other])
      }
      yield* prs.ended(attempt, "pr_rejected", "Not this way.")
      assert.deepStrictEqual(yield* listed(tenant, { status: "new" }), [other, ref])
      assert.deepStrictEqual(yield* listed(tenant, { has_fix_pr: true, status: "new" }), [ref])
      const [closed] = (yield* lane(tenant)).data
      assert.deepStrictEqual(
        [closed?.status, closed?.outcome, closed?.last_failure_reason, closed?.finished_at !== null],
        ["closed", "pr_rejected", "Not this way.", true]
      )
    })
  )

  it.effect("merged closes the observation as fixed, unless a user closed it before", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const observations = yield* Observations
      const prs = yield* FixPrs
      const [ref, done] = yield* observationsIn(tenant, [{}, {}])
      const attempt = yield* withPr(tenant, ref!)
      assert.isTrue(yield* prs.merged(attempt, merge))
      const fixed = yield* detail(tenant, ref!)
      assert.deepStrictEqual([fixed.status, fixed.close_reason, fixed.closed_by?.label], ["closed", "fixed", "fix"])
      assert.deepStrictEqual(
        fixed.events.map(({ event }) => event),
        ["fix_started", "fix_pr_opened", "fix_pr_merged", "fixed"]
      )
      assert.deepStrictEqual([fixed.attempts[0]?.outcome, fixed.attempts[0]?.status], ["pr_merged", "merged"])
      assert.deepStrictEqual(yield* listed(tenant, { close_reason: "fixed" }), [ref])

      const second = yield* withPr(tenant, done!)
      yield* as(tenant)(observations.complete(numberOf(done!), {}))
      yield* prs.merged(second, merge)
      assert.strictEqual((yield* detail(tenant, done!)).close_reason, "completed")
      assert.deepStrictEqual(yield* listed(tenant, { status: "new" }), [])
    })
  )

  it.effect("that has ended gets no further reports", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const prs = yield* FixPrs
      const ref = yield* anOpenFinding(tenant)
      const attempt = yield* withPr(tenant, ref)
      yield* prs.ended(attempt, "pr_rejected")
      const before = yield* lane(tenant)
      assert.deepStrictEqual(
        [
          yield* prs.opened(attempt, { ...pr, pr_number: 8 }),
          yield* prs.revised(attempt, proposal),
          yield* prs.merged(attempt, merge),
          yield* prs.ended(attempt, "failed"),
          yield* prs.merged(keyOf(tenant, yield* newId(AttemptId)), merge)
        ],
        [false, false, false, false, false]
      )
      assert.deepStrictEqual(yield* lane(tenant), before)
    })
  )

  it.effect("that is not there yet can be neither merged nor rejected", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const prs = yield* FixPrs
      const attempt = keyOf(tenant, (yield* fix(tenant, yield* anOpenFinding(tenant))).attempt_id)
      assert.deepStrictEqual(
        [
          yield* prs.merged(attempt, merge),
          yield* prs.ended(attempt, "pr_rejected"),
          yield* prs.ended(attempt, "withdrawn"),
          yield* prs.conflicted(attempt, "It does not apply."),
          yield* prs.revised(attempt, proposal)
        ],
        [false, false, false, false, false]
      )
    })
  )

  it.effect("moves updated_at of its observation", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const sql = yield* SqlClient.SqlClient
      const ref = yield* anOpenFinding(tenant)
      const attempt = yield* withPr(tenant, ref)
      yield* sql`UPDATE fix_attempts SET updated_at = '2031-01-01T00:00:00Z' WHERE id = ${attempt.id}`
      assert.strictEqual((yield* detail(tenant, ref)).updated_at, "2031-01-01T00:00:00.000Z")
    })
  )

  it.effect("is listed once in pages, newest first, and never to another workspace", () =>
    Effect.gen(function* () {
      const [tenant, stranger] = [yield* aTenant(), yield* aTenant()]
      const refs = yield* observationsIn(
        tenant,
        Array.from({ length: 5 }, () => ({}))
      )
      for (const ref of refs) yield* withPr(tenant, ref)
      const seen: Array<string> = []
      let cursor: string | null = null
      do {
        const page: Effect.Effect.Success<ReturnType<typeof lane>> = yield* lane(tenant, {
          limit: 2,
          ...(cursor === null ? {} : { cursor })
        })
        seen.push(...page.data.map(({ ref }) => ref))
        cursor = page.next_cursor
      } while (cursor !== null)
      assert.deepStrictEqual(seen, [...refs].reverse())
      assert.deepStrictEqual((yield* lane(stranger)).data, [])
      const { next_cursor } = yield* lane(tenant, { limit: 2 })
      const rejection = yield* Effect.flip(lane(stranger, { cursor: next_cursor! }))
      assert.strictEqual(rejection._tag, "InvalidCursor")
    })
  )
})

layer(servicesWith(aWorkflow("standard_audit")))("where no fix is served", (it) => {
  it.effect("asking for one is 402 with the workflows that are, and writes nothing", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const ref = yield* anOpenFinding(tenant)
      const rejection = yield* Effect.flip(fix(tenant, ref))
      assert.strictEqual(rejection._tag, "WorkflowNotEntitled")
      assert.deepStrictEqual(rejection.details, { allowed_workflows: ["standard_audit"] })
      const { attempts, fix_available } = yield* detail(tenant, ref)
      assert.deepStrictEqual([attempts, fix_available], [[], false])
    })
  )
})
