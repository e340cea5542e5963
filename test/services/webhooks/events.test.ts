import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { Uuid } from "../../../src/schema/Text.ts"
import type { CreateWebhook } from "../../../src/schema/Webhook.ts"
import { Observations } from "../../../src/services/observations/Observations.ts"
import { newId } from "../../../src/services/support/ids.ts"
import { now } from "../../../src/services/support/now.ts"
import { jsonb } from "../../../src/services/support/statements.ts"
import {
  aFailedFix,
  aJob,
  aKey,
  anObservation,
  aProject,
  aRegisteredRepository,
  as,
  aWebhook,
  aWorkspace,
  type Person
} from "../../support/builders.ts"
import { numberOf } from "../../support/services.ts"
import { TestApp } from "../../support/TestApp.ts"
import { deliveriesTo } from "../../support/webhooks.ts"
import { jsonOf, send } from "../../support/wire.ts"

const typesFor = (webhook: { readonly id: string }) =>
  Effect.map(deliveriesTo(webhook.id), (found) => found.map(({ type }) => type))

const eventsFor = ({ id }: { readonly id: string }) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<{ readonly type: string; readonly data: Readonly<Record<string, unknown>> }>`
      SELECT e.type, e.data FROM webhook_events e JOIN webhook_deliveries d ON d.event_id = e.id
      WHERE d.webhook_id = ${id} ORDER BY d.position`
  )

const aScene = (request: Partial<CreateWebhook> = {}) =>
  Effect.gen(function* () {
    const owner = yield* aWorkspace()
    const repository = yield* aRegisteredRepository(owner)
    return { owner, repository, webhook: yield* aWebhook(owner, request) }
  })

const acknowledgeAndDismiss = (person: Person, ref: string) =>
  Effect.gen(function* () {
    const observations = yield* Observations
    yield* observations.acknowledge(numberOf(ref))
    yield* observations.dismiss(numberOf(ref), { dismissal_category: "stale", dismissal_note: "Old." })
  }).pipe(as(person))

