import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import type { IssueNumber } from "../../../src/schema/Issue.ts"
import { IssueClaims } from "../../../src/services/issues/IssueClaims.ts"
import { IssueLeases } from "../../../src/services/issues/IssueLeases.ts"
import { IssueStatuses } from "../../../src/services/issues/IssueStatuses.ts"
import { Issues } from "../../../src/services/issues/Issues.ts"
import { IssueWriter } from "../../../src/services/issues/IssueWriter.ts"
import { aProject, as, aWebhook, aWorkspace, type Person } from "../../support/builders.ts"
import { issuesIn } from "../../support/issues.ts"
import { TestApp } from "../../support/TestApp.ts"

/** A workspace with issues that its owner has claimed, and an endpoint for what happens to them. */
const claimedIssues = (count: number) =>
  Effect.gen(function* () {
    const owner = yield* aWorkspace({ plan: "paid" })
    const { slug } = yield* aProject(owner, { name: "Shop" })
    const webhook = yield* aWebhook(owner, { events: ["issue.updated"] })
    const numbers = yield* issuesIn(owner, slug, count)
    const claims = yield* IssueClaims
    yield* Effect.forEach(numbers, (number) => claims.claim(number, {}), { discard: true }).pipe(as(owner))
    return { owner, webhook, numbers, number: numbers[0]! }
  })

/** As if the minutes of all leases of the workspace had passed, by the database's clock. */
const timePasses = ({ workspace_id }: Person) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`UPDATE issues SET lease_expires_at = clock_timestamp() - interval '1 millisecond'
      WHERE workspace_id = ${workspace_id} AND lease_expires_at IS NOT NULL`
  ).pipe(Effect.orDie)

/** What the endpoint is going to be sent, by issue: what changed and the status after it. */
const announced = ({ id }: { readonly id: string }) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<{ readonly change: string }>`
      SELECT concat_ws(' ', e.data #>> '{issue,ref}', e.data #>> '{issue,change}', e.data #>> '{issue,status}') AS change
      FROM webhook_events e JOIN webhook_deliveries d ON d.event_id = e.id
      WHERE d.webhook_id = ${id} ORDER BY d.position`
  ).pipe(
    Effect.map((rows) => rows.map(({ change }) => change)),
    Effect.orDie
  )

const eventsOf = (owner: Person, number: IssueNumber) =>
  Effect.flatMap(Issues, (issues) => issues.events(number, {})).pipe(
    Effect.map(({ data }) => data.map(({ event, actor, fence }) => `${event} ${fence} ${actor.kind}`)),
    as(owner)
  )

const endedLeases = ({ workspace_id }: Person) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<{ readonly n: number }>`SELECT count(*)::int AS n FROM issue_events
      WHERE workspace_id = ${workspace_id} AND event = 'lease_ended'`
  ).pipe(
    Effect.map((rows) => rows[0]?.n),
    Effect.orDie
  )

// The clock of this process stands in 1970 throughout: leases do not care.
layer(TestApp)("a lease that has run out", (it) => {
  it.effect("is ended without the next write: an event, the status before the claim, and a call to the endpoint", () =>
    Effect.gen(function* () {
      const { owner, webhook, number } = yield* claimedIssues(1)
      const { sweep } = yield* IssueLeases
      const read = Effect.flatMap(IssueWriter, (writer) => writer.read(number)).pipe(as(owner))
      yield* sweep
      const claimed = yield* read
      assert.deepStrictEqual([claimed.status, claimed.claim?.fence], ["in_progress", 1])

      yield* timePasses(owner)
      yield* sweep
      const freed = yield* read
      assert.deepStrictEqual([freed.status, freed.claim, freed.updated_by.kind], ["open", null, "system"])
      assert.notStrictEqual(freed.etag, claimed.etag)
      assert.deepStrictEqual((yield* eventsOf(owner, number)).slice(0, 2), ["lease_ended 1 system", "claimed 1 user"])
      const changes = [`${freed.ref} claimed in_progress`, `${freed.ref} lease_ended open`]
      assert.deepStrictEqual(yield* announced(webhook), changes)

      yield* sweep
      assert.deepStrictEqual(yield* announced(webhook), changes)
      const again = yield* Effect.flatMap(IssueClaims, (claims) => claims.claim(number, {})).pipe(as(owner))
      assert.strictEqual(again.fence, 2)
    })
  )

  it.effect("leaves the issue where its holder has moved it", () =>
    Effect.gen(function* () {
      const { owner, webhook, number } = yield* claimedIssues(1)
      const statuses = yield* IssueStatuses
      yield* statuses.update(number, { status: "in_review", fence: 1 }).pipe(as(owner))
      yield* timePasses(owner)
      yield* Effect.flatMap(IssueLeases, ({ sweep }) => sweep)
      assert.strictEqual((yield* announced(webhook)).at(-1), `ISS-${number} lease_ended in_review`)
    })
  )

  it.effect("is ended once, however many processes look, and however many leases have run out", () =>
    Effect.gen(function* () {
      const { owner, numbers } = yield* claimedIssues(230)
      const { sweep } = yield* IssueLeases
      yield* timePasses(owner)
      yield* Effect.all([sweep, sweep, sweep, sweep], { concurrency: "unbounded" })
      assert.strictEqual(yield* endedLeases(owner), numbers.length)
    })
  )

  it.effect("does not hold the others up while someone writes to its issue", () =>
    Effect.gen(function* () {
      const { owner, numbers, number } = yield* claimedIssues(3)
      const { sweep } = yield* IssueLeases
      const sql = yield* SqlClient.SqlClient
      yield* timePasses(owner)
      const [held, done] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const writing = yield* Effect.fork(
        sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`SELECT 1 FROM issues WHERE workspace_id = ${owner.workspace_id} AND number = ${number} FOR UPDATE`
            yield* Deferred.succeed(held, undefined)
            yield* Deferred.await(done)
          })
        )
      )
      yield* Deferred.await(held)
      yield* sweep
      assert.strictEqual(yield* endedLeases(owner), numbers.length - 1)
      yield* Deferred.succeed(done, undefined)
      yield* Fiber.join(writing)
      yield* sweep
      assert.strictEqual(yield* endedLeases(owner), numbers.length)
    })
  )
})
