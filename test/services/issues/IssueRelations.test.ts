import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { IssueNumber, issueRefOf } from "../../../src/schema/Issue.ts"
import type { RelateIssues } from "../../../src/schema/IssueRequests.ts"
import { withReach } from "../../../src/services/access/Reach.ts"
import { IssueRelations, maxRelations } from "../../../src/services/issues/IssueRelations.ts"
import { IssueWriter } from "../../../src/services/issues/IssueWriter.ts"
import { Projects } from "../../../src/services/projects/Projects.ts"
import { aMember, aProject, aRegisteredRepository, as, aWorkspace, type Person } from "../../support/builders.ts"
import { issuesIn } from "../../support/issues.ts"
import { TestApp } from "../../support/TestApp.ts"

type Kind = RelateIssues["kind"]

const relate = (person: Pick<Person, "caller">, from: IssueNumber, kind: Kind, other: IssueNumber) =>
  Effect.flatMap(IssueRelations, (relations) => relations.relate(from, { kind, other })).pipe(withReach, as(person))
const unrelate = (person: Pick<Person, "caller">, from: IssueNumber, kind: Kind, other: IssueNumber) =>
  Effect.flatMap(IssueRelations, (relations) => relations.unrelate(from, { kind, other })).pipe(withReach, as(person))
const read = (person: Pick<Person, "caller">, number: IssueNumber) =>
  Effect.flatMap(IssueWriter, (writer) => writer.read(number)).pipe(withReach, as(person))

const outcomeOf = <A, R>(
  effect: Effect.Effect<A, { readonly spec: { readonly code: string }; readonly details?: unknown }, R>
) =>
  Effect.match(effect, {
    onSuccess: () => ({ code: "ok", details: undefined as unknown }),
    onFailure: ({ spec: { code }, details }) => ({ code, details })
  })

/** A workspace with a project and so many issues. */
const aBoard = (count: number) =>
  Effect.gen(function* () {
    const owner = yield* aWorkspace()
    yield* aProject(owner, { name: "Plans" })
    return { owner, numbers: yield* issuesIn(owner, "plans", count) }
  })

const eventsOf = (number: IssueNumber) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<{ readonly event: string; readonly detail: unknown }>`
      SELECT e.event, e.detail FROM issue_events e JOIN issues i ON i.id = e.issue_id
      WHERE i.number = ${number} ORDER BY e.seq`
  )

