import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { IssueNumber } from "../../../src/schema/Issue.ts"
import { IssueClaims } from "../../../src/services/issues/IssueClaims.ts"
import { IssueCriteria } from "../../../src/services/issues/IssueCriteria.ts"
import { IssuePullRequests } from "../../../src/services/issues/IssuePullRequests.ts"
import { IssueStatuses } from "../../../src/services/issues/IssueStatuses.ts"
import { Issues } from "../../../src/services/issues/Issues.ts"
import { Projects } from "../../../src/services/projects/Projects.ts"
import { aMember, aProject, as, aWorkspace, type Person } from "../../support/builders.ts"
import { anIssue, numberOf } from "../../support/issueSamples.ts"
import { TestApp } from "../../support/TestApp.ts"

const codeOf = <A, R>(effect: Effect.Effect<A, { readonly spec: { readonly code: string } }, R>) =>
  Effect.match(effect, { onFailure: (error) => error.spec.code, onSuccess: () => "ok" })

/** An owner, two editors and a viewer of a project, and an issue of it. */
const aTeam = Effect.gen(function* () {
  const owner = yield* aWorkspace({ plan: "paid" })
  const { slug } = yield* aProject(owner, { name: "Shop" })
  const projects = yield* Projects
  const withRole = (role: "viewer" | "editor") =>
    Effect.gen(function* () {
      const member = yield* aMember(owner.workspace_id, "member")
      yield* projects.grant(slug, { email: member.email, role }).pipe(as(owner))
      return member
    })
  const { ref } = yield* anIssue(owner, { project: slug, acceptance_criteria: ["It works."] })
  const [ada, bob, viewer] = [yield* withRole("editor"), yield* withRole("editor"), yield* withRole("viewer")]
  return { owner, ada, bob, viewer, number: numberOf(ref), slug }
})

/** As if the minutes of the lease had passed, by the database's clock. */
const endLease = (person: Person, number: IssueNumber) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`UPDATE issues SET lease_expires_at = clock_timestamp()
      WHERE workspace_id = ${person.workspace_id} AND number = ${number}`
  ).pipe(Effect.orDie)

const eventsOf = (number: IssueNumber) =>
  Effect.flatMap(Issues, (issues) => issues.events(number, {})).pipe(
    Effect.map(({ data }) => data.map(({ event, fence }) => (fence === null ? event : `${event} ${fence}`)))
  )