layer(TestApp)("an endpoint gets events", (it) => {
  it.effect("of observations that are created, closed and reopened, and of nothing else that happens to them", () =>
    Effect.gen(function* () {
      const { owner, repository, webhook } = yield* aScene()
      const ref = yield* anObservation(owner, repository)
      yield* acknowledgeAndDismiss(owner, ref)
      const observations = yield* Observations
      yield* observations.reopen(numberOf(ref), { reopen_reason: "Back." }).pipe(as(owner))
      assert.deepStrictEqual(yield* typesFor(webhook), [
        "observation.created",
        "observation.closed",
        "observation.reopened"
      ])
    })
  )

  it.effect("of jobs that end", () =>
    Effect.gen(function* () {
      const { owner, repository, webhook } = yield* aScene()
      const { api_key } = yield* aKey(owner)
      const job = yield* aJob(owner, repository)
      yield* send({ method: "POST", path: `/api/jobs/${job.id}/cancel`, as: api_key })
      const [event, ...others] = yield* eventsFor(webhook)
      assert.deepStrictEqual(others, [])
      assert.strictEqual(event?.type, "job.cancelled")
      assert.deepInclude(event?.data.job, { id: job.id, status: "cancelled", url: `/api/jobs/${job.id}` })
    })
  )

  it.effect("of fix pull requests that are opened, updated, merged and closed", () =>
    Effect.gen(function* () {
      const { owner, repository, webhook } = yield* aScene({
        events: ["fix_pr.opened", "fix_pr.updated", "fix_pr.merged"]
      })
      const all = yield* aWebhook(owner, { events: ["fix_pr.closed", "fix_pr.opened"] })
      const ref = yield* anObservation(owner, repository)
      yield* aFailedFix(owner, ref)
      const sql = yield* SqlClient.SqlClient
      const set = (outcome: string, pr_status: string, finished: boolean) =>
        sql`UPDATE fix_attempts SET outcome = ${outcome}, pr_status = ${pr_status}, pr_url = 'https://example.org/pull/1',
          finished_at = ${finished ? "2026-01-01T00:00:00Z" : null} WHERE workspace_id = ${owner.workspace_id}`
      yield* set("started", "in_review", false)
      yield* sql`UPDATE fix_attempts SET pr_state_checked_at = updated_at WHERE workspace_id = ${owner.workspace_id}`
      yield* set("started", "revising", false)
      yield* set("pr_merged", "merged", true)
      yield* set("pr_rejected", "closed", true)
      assert.deepStrictEqual(yield* typesFor(webhook), ["fix_pr.opened", "fix_pr.updated", "fix_pr.merged"])
      assert.deepStrictEqual(yield* typesFor(all), ["fix_pr.opened", "fix_pr.closed"])
      const [event] = yield* eventsFor(webhook)
      assert.deepInclude(event?.data.fix_pr, { ref, status: "in_review", pr_url: "https://example.org/pull/1" })
    })
  )

  it.effect("of context entries that are proposed and confirmed, with the repositories of their level", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      yield* aRegisteredRepository(owner)
      const all = yield* aWebhook(owner)
      const ofRepository = yield* aWebhook(owner, { repos: ["api@main"] })
      const { slug } = yield* aProject(owner, { name: "Shop" })
      const path = { github_org: "acme", github_repo: "api", github_base_branch: "main" }
      yield* send({ path: `/api/projects/${slug}/repositories`, as: owner.session, json: path })
      const { api_key } = yield* aKey(owner)
      const entry = { key: "deploys/rules", kind: "note", title: "Deploys", summary: "On Mondays." }
      for (const prefix of ["/api/context", `/api/projects/${slug}/context`]) {
        const created = yield* send({ path: `${prefix}/entries`, as: api_key, json: entry })
        assert.strictEqual(created.status, 201, created.text)
        const headers = { "if-match": `"${jsonOf(created).etag}"` }
        yield* TestClock.adjust("1 second")
        const confirmed = yield* send({
          method: "POST",
          path: `${prefix}/entries/deploys%2Frules/confirm`,
          as: owner.session,
          headers
        })
        assert.strictEqual(confirmed.status, 200, confirmed.text)
      }
      const both = ["context_entry.proposed", "context_entry.confirmed"]
      assert.deepStrictEqual(yield* typesFor(all), [...both, ...both])
      assert.deepStrictEqual(yield* typesFor(ofRepository), both)
      const [event] = yield* eventsFor(ofRepository)
      assert.strictEqual(event?.data.project, slug)
      const url = `/api/projects/${slug}/context/entries/deploys%2Frules`
      assert.deepInclude(event?.data.context_entry, { key: "deploys/rules", status: "proposed", version: 1, url })
    })
  )

  it.effect("of issues that are filed, changed and closed", () =>
    Effect.gen(function* () {
      const { owner, webhook } = yield* aScene()
      const { slug } = yield* aProject(owner, { name: "Shop" })
      const file = { project: slug, title: "A defect", repos: ["api@main"], priority: "P2" }
      const filed = yield* send({ path: "/api/issues", as: owner.session, json: file })
      assert.strictEqual(filed.status, 201, filed.text)
      const { ref } = jsonOf(filed)
      for (const [step, json] of [
        ["status", { status: "in_review" }],
        ["close", { reason: "completed" }]
      ] as const) {
        yield* TestClock.adjust("1 second")
        const { status, text } = yield* send({ path: `/api/issues/${ref}/${step}`, as: owner.session, json })
        assert.strictEqual(status, 200, text)
      }
      assert.deepStrictEqual(yield* typesFor(webhook), ["issue.created", "issue.updated", "issue.closed"])
      const [created, updated] = yield* eventsFor(webhook)
      assert.deepInclude(created?.data, { project: slug, repositories: ["acme/api@main"] })
      assert.deepInclude(updated?.data.issue, { ref, change: "status_changed", status: "in_review", priority: "P2" })
    })
  )

  it.effect("of missions that wait for someone, complete or fail", () =>
    Effect.gen(function* () {
      const { owner, repository, webhook } = yield* aScene()
      const sql = yield* SqlClient.SqlClient
      const id = yield* newId(Uuid)
      const at = yield* now
      yield* sql`INSERT INTO missions (id, workspace_id, repository_id, number, title, goal, goal_md, budget_usd,
          created_by, requested_by, created_at, updated_at)
        VALUES (${id}, ${owner.workspace_id}, ${repository.id}, 1, 'Ten defects', '{}', '', 5, ${jsonb({})},
          ${owner.user_id}, ${at}, ${at})`
      const set = (change: string) => sql`UPDATE missions SET ${sql.literal(change)} WHERE id = ${id}`
      const waiting = `waiting_message = 'Approve it.', waiting_since = '2026-01-01T00:00:00Z'`
      yield* set(`status = 'awaiting_approval', waiting_kind = 'plan', ${waiting}`)
      yield* set("spent_usd = 1")
      yield* set("status = 'running', waiting_kind = NULL, waiting_message = NULL, waiting_since = NULL")
      yield* set("status = 'completed', finished_at = '2026-01-02T00:00:00Z'")
      assert.deepStrictEqual(yield* typesFor(webhook), ["mission.waiting", "mission.completed"])
      const [event] = yield* eventsFor(webhook)
      assert.deepInclude(event?.data.mission, { ref: "MSN-1", status: "awaiting_approval", waiting: "plan" })
    })
  )

  it.effect("of its types, repositories and priorities only, and none while it is inactive", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      const [api, web] = [yield* aRegisteredRepository(owner), yield* aRegisteredRepository(owner, "web")]
      const ofWeb = yield* aWebhook(owner, { repos: ["web@main"], events: ["observation.created"] })
      const severe = yield* aWebhook(owner, { min_priority: "P1", events: ["observation.created"] })
      const ofJobs = yield* aWebhook(owner, { events: ["job.failed"] })
      const inactive = yield* aWebhook(owner)
      yield* send({ method: "PATCH", path: `/api/webhooks/${inactive.id}`, as: owner.session, json: { active: false } })
      yield* anObservation(owner, api, { priority: "P0" })
      yield* anObservation(owner, api, { priority: "P2" })
      yield* anObservation(owner, web, { priority: "P3" })
      const counts = yield* Effect.forEach([ofWeb, severe, ofJobs, inactive], (one) =>
        Effect.map(typesFor(one), (types) => types.length)
      )
      assert.deepStrictEqual(counts, [1, 1, 0, 0])
    })
  )

  it.effect("of its own workspace only", () =>
    Effect.gen(function* () {
      const { webhook } = yield* aScene()
      const other = yield* aScene()
      yield* anObservation(other.owner, other.repository)
      assert.deepStrictEqual(yield* typesFor(webhook), [])
      assert.lengthOf(yield* typesFor(other.webhook), 1)
    })
  )

  it.effect("only of what is committed", () =>
    Effect.gen(function* () {
      const { owner, repository, webhook } = yield* aScene()
      const sql = yield* SqlClient.SqlClient
      yield* Effect.flip(
        sql.withTransaction(Effect.zipRight(anObservation(owner, repository), Effect.fail("rolled back")))
      )
      assert.deepStrictEqual(yield* typesFor(webhook), [])
    })
  )
})
