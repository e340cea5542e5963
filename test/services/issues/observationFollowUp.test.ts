import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Option } from "effect"
import { JobId, type ObservationId } from "../../../src/schema/Ids.ts"
import { IssueNumber } from "../../../src/schema/Issue.ts"
import type { CloseReason } from "../../../src/schema/Observation.ts"
import { withinWorkspace, withReach } from "../../../src/services/access/Reach.ts"
import { IssuesFromFindings } from "../../../src/services/issues/IssuesFromFindings.ts"
import { IssueWriter } from "../../../src/services/issues/IssueWriter.ts"
import { BulkTriage } from "../../../src/services/observations/BulkTriage.ts"
import { ObservationStateRepo } from "../../../src/services/observations/ObservationStateRepo.ts"
import { Observations } from "../../../src/services/observations/Observations.ts"
import { transactional } from "../../../src/services/support/transactional.ts"
import {
  aJob,
  anObservation,
  aProject,
  aRegisteredRepository,
  as,
  aWorkspace,
  type Person
} from "../../support/builders.ts"
import { numberOf } from "../../support/services.ts"
import { TestApp } from "../../support/TestApp.ts"

const at = "2026-11-23T10:00:00.000Z"
const auditor = { kind: "system", label: "audit", api_key_id: null, user_id: null } as const

/** An issue about so many findings of one rule. */
const anIssue = (findings: number) =>
  Effect.gen(function* () {
    const owner = yield* aWorkspace()
    yield* aProject(owner, { name: "Plans" })
    const repository = yield* aRegisteredRepository(owner)
    const refs = yield* Effect.replicateEffect(anObservation(owner, repository), findings)
    const filing = yield* IssuesFromFindings
    yield* filing.run({ project: "plans", refs: refs.map((ref) => numberOf(ref)), group_by: "rule" }).pipe(as(owner))
    return { owner, repository, refs, numbers: refs.map((ref) => numberOf(ref)) }
  })

const issueOf = (owner: Person) =>
  Effect.flatMap(IssueWriter, (writer) => writer.read(IssueNumber.make(1))).pipe(
    Effect.map(({ status, acceptance_criteria, version }) => ({
      status,
      version,
      met: acceptance_criteria.map(({ met_by }) => met_by?.kind ?? null)
    })),
    as(owner)
  )

const eventsOf = ({ workspace_id }: Person) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<{
      readonly event: string
      readonly kind: string
      readonly observation: string | null
      readonly reason: string | null
    }>`
      SELECT event, actor->>'kind' AS kind, detail->>'observation' AS observation, detail->>'close_reason' AS reason
      FROM issue_events WHERE workspace_id = ${workspace_id} AND event <> 'created' ORDER BY seq`
  )

const idOf = ({ workspace_id }: Person, ref: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<{ readonly id: ObservationId }>`SELECT id FROM observations
        WHERE workspace_id = ${workspace_id} AND number = ${numberOf(ref)}`,
      (rows) => rows[0]!.id
    )
  )

/** As audits and merged fixes close an observation. */
const closedByJob = (owner: Person, ref: string, close_reason: CloseReason, job_id: JobId) =>
  Effect.gen(function* () {
    const states = yield* ObservationStateRepo
    const { workspace_id } = owner
    const id = yield* idOf(owner, ref)
    const change = { workspace_id, id, at, actor: auditor, job_id, reason: "the code is no longer there" }
    return Option.isSome(yield* states.close({ ...change, closing: { close_reason } }))
  }).pipe(withinWorkspace(owner.workspace_id), withReach)