// The clock of this process stands in 1970 throughout: leases do not care.
layer(TestApp)("claims", (it) => {
  it.effect("of many who claim an issue at once one gets it, and the others learn who and until when", () =>
    Effect.gen(function* () {
      const { ada, bob, owner, number } = yield* aTeam
      const claims = yield* IssueClaims
      const attempts = yield* Effect.forEach(
        Array.from({ length: 12 }, (_, i) => [ada, bob, owner][i % 3]!),
        (person) =>
          Effect.either(claims.claim(number, { agent_label: person.email })).pipe(
            Effect.map((result) => ({ person, result })),
            as(person)
          ),
        { concurrency: "unbounded" }
      )
      const granted = attempts.filter(({ result }) => result._tag === "Right")
      assert.lengthOf([...new Set(granted.map(({ person }) => person))], 1)
      const [first] = granted
      for (const { result, person } of attempts) {
        if (result._tag === "Right") assert.strictEqual(result.right.fence, 1)
        else {
          assert.notStrictEqual(person, first?.person)
          assert.strictEqual(result.left._tag, "AlreadyClaimed")
          const { holder, lease_expires_at } = result.left.details as Readonly<Record<string, unknown>>
          assert.strictEqual((holder as { readonly label: string }).label, first?.person.email)
          assert.strictEqual(typeof lease_expires_at, "string")
        }
      }
    })
  )

  it.effect("an expired lease is free at once, for anyone, under a higher fence; the old one writes nothing more", () =>
    Effect.gen(function* () {
      const { ada, bob, number } = yield* aTeam
      const [claims, statuses, criteria] = [yield* IssueClaims, yield* IssueStatuses, yield* IssueCriteria]
      const { fence, issue } = yield* claims.claim(number, {}).pipe(as(ada))
      yield* endLease(ada, number)
      const criterion = issue.acceptance_criteria[0]!.id
      const writes = [
        codeOf(claims.renew(number, { fence })),
        codeOf(claims.release(number, { fence })),
        codeOf(statuses.note(number, { body_md: "Still at it.", fence })),
        codeOf(statuses.update(number, { status: "in_review", fence })),
        codeOf(statuses.close(number, { reason: "completed", fence })),
        codeOf(criteria.setMet(number, criterion, { met: true, fence }))
      ]
      const lost = writes.map(() => "claim_lost")
      assert.deepStrictEqual(yield* Effect.all(writes).pipe(as(ada)), lost)
      const taken = yield* claims.claim(number, {}).pipe(as(bob))
      assert.strictEqual(taken.fence, 2)
      assert.deepStrictEqual(yield* Effect.all(writes).pipe(as(ada)), lost)
      assert.deepStrictEqual(yield* eventsOf(number).pipe(as(bob)), [
        "claimed 2",
        "lease_ended 1",
        "claimed 1",
        "created"
      ])
    })
  )

  it.effect("the holder claiming again, or renewing, keeps the fence; another's renewal and release are rejected", () =>
    Effect.gen(function* () {
      const { ada, bob, number } = yield* aTeam
      const claims = yield* IssueClaims
      const first = yield* claims.claim(number, { lease_minutes: 1 }).pipe(as(ada))
      const again = yield* claims.claim(number, { lease_minutes: 60 }).pipe(as(ada))
      const renewed = yield* claims.renew(number, { fence: 1, lease_minutes: 1440 }).pipe(as(ada))
      assert.deepStrictEqual([first.fence, again.fence, renewed.fence], [1, 1, 1])
      assert.isTrue(first.lease_expires_at < again.lease_expires_at)
      assert.isTrue(again.lease_expires_at < renewed.lease_expires_at)
      const others = [codeOf(claims.renew(number, { fence: 1 })), codeOf(claims.release(number, { fence: 1 }))]
      assert.deepStrictEqual(yield* Effect.all(others).pipe(as(bob)), ["claim_lost", "claim_lost"])
    })
  )

  it.effect("a claim moves open to in_progress, and its end moves back what no one else has moved", () =>
    Effect.gen(function* () {
      const { ada, bob, number } = yield* aTeam
      const [claims, statuses, issues] = [yield* IssueClaims, yield* IssueStatuses, yield* Issues]
      const status = Effect.map(issues.get(number), (issue) => issue.status).pipe(as(bob))
      yield* claims.claim(number, {}).pipe(as(ada))
      assert.strictEqual(yield* status, "in_progress")
      yield* claims.release(number, { fence: 1 }).pipe(as(ada))
      assert.strictEqual(yield* status, "open")
      yield* claims.claim(number, {}).pipe(as(ada))
      yield* endLease(ada, number)
      assert.strictEqual(yield* status, "open")
      yield* claims.claim(number, {}).pipe(as(ada))
      yield* statuses.update(number, { status: "in_review", fence: 3 }).pipe(as(ada))
      yield* endLease(ada, number)
      assert.strictEqual(yield* status, "in_review")
    })
  )

  it.effect("a manager ends anyone's claim without a fence, an editor does not, and a viewer claims nothing", () =>
    Effect.gen(function* () {
      const { ada, bob, owner, viewer, number } = yield* aTeam
      const claims = yield* IssueClaims
      assert.strictEqual(yield* codeOf(claims.claim(number, {})).pipe(as(viewer)), "project_access_required")
      yield* claims.claim(number, {}).pipe(as(ada))
      assert.strictEqual(yield* codeOf(claims.release(number, {})).pipe(as(bob)), "project_access_required")
      const released = yield* claims.release(number, {}).pipe(as(owner))
      assert.isNull(released.claim)
      assert.strictEqual(yield* codeOf(claims.release(number, {})).pipe(as(owner)), "claim_lost")
    })
  )

  it.effect("what is closed or blocked is not claimed, and says why", () =>
    Effect.gen(function* () {
      const { ada, owner, number } = yield* aTeam
      const [claims, statuses] = [yield* IssueClaims, yield* IssueStatuses]
      yield* statuses.update(number, { status: "blocked" }).pipe(as(owner))
      assert.strictEqual(yield* codeOf(claims.claim(number, {})).pipe(as(ada)), "issue_blocked")
      yield* statuses.close(number, { reason: "cancelled" }).pipe(as(owner))
      assert.strictEqual(yield* codeOf(claims.claim(number, {})).pipe(as(ada)), "issue_closed")
    })
  )

  it.effect("a criterion is met once, by who met it first; attaching a pull request again changes nothing", () =>
    Effect.gen(function* () {
      const { ada, bob, number } = yield* aTeam
      const [criteria, pullRequests] = [yield* IssueCriteria, yield* IssuePullRequests]
      const added = yield* criteria.add(number, { text: "It is documented." }).pipe(as(ada))
      const { id } = added.acceptance_criteria[1]!
      yield* criteria.setMet(number, id, { met: true }).pipe(as(ada))
      const again = yield* criteria.setMet(number, id, { met: true }).pipe(as(bob))
      assert.strictEqual(again.acceptance_criteria[1]?.met_by?.user_id, ada.user_id)
      const url = "https://github.com/acme/shop/pull/7"
      for (const spelling of [url, `${url}/`, `${url}/files?w=1#diff`, "https://GitHub.com/acme/shop/pull/7"]) {
        const { pull_requests } = yield* pullRequests.attach(number, { url: spelling }).pipe(as(ada))
        assert.deepStrictEqual(pull_requests, [{ url, state: "unknown" }])
      }
      assert.deepStrictEqual(yield* eventsOf(number).pipe(as(ada)), [
        "pull_request_attached",
        "criterion_met",
        "criterion_added",
        "created"
      ])
    })
  )
})