layer(TestApp)("relations of issues", (it) => {
  it.effect("are shown by both issues, with an event on each; a repeated one changes nothing", () =>
    Effect.gen(function* () {
      const { owner, numbers } = yield* aBoard(2)
      const [a, b] = numbers as [IssueNumber, IssueNumber]
      const [refA, refB] = [issueRefOf(a), issueRefOf(b)]
      const related = yield* relate(owner, a, "blocks", b)
      assert.deepStrictEqual(related.relations, [{ kind: "blocks", ref: refB, direction: "out" }])
      assert.deepStrictEqual(yield* relate(owner, a, "blocks", b), related)
      const other = yield* read(owner, b)
      assert.deepStrictEqual(
        [other.relations, other.blocked_by, other.version],
        [[{ kind: "blocks", ref: refA, direction: "in" }], [refA], 2]
      )
      assert.deepStrictEqual(yield* eventsOf(b), [
        { event: "related", detail: { kind: "blocks", ref: refA, direction: "in" } }
      ])
      const parted = yield* unrelate(owner, a, "blocks", b)
      assert.deepStrictEqual([parted.relations, parted.version], [[], 3])
      assert.deepStrictEqual((yield* read(owner, b)).blocked_by, [])
      assert.deepStrictEqual(
        (yield* eventsOf(a)).map(({ event }) => event),
        ["related", "unrelated"]
      )
      assert.strictEqual((yield* outcomeOf(unrelate(owner, a, "blocks", b))).code, "not_found")
    })
  )

  it.effect("form no cycle of blocks or parent_of, and the rejection names the way", () =>
    Effect.gen(function* () {
      const { owner, numbers } = yield* aBoard(4)
      const [a, b, c, d] = numbers as [IssueNumber, IssueNumber, IssueNumber, IssueNumber]
      for (const kind of ["blocks", "parent_of"] as const) {
        yield* relate(owner, a, kind, b)
        yield* relate(owner, b, kind, c)
        yield* relate(owner, a, kind, d)
        assert.deepStrictEqual(yield* outcomeOf(relate(owner, c, kind, a)), {
          code: "relation_cycle",
          details: { path: [c, a, b, c].map((number) => issueRefOf(number)) }
        })
        assert.deepStrictEqual(yield* outcomeOf(relate(owner, a, kind, a)), {
          code: "relation_cycle",
          details: { path: [issueRefOf(a), issueRefOf(a)] }
        })
        assert.strictEqual((yield* outcomeOf(relate(owner, c, kind, d))).code, "ok")
      }
      // Other kinds may: each of two may have come from work on the other.
      for (const kind of ["relates_to", "duplicates", "discovered_from"] as const) {
        assert.strictEqual((yield* outcomeOf(relate(owner, a, kind, b))).code, "ok")
        assert.strictEqual((yield* outcomeOf(relate(owner, b, kind, a))).code, "ok")
        assert.strictEqual((yield* outcomeOf(relate(owner, a, kind, a))).code, "relation_invalid")
      }
    })
  )

  it.effect("that have no direction are one relation, whichever issue names the other", () =>
    Effect.gen(function* () {
      const { owner, numbers } = yield* aBoard(2)
      const [a, b] = numbers as [IssueNumber, IssueNumber]
      yield* relate(owner, a, "relates_to", b)
      assert.lengthOf((yield* relate(owner, b, "relates_to", a)).relations, 1)
      assert.lengthOf((yield* unrelate(owner, b, "relates_to", a)).relations, 0)
    })
  )

  it.effect(`are at most ${maxRelations} of an issue, counted at both ends`, () =>
    Effect.gen(function* () {
      const { owner, numbers } = yield* aBoard(maxRelations + 2)
      const [first, ...others] = numbers as [IssueNumber, ...Array<IssueNumber>]
      for (const [index, other] of others.slice(0, maxRelations).entries()) {
        yield* index % 2 === 0 ? relate(owner, first, "relates_to", other) : relate(owner, other, "blocks", first)
      }
      const last = others.at(-1)!
      assert.strictEqual((yield* outcomeOf(relate(owner, first, "duplicates", last))).code, "relation_invalid")
      assert.strictEqual((yield* outcomeOf(relate(owner, last, "duplicates", first))).code, "relation_invalid")
    })
  )

  it.effect("need the role of an editor on the first issue, and that both are seen", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      const projects = yield* Projects
      for (const name of ["Mine", "Theirs"]) yield* aProject(owner, { name })
      const repository = yield* aRegisteredRepository(owner)
      const [mine] = yield* issuesIn(owner, "mine", 1)
      const [theirs] = yield* issuesIn(owner, "theirs", 1)
      const [secret] = yield* issuesIn(owner, "theirs", 1, [repository.id])
      const member = yield* aMember(owner.workspace_id, "member")
      assert.strictEqual((yield* outcomeOf(relate(member, mine!, "blocks", theirs!))).code, "project_access_required")
      yield* projects.grant("mine", { email: member.email, role: "editor" }).pipe(as(owner))
      assert.strictEqual((yield* outcomeOf(relate(member, mine!, "blocks", theirs!))).code, "ok")
      assert.strictEqual((yield* outcomeOf(relate(member, theirs!, "blocks", mine!))).code, "project_access_required")
      const absent = IssueNumber.make(999)
      const blind = { caller: { ...member.caller, hidden_repositories: [repository.id] } }
      for (const unseen of [absent, secret!]) {
        assert.strictEqual((yield* outcomeOf(relate(blind, mine!, "blocks", unseen))).code, "not_found")
        assert.strictEqual((yield* outcomeOf(relate(blind, unseen, "blocks", mine!))).code, "not_found")
        assert.strictEqual((yield* outcomeOf(unrelate(blind, mine!, "blocks", unseen))).code, "not_found")
      }
    })
  )

  it.effect("through an issue that the caller may not see close a cycle, too; the way leaves that one out", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      yield* aProject(owner, { name: "Plans" })
      const repository = yield* aRegisteredRepository(owner)
      const [a, b] = yield* issuesIn(owner, "plans", 2)
      const [secret] = yield* issuesIn(owner, "plans", 1, [repository.id])
      yield* relate(owner, a!, "blocks", secret!)
      yield* relate(owner, secret!, "blocks", b!)
      const blind = { caller: { ...owner.caller, hidden_repositories: [repository.id] } }
      const shown = yield* read(blind, b!)
      assert.deepStrictEqual([shown.relations, shown.blocked_by], [[], []])
      assert.deepStrictEqual(yield* outcomeOf(relate(blind, b!, "blocks", a!)), {
        code: "relation_cycle",
        details: { path: [issueRefOf(b!), issueRefOf(a!), issueRefOf(b!)] }
      })
    })
  )
})
