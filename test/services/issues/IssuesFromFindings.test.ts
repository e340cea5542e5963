import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { FileIssuesFromFindings } from "../../../src/schema/IssueRequests.ts"
import { withReach } from "../../../src/services/access/Reach.ts"
import { IssuesFromFindings } from "../../../src/services/issues/IssuesFromFindings.ts"
import { Observations } from "../../../src/services/observations/Observations.ts"
import {
  aMember,
  anObservation,
  aProject,
  aRegisteredRepository,
  as,
  aWorkspace,
  type Person
} from "../../support/builders.ts"
import { numberOf } from "../../support/services.ts"
import { TestApp } from "../../support/TestApp.ts"

const file = (person: Pick<Person, "caller">, request: Partial<FileIssuesFromFindings>) =>
  Effect.flatMap(IssuesFromFindings, (filing) => filing.run({ project: "plans", ...request })).pipe(
    withReach,
    as(person)
  )

const codeOf = <A, R>(effect: Effect.Effect<A, { readonly spec: { readonly code: string } }, R>) =>
  Effect.match(effect, { onFailure: ({ spec }) => spec.code, onSuccess: () => "ok" })

/** A project, a repository and open findings in it. */
const aBacklog = (count: number) =>
  Effect.gen(function* () {
    const owner = yield* aWorkspace()
    yield* aProject(owner, { name: "Plans" })
    const repository = yield* aRegisteredRepository(owner)
    const refs = yield* Effect.replicateEffect(anObservation(owner, repository), count)
    return { owner, repository, refs, numbers: refs.map((ref) => numberOf(ref)) }
  })