layer(TestApp)("an issue whose observations are closed or reopened", (it) => {
  it.effect("has their criteria met, in the name of who closed them, and goes to review with the last one", () =>
    Effect.gen(function* () {
      const { owner, repository, refs, numbers } = yield* anIssue(3)
      const observations = yield* Observations
      const job = yield* aJob(owner, repository)
      yield* observations.complete(numbers[0]!, {}).pipe(as(owner))
      assert.deepStrictEqual(yield* issueOf(owner), { status: "open", version: 2, met: ["user", null, null] })
      assert.isTrue(yield* closedByJob(owner, refs[1]!, "expired", JobId.make(job.id)))
      assert.isTrue(yield* closedByJob(owner, refs[2]!, "fixed", JobId.make(job.id)))
      assert.deepStrictEqual(yield* issueOf(owner), { status: "in_review", version: 4, met: ["user", "job", "job"] })
      assert.deepStrictEqual(yield* eventsOf(owner), [
        { event: "criterion_met", kind: "user", observation: refs[0]!, reason: "completed" },
        { event: "criterion_met", kind: "job", observation: refs[1]!, reason: "expired" },
        { event: "criterion_met", kind: "job", observation: refs[2]!, reason: "fixed" },
        { event: "status_changed", kind: "system", observation: null, reason: null }
      ])
    })
  )

  it.effect("notes a dismissal and meets nothing; a reopened one is no longer met", () =>
    Effect.gen(function* () {
      const { owner, refs, numbers } = yield* anIssue(2)
      const observations = yield* Observations
      const dismissal = { dismissal_category: "wont_fix", dismissal_note: "It is a test fixture." } as const
      yield* observations.dismiss(numbers[0]!, dismissal).pipe(as(owner))
      assert.deepStrictEqual(yield* issueOf(owner), { status: "open", version: 1, met: [null, null] })
      yield* observations.complete(numbers[1]!, {}).pipe(as(owner))
      yield* observations.reopen(numbers[1]!, { reopen_reason: "Not yet." }).pipe(as(owner))
      yield* observations.reopen(numbers[0]!, { reopen_reason: "It is real." }).pipe(as(owner))
      assert.deepStrictEqual(yield* issueOf(owner), { status: "open", version: 3, met: [null, null] })
      assert.deepStrictEqual(
        (yield* eventsOf(owner)).map(({ event, observation }) => [event, observation]),
        [
          ["observation_closed", refs[0]],
          ["criterion_met", refs[1]],
          ["criterion_unmet", refs[1]],
          ["observation_reopened", refs[0]]
        ]
      )
    })
  )

  it.effect("follows a change of many observations, and its undo", () =>
    Effect.gen(function* () {
      const { owner, numbers } = yield* anIssue(3)
      const bulk = yield* BulkTriage
      const done = yield* bulk.run({ action: "complete", refs: numbers }).pipe(as(owner))
      assert.deepStrictEqual(yield* issueOf(owner), { status: "in_review", version: 2, met: ["user", "user", "user"] })
      const operation_id = "operation_id" in done ? done.operation_id : ""
      yield* bulk.undo(operation_id).pipe(as(owner))
      assert.deepStrictEqual(yield* issueOf(owner), { status: "in_review", version: 3, met: [null, null, null] })
      const events = yield* eventsOf(owner)
      assert.strictEqual(events.filter(({ event }) => event === "criterion_unmet").length, 3)
    })
  )

  it.effect("keeps what it was closed with, and notes what comes later", () =>
    Effect.gen(function* () {
      const { owner, numbers } = yield* anIssue(1)
      const observations = yield* Observations
      const sql = yield* SqlClient.SqlClient
      yield* observations.complete(numbers[0]!, {}).pipe(as(owner))
      yield* sql`UPDATE issues SET status = 'done', close_reason = 'completed', closed_at = now()
        WHERE workspace_id = ${owner.workspace_id}`
      yield* observations.reopen(numbers[0]!, { reopen_reason: "It came back." }).pipe(as(owner))
      assert.deepStrictEqual(yield* issueOf(owner), { status: "done", version: 2, met: ["user"] })
      assert.strictEqual((yield* eventsOf(owner)).at(-1)?.event, "observation_reopened")
    })
  )

  it.effect("changes in the transaction of the observation, or not at all", () =>
    Effect.gen(function* () {
      const { owner, numbers } = yield* anIssue(1)
      const observations = yield* Observations
      const inTransaction = transactional(yield* SqlClient.SqlClient)
      const undone = Effect.zipRight(observations.complete(numbers[0]!, {}).pipe(as(owner)), Effect.fail("undone"))
      assert.strictEqual(yield* Effect.flip(inTransaction(undone)), "undone")
      assert.deepStrictEqual(yield* issueOf(owner), { status: "open", version: 1, met: [null] })
      assert.deepStrictEqual(yield* eventsOf(owner), [])
    })
  )

  it.effect("changes, too, where the one who closes the observation may not see it", () =>
    Effect.gen(function* () {
      const { owner, numbers } = yield* anIssue(1)
      const secret = yield* aRegisteredRepository(owner, "vault")
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE issues SET repository_ids = ${[secret.id]}::uuid[] WHERE workspace_id = ${owner.workspace_id}`
      const blind = { caller: { ...owner.caller, hidden_repositories: [secret.id] } }
      const observations = yield* Observations
      yield* observations.complete(numbers[0]!, {}).pipe(withReach, as(blind))
      assert.deepStrictEqual((yield* issueOf(owner)).status, "in_review")
    })
  )

  it.effect("does not make triage wait for an audit that has closed others of its observations", () =>
    Effect.gen(function* () {
      const { owner, repository, refs, numbers } = yield* anIssue(3)
      const job = yield* aJob(owner, repository)
      const inTransaction = transactional(yield* SqlClient.SqlClient)
      const observations = yield* Observations
      const [closed, triaged] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const audit = inTransaction(
        Effect.gen(function* () {
          yield* closedByJob(owner, refs[0]!, "expired", JobId.make(job.id))
          yield* Deferred.succeed(closed, undefined)
          yield* Deferred.await(triaged)
          yield* closedByJob(owner, refs[1]!, "expired", JobId.make(job.id))
        })
      )
      const triage = Deferred.await(closed).pipe(
        Effect.zipRight(observations.complete(numbers[2]!, {}).pipe(as(owner))),
        Effect.zipRight(Deferred.succeed(triaged, undefined))
      )
      yield* Effect.all([audit, triage], { concurrency: "unbounded" })
      assert.deepStrictEqual(yield* issueOf(owner), { status: "in_review", version: 3, met: ["job", "job", "user"] })
    })
  )
})
