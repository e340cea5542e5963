import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, TestClock } from "effect"
import { ObservationNumber } from "../../../src/schema/Observation.ts"
import { Uuid } from "../../../src/schema/Text.ts"
import { Observations } from "../../../src/services/observations/Observations.ts"
import { Overviews } from "../../../src/services/overview/Overviews.ts"
import { Scores } from "../../../src/services/overview/Scores.ts"
import { newId } from "../../../src/services/support/ids.ts"
import { jsonb } from "../../../src/services/support/statements.ts"
import { anObservation, aRegisteredRepository, as, aWorkspace, type Person } from "../../support/builders.ts"
import { TestApp } from "../../support/TestApp.ts"

const path = { github_org: "acme", github_repo: "api", github_base_branch: "main" }

/** An audit that ends now, a minute after whatever was before. */
const audited = (owner: Person, repository: { readonly id: string }, workflow = "audit", domains = ["security"]) =>
  Effect.gen(function* () {
    yield* TestClock.adjust("1 minute")
    const sql = yield* SqlClient.SqlClient
    const at = DateTime.formatIso(yield* DateTime.now)
    const tools = { domains: Object.fromEntries(domains.map((domain) => [domain, ["a_tool"]])) }
    const id = yield* newId(Uuid)
    yield* sql`INSERT INTO jobs (id, original_job_id, workspace_id, repository_id, workflow, status, dedupe_hash,
        created_at, queued_at, started_at, finished_at, requested_by, result)
      VALUES (${id}, ${id}, ${owner.workspace_id}, ${repository.id}, ${workflow}, 'completed', ${id}, ${at}, ${at}, ${at},
        ${at}, ${jsonb(owner.caller.actor)}, ${jsonb({ inventory: { lines: 1000 }, tools })})`
    yield* TestClock.adjust("1 minute")
  }).pipe(Effect.orDie)

const dismiss = (owner: Person, ref: string) =>
  Effect.flatMap(Observations, (observations) =>
    observations.dismiss(ObservationNumber.make(Number(ref.slice(4))), {
      dismissal_category: "wont_fix",
      dismissal_note: "Known and accepted."
    })
  ).pipe(as(owner), Effect.orDie)

const reopen = (owner: Person, ref: string) =>
  Effect.flatMap(Observations, (observations) =>
    observations.reopen(ObservationNumber.make(Number(ref.slice(4))), { reopen_reason: "It is still there." })
  ).pipe(as(owner), Effect.orDie)

const securityOf = (owner: Person) =>
  Effect.gen(function* () {
    const { benchmark } = yield* Effect.flatMap(Overviews, (overviews) => overviews.ofRepository(path))
    const { data } = yield* Effect.flatMap(Scores, (scores) => scores.list({}))
    const [{ score, change } = { score: null, change: null }] = benchmark
    assert.deepStrictEqual(data[0]?.scores[0], { domain: "security", score, change })
    return { score, change }
  }).pipe(as(owner), Effect.orDie)

layer(TestApp)("the change of a score", (it) => {
  it.effect("is null after the first audit, and what was gained since right after the one before the newest", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      const repository = yield* aRegisteredRepository(owner)
      const first = yield* anObservation(owner, repository, { priority: "P2" })
      yield* audited(owner, repository)
      const before = yield* securityOf(owner)
      assert.deepStrictEqual(before, { score: 88, change: null })

      yield* dismiss(owner, first)
      yield* audited(owner, repository)
      assert.deepStrictEqual(yield* securityOf(owner), { score: 100, change: 12 })

      yield* anObservation(owner, repository, { priority: "P0" })
      assert.deepStrictEqual(yield* securityOf(owner), { score: 50, change: -38 })
    })
  )

  it.effect("counts as open what was open then, however often it was closed and reopened since", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      const repository = yield* aRegisteredRepository(owner)
      const [kept, closed] = [
        yield* anObservation(owner, repository, { priority: "P2" }),
        yield* anObservation(owner, repository, { priority: "P2" })
      ]
      yield* dismiss(owner, closed)
      yield* audited(owner, repository)
      const { score } = yield* securityOf(owner)
      yield* dismiss(owner, kept)
      yield* reopen(owner, kept)
      yield* dismiss(owner, kept)
      yield* reopen(owner, closed)
      yield* TestClock.adjust("1 minute")
      yield* dismiss(owner, closed)
      yield* audited(owner, repository)
      assert.deepStrictEqual([score, yield* securityOf(owner)], [88, { score: 100, change: 12 }])
    })
  )

  it.effect("is null where the audit before had not looked at the domain", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      const repository = yield* aRegisteredRepository(owner)
      yield* audited(owner, repository, "standard_audit", ["testing"])
      yield* audited(owner, repository)
      assert.deepStrictEqual(yield* securityOf(owner), { score: 100, change: null })
      const { data } = yield* Effect.flatMap(Scores, (scores) => scores.list({})).pipe(as(owner))
      assert.deepStrictEqual(
        data[0]?.scores.find(({ domain }) => domain === "testing"),
        { domain: "testing", score: 100, change: 0 }
      )
    })
  )
})