layer(TestApp)("issues from findings", (it) => {
  it.effect(
    "are filed once: a finding with an open issue is reported with it, and what cannot be filed with the reason",
    () =>
      Effect.gen(function* () {
        const { owner, repository, refs, numbers } = yield* aBacklog(2)
        const closed = yield* anObservation(owner, repository, { closed: true })
        const first = yield* file(owner, { refs: [numbers[0]!] })
        assert.deepStrictEqual(
          first.created.map(({ ref, title, status, priority, repos, observations, acceptance_criteria }) => [
            ref,
            title,
            status,
            priority,
            repos,
            observations,
            acceptance_criteria.map(({ text, met }) => [text, met])
          ]),
          [
            [
              "ISS-1",
              "A key in the source in src/index.ts",
              "open",
              "P1",
              ["acme/api@main"],
              [refs[0]],
              [[`${refs[0]} is fixed: A key in the source, src/index.ts:1`, false]]
            ]
          ]
        )
        const second = yield* file(owner, {
          refs: [numbers[1]!, numbers[0]!, numbers[1]!, numberOf(closed), numberOf("OBS-999")]
        })
        assert.deepStrictEqual(
          second.created.map(({ ref }) => ref),
          ["ISS-2"]
        )
        assert.deepStrictEqual(second.existing, [{ ref: refs[0], issue: "ISS-1" }])
        assert.deepStrictEqual(second.skipped, [
          { ref: closed, reason: "closed" },
          { ref: "OBS-999", reason: "not_found" }
        ])
        const sql = yield* SqlClient.SqlClient
        const logged = yield* sql`SELECT object_kind || ':' || object_ref AS object, after FROM audit_log
        WHERE workspace_id = ${owner.workspace_id} AND after ? 'filed_issues' ORDER BY id`
        assert.deepStrictEqual(logged, [
          { object: "project:plans", after: { filed_issues: ["ISS-1"], count: 1 } },
          { object: "project:plans", after: { filed_issues: ["ISS-2"], count: 1 } }
        ])
        // Once its issue is closed, an open finding may be filed again.
        yield* sql`UPDATE issues SET status = 'cancelled', close_reason = 'cancelled', closed_at = now()
        WHERE workspace_id = ${owner.workspace_id} AND number = 1`
        assert.lengthOf((yield* file(owner, { refs: [numbers[0]!] })).created, 1)
      })
  )

  it.effect("are each filed by one of several calls at the same time", () =>
    Effect.gen(function* () {
      const { owner, refs, numbers } = yield* aBacklog(12)
      const calls = yield* Effect.forEach(
        [0, 1, 2, 3, 4, 5],
        (turn) => file(owner, { refs: [...numbers.slice(turn), ...numbers.slice(0, turn)] }),
        { concurrency: "unbounded" }
      )
      const created = calls.flatMap(({ created }) => created.flatMap(({ observations }) => observations))
      assert.sameMembers(created, refs)
      assert.lengthOf(created, refs.length)
      for (const { created, existing } of calls) assert.strictEqual(created.length + existing.length, refs.length)
    })
  )

  it.effect("are one for each rule where the call says so, with one criterion for each finding", () =>
    Effect.gen(function* () {
      const { owner, refs } = yield* aBacklog(3)
      const { created } = yield* file(owner, { filter: { repo: "api@main" }, group_by: "rule" })
      assert.deepStrictEqual(
        created.map(({ observations, acceptance_criteria }) => [observations, acceptance_criteria.length]),
        [[refs, 3]]
      )
    })
  )

  it.effect("are what a preview counts and names, and a preview files nothing", () =>
    Effect.gen(function* () {
      const { owner, repository, refs, numbers } = yield* aBacklog(3)
      const closed = yield* anObservation(owner, repository, { closed: true })
      yield* file(owner, { refs: [numbers[0]!] })
      const request = { refs: [...numbers, numberOf(closed)] }
      const each = yield* file(owner, { ...request, preview: true })
      assert.deepStrictEqual([each.created, each.preview?.count, each.preview?.titles.length], [[], 2, 2])
      assert.deepStrictEqual(each.existing, [{ ref: refs[0], issue: "ISS-1" }])
      assert.deepStrictEqual(each.skipped, [{ ref: closed, reason: "closed" }])
      const ofRule = { ...request, group_by: "rule" } as const
      const grouped = yield* file(owner, { ...ofRule, preview: true })
      const { created, existing, skipped } = yield* file(owner, ofRule)
      const expected = { count: created.length, titles: created.map(({ title }) => title) }
      assert.deepStrictEqual(grouped, { created: [], existing, skipped, preview: expected })
      const member = yield* aMember(owner.workspace_id, "member")
      assert.strictEqual(yield* codeOf(file(member, { ...request, preview: true })), "project_access_required")
    })
  )

  it.effect("of a filter are those of open findings, at most 100 of them", () =>
    Effect.gen(function* () {
      const { owner, repository, refs } = yield* aBacklog(2)
      yield* Effect.replicateEffect(anObservation(owner, repository, { closed: true }), 100)
      const { created, skipped } = yield* file(owner, { filter: {} })
      assert.sameMembers(
        created.flatMap(({ observations }) => observations),
        refs
      )
      assert.deepStrictEqual(skipped, [])
      yield* Effect.replicateEffect(anObservation(owner, repository), 99)
      assert.strictEqual(yield* codeOf(file(owner, { filter: {} })), "too_many")
    })
  )

  it.effect("need an editor of the project, and either references or a filter", () =>
    Effect.gen(function* () {
      const { owner, numbers } = yield* aBacklog(1)
      const member = yield* aMember(owner.workspace_id, "member")
      assert.strictEqual(yield* codeOf(file(member, { refs: numbers })), "project_access_required")
      assert.strictEqual(yield* codeOf(file(owner, { project: "absent", refs: numbers })), "project_not_found")
      assert.strictEqual(yield* codeOf(file(owner, {})), "invalid_payload")
      assert.strictEqual(yield* codeOf(file(owner, { refs: numbers, filter: {} })), "invalid_payload")
    })
  )

  it.effect("disclose no finding and no issue that the caller may not see", () =>
    Effect.gen(function* () {
      const { owner, refs, numbers } = yield* aBacklog(1)
      const secret = yield* aRegisteredRepository(owner, "vault")
      const hidden = numberOf(yield* anObservation(owner, secret))
      const sql = yield* SqlClient.SqlClient
      yield* file(owner, { refs: numbers })
      yield* sql`UPDATE issues SET repository_ids = ${[secret.id]}::uuid[] WHERE workspace_id = ${owner.workspace_id}`
      const blind = { caller: { ...owner.caller, hidden_repositories: [secret.id] } }
      const outcome = yield* file(blind, { refs: [...numbers, hidden] })
      assert.deepStrictEqual(
        outcome.created.map(({ observations }) => observations),
        [refs]
      )
      assert.deepStrictEqual([outcome.existing, outcome.skipped], [[], [{ ref: `OBS-${hidden}`, reason: "not_found" }]])
      // Nothing is changed by a call that finds all of them filed.
      const observations = yield* Observations
      yield* observations.complete(numbers[0]!, {}).pipe(as(owner))
      assert.lengthOf((yield* file(blind, { refs: numbers })).existing, 1)
    })
  )
})
