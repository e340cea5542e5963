import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { IssuesQuery } from "../../../src/schema/IssueRequests.ts"
import { IssueClaims } from "../../../src/services/issues/IssueClaims.ts"
import { IssueEdits } from "../../../src/services/issues/IssueEdits.ts"
import { IssueFiling } from "../../../src/services/issues/IssueFiling.ts"
import { IssueRelations } from "../../../src/services/issues/IssueRelations.ts"
import { IssueStatuses } from "../../../src/services/issues/IssueStatuses.ts"
import { Issues } from "../../../src/services/issues/Issues.ts"
import { Projects } from "../../../src/services/projects/Projects.ts"
import { loggedIn } from "../../support/auditLog.ts"
import {
  aMember,
  anObservation,
  aProject,
  aRegisteredRepository,
  as,
  aWorkspace,
  type Person
} from "../../support/builders.ts"
import { type Actor, aKeyOf, codeOf, detailsOf, seen } from "../../support/context.ts"
import { anIssue, numberOf } from "../../support/issueSamples.ts"
import { TestApp } from "../../support/TestApp.ts"

const aTeam = Effect.gen(function* () {
  const owner = yield* aWorkspace()
  const member = yield* aMember(owner.workspace_id, "member")
  const { slug } = yield* aProject(owner, { name: "Shop" })
  return { owner, member, slug }
})

const refsOf = (by: Actor, query: IssuesQuery) =>
  Effect.flatMap(Issues, (issues) => issues.list(query)).pipe(
    as(by),
    Effect.map(({ data }) => data.map(({ ref }) => ref))
  )

const eventsOf = (by: Actor, ref: string) =>
  Effect.flatMap(Issues, (issues) => issues.events(numberOf(ref), {})).pipe(
    as(by),
    Effect.map(({ data }) => data)
  )

const makeEditor = (owner: Person, slug: string, member: Person) =>
  Effect.flatMap(Projects, (projects) => projects.grant(slug, { email: member.email, role: "editor" })).pipe(as(owner))

layer(TestApp)("issues", (it) => {
  it.effect("are numbered by workspace without a gap or a repetition, also when they are filed at once", () =>
    Effect.gen(function* () {
      const { owner, slug } = yield* aTeam
      const filed = yield* Effect.all(
        Array.from({ length: 12 }, () => anIssue(owner, { project: slug })),
        { concurrency: 6 }
      )
      const numbers = filed.map(({ ref }) => numberOf(ref)).sort((a, b) => a - b)
      assert.deepStrictEqual(
        numbers.map(Number),
        Array.from({ length: 12 }, (_, n) => n + 1)
      )
      const other = yield* aTeam
      assert.strictEqual((yield* anIssue(other.owner, { project: other.slug })).ref, "ISS-1")
    })
  )

  it.effect("have what their request says, and the repositories of their observations where it names none", () =>
    Effect.gen(function* () {
      const { owner, slug } = yield* aTeam
      const key = yield* aKeyOf(owner, "agent")
      const repository = yield* aRegisteredRepository(owner)
      const observation = yield* anObservation(owner, repository)
      const filing = yield* IssueFiling
      const number = Number(observation.slice(4))
      const issue = yield* filing
        .file({
          project: slug,
          title: "Sign it",
          body_md: "It can be forged.",
          labels: ["web", "security", "web"],
          assignee: "me",
          acceptance_criteria: ["It is signed.", "It is tested."],
          observations: [number as never]
        })
        .pipe(as(key))
      assert.deepInclude(issue, {
        status: "open",
        priority: "P2",
        labels: ["security", "web"],
        project: slug,
        repos: ["acme/api@main"],
        observations: [observation],
        claim: null,
        version: 1,
        closed_at: null
      })
      assert.strictEqual(issue.assignee?.api_key?.name, "agent")
      assert.deepStrictEqual(
        issue.acceptance_criteria.map(({ text, met }) => [text, met]),
        [
          ["It is signed.", false],
          ["It is tested.", false]
        ]
      )
      assert.strictEqual(issue.created_by.kind, "api_key")
      assert.deepStrictEqual(
        (yield* eventsOf(owner, issue.ref)).map(({ event, actor }) => [event, actor.kind]),
        [["created", "api_key"]]
      )
      assert.strictEqual(
        yield* codeOf(filing.file({ project: slug, title: "x", observations: [99_999 as never] }).pipe(as(key))),
        "not_found"
      )
    })
  )

  it.effect("are changed by editors of their level or one above; others are rejected", () =>
    Effect.gen(function* () {
      const { owner, member } = yield* aTeam
      const { slug: area } = yield* aProject(owner, { name: "Retail", kind: "area" })
      const { slug } = yield* aProject(owner, { name: "Basket", parent: area })
      const issue = yield* anIssue(owner, { project: slug })
      const statuses = yield* IssueStatuses
      const noted = Effect.suspend(() => statuses.note(numberOf(issue.ref), { body_md: "Hello." }).pipe(as(member)))
      assert.strictEqual(yield* codeOf(noted), "project_access_required")
      const filing = yield* IssueFiling
      assert.strictEqual(
        yield* codeOf(filing.file({ project: slug, title: "x" }).pipe(as(member))),
        "project_access_required"
      )
      yield* makeEditor(owner, area, member)
      const editor = yield* aKeyOf(member, "of the member", ["manage_issues"])
      assert.strictEqual(
        (yield* statuses.note(numberOf(issue.ref), { body_md: "Hello." }).pipe(as(editor))).event,
        "noted"
      )
    })
  )

  it.effect("are edited from the version that was read; a stale one is rejected with the current ETag", () =>
    Effect.gen(function* () {
      const { owner, slug, member } = yield* aTeam
      const edits = yield* IssueEdits
      const issue = yield* anIssue(owner, { project: slug, assignee: "me" })
      const number = numberOf(issue.ref)
      const second = yield* edits
        .update(number, { title: "New", labels: ["b", "a"], assignee: member.email }, seen(`"${issue.etag}"`))
        .pipe(as(owner))
      assert.deepInclude(second, { title: "New", labels: ["a", "b"], version: 2 })
      assert.strictEqual(second.assignee?.email, member.email)
      const stale = edits.update(number, { title: "Lost" }, seen(issue.etag)).pipe(as(owner))
      assert.strictEqual(yield* codeOf(stale), "version_conflict")
      assert.deepStrictEqual(yield* detailsOf(stale), { current_etag: second.etag })
      assert.strictEqual(
        yield* codeOf(edits.update(number, {}, seen(undefined)).pipe(as(owner))),
        "precondition_required"
      )
      // What changes nothing leaves the version and the history as they are.
      const same = yield* edits.update(number, { title: "New", labels: ["a", "b", "a"] }, null).pipe(as(owner))
      assert.strictEqual(same.version, 2)
      const [event, ...rest] = yield* eventsOf(owner, issue.ref)
      assert.lengthOf(rest, 1)
      assert.deepStrictEqual(event?.detail, {
        fields: ["title", "labels", "assignee"],
        from: { title: "Sign the cookie", labels: [], assignee: owner.email },
        to: { title: "New", labels: ["a", "b"], assignee: member.email }
      })
      const logged = (yield* loggedIn(owner.workspace_id)).filter(({ object_kind }) => object_kind === "issue")
      assert.lengthOf(logged, 2)
    })
  )

  it.effect("of two editors who read the same version, one wins", () =>
    Effect.gen(function* () {
      const { owner, slug } = yield* aTeam
      const edits = yield* IssueEdits
      const issue = yield* anIssue(owner, { project: slug })
      const codes = yield* Effect.all(
        Array.from({ length: 6 }, (_, n) =>
          codeOf(edits.update(numberOf(issue.ref), { title: `By ${n}` }, seen(issue.etag)).pipe(as(owner)))
        ),
        { concurrency: 6 }
      )
      assert.deepStrictEqual(codes.sort(), ["ok", ...Array(5).fill("version_conflict")])
    })
  )

  it.effect("move by the table; what is closed is only reopened, and a repeated move leaves no event", () =>
    Effect.gen(function* () {
      const { owner, slug } = yield* aTeam
      const statuses = yield* IssueStatuses
      const issue = yield* anIssue(owner, { project: slug })
      const number = numberOf(issue.ref)
      const move = (status: "open" | "blocked" | "in_review" | "done") =>
        statuses.update(number, { status }).pipe(as(owner))
      assert.strictEqual((yield* move("blocked")).status, "blocked")
      assert.strictEqual((yield* move("blocked")).version, 2)
      assert.deepStrictEqual(yield* detailsOf(move("in_review")), {
        from: "blocked",
        to: "in_review",
        allowed: ["open", "in_progress", "cancelled"]
      })
      yield* move("open")
      const done = yield* move("done")
      assert.deepInclude(done, { status: "done", close_reason: "completed" })
      assert.isNotNull(done.closed_at)
      assert.deepStrictEqual(yield* detailsOf(move("open")), { from: "done", to: "open", allowed: ["open"] })
      const reopened = yield* statuses.reopen(number, { reason: "It is back." }).pipe(as(owner))
      assert.deepInclude(reopened, { status: "open", closed_at: null, close_reason: null })
      assert.deepStrictEqual(
        (yield* eventsOf(owner, issue.ref)).map(({ event }) => event),
        ["reopened", "closed", "status_changed", "status_changed", "created"]
      )
    })
  )

  it.effect("say on closing what they unblocked, and point to what they duplicate", () =>
    Effect.gen(function* () {
      const { owner, slug } = yield* aTeam
      const [first, second, blocked] = [
        yield* anIssue(owner, { project: slug }),
        yield* anIssue(owner, { project: slug }),
        yield* anIssue(owner, { project: slug })
      ]
      const relations = yield* IssueRelations
      const statuses = yield* IssueStatuses
      const close = (ref: string, request: Parameters<typeof statuses.close>[1]) =>
        statuses.close(numberOf(ref), request).pipe(as(owner))
      for (const { ref } of [first, second]) {
        yield* relations.relate(numberOf(ref), { kind: "blocks", other: numberOf(blocked.ref) }).pipe(as(owner))
      }
      assert.deepStrictEqual(yield* refsOf(owner, { ready: true }), [first.ref, second.ref])
      assert.deepStrictEqual((yield* close(first.ref, { reason: "completed" })).unblocked, [])
      const before = (yield* loggedIn(owner.workspace_id)).length
      const duplicate = yield* close(second.ref, {
        reason: "duplicate",
        duplicate_of: numberOf(first.ref),
        note: "The same."
      })
      assert.strictEqual((yield* loggedIn(owner.workspace_id)).length, before + 1)
      assert.deepInclude(duplicate, { status: "cancelled", close_reason: "duplicate", unblocked: [blocked.ref] })
      assert.deepInclude(duplicate.relations, { kind: "duplicates", ref: first.ref, direction: "out" })
      assert.deepStrictEqual(yield* refsOf(owner, { ready: true }), [blocked.ref])
      const again = yield* close(second.ref, { reason: "duplicate", duplicate_of: numberOf(first.ref) })
      assert.deepStrictEqual([again.version, again.unblocked], [duplicate.version, []])
      assert.strictEqual(yield* codeOf(close(second.ref, { reason: "completed" })), "illegal_transition")
      assert.strictEqual(yield* codeOf(close(blocked.ref, { reason: "duplicate" })), "invalid_payload")
      assert.strictEqual(
        yield* codeOf(close(blocked.ref, { reason: "duplicate", duplicate_of: numberOf("ISS-999") })),
        "not_found"
      )
    })
  )

  it.effect("of two issues that block a third and are closed at once, one reports it as unblocked", () =>
    Effect.gen(function* () {
      const { owner, slug } = yield* aTeam
      const relations = yield* IssueRelations
      const statuses = yield* IssueStatuses
      const blocked = yield* anIssue(owner, { project: slug })
      const blocking = yield* Effect.all(Array.from({ length: 4 }, () => anIssue(owner, { project: slug })))
      for (const { ref } of blocking) {
        yield* relations.relate(numberOf(ref), { kind: "blocks", other: numberOf(blocked.ref) }).pipe(as(owner))
      }
      const closed = yield* Effect.all(
        blocking.map(({ ref }) => statuses.close(numberOf(ref), { reason: "completed" }).pipe(as(owner))),
        { concurrency: 4 }
      )
      assert.deepStrictEqual(
        closed.flatMap(({ unblocked }) => unblocked),
        [blocked.ref]
      )
    })
  )

  it.effect("end their claim when they are closed, and reject the fence of anyone who does not hold them", () =>
    Effect.gen(function* () {
      const { owner, slug } = yield* aTeam
      const [one, other] = [yield* aKeyOf(owner, "one"), yield* aKeyOf(owner, "other")]
      const issue = yield* anIssue(owner, { project: slug })
      const number = numberOf(issue.ref)
      const claims = yield* IssueClaims
      const statuses = yield* IssueStatuses
      const { fence } = yield* claims.claim(number, {}).pipe(as(one))
      const codes = [
        yield* codeOf(statuses.note(number, { body_md: "x", fence }).pipe(as(other))),
        yield* codeOf(statuses.update(number, { status: "blocked", fence: fence + 1 }).pipe(as(one))),
        yield* codeOf(statuses.close(number, { reason: "completed", fence: fence - 1 }).pipe(as(one)))
      ]
      assert.deepStrictEqual(codes, Array(3).fill("claim_lost"))
      const closed = yield* statuses.close(number, { reason: "completed", fence }).pipe(as(one))
      assert.isNull(closed.claim)
      assert.strictEqual((yield* eventsOf(owner, issue.ref))[0]?.fence, fence)
      assert.strictEqual(yield* codeOf(statuses.note(number, { body_md: "x", fence }).pipe(as(one))), "claim_lost")
    })
  )
})

layer(TestApp)("the list of issues", (it) => {
  it.effect("has the newest first, page by page, and what can be worked on by urgency", () =>
    Effect.gen(function* () {
      const { owner, slug } = yield* aTeam
      const issues = yield* Issues
      const priorities = ["P2", "P0", "P1", "P0", "P3"] as const
      for (const priority of priorities) yield* anIssue(owner, { project: slug, priority })
      const pagesOf = (query: IssuesQuery) =>
        Effect.gen(function* () {
          const found: Array<string> = []
          let cursor: string | null = ""
          while (cursor !== null) {
            const page: Effect.Effect.Success<ReturnType<typeof issues.list>> = yield* issues
              .list({ ...query, limit: 2, ...(cursor === "" ? {} : { cursor }) })
              .pipe(as(owner))
            assert.isAtMost(page.data.length, 2)
            found.push(...page.data.map(({ ref }) => ref))
            cursor = page.next_cursor
          }
          return found
        })
      assert.deepStrictEqual(yield* pagesOf({}), ["ISS-5", "ISS-4", "ISS-3", "ISS-2", "ISS-1"])
      assert.deepStrictEqual(yield* pagesOf({ ready: true }), ["ISS-2", "ISS-4", "ISS-3", "ISS-1", "ISS-5"])
      assert.deepStrictEqual(yield* pagesOf({ priority: ["P0", "P3"] }), ["ISS-5", "ISS-4", "ISS-2"])
    })
  )

  it.effect("is narrowed by every filter, several labels meaning all of them and a project what lies below it", () =>
    Effect.gen(function* () {
      const { owner, member, slug } = yield* aTeam
      const { slug: area } = yield* aProject(owner, { name: "Retail", kind: "area" })
      const { slug: below } = yield* aProject(owner, { name: "Basket", parent: area })
      yield* aRegisteredRepository(owner)
      const key = yield* aKeyOf(owner, "agent")
      const one = yield* anIssue(owner, {
        project: slug,
        labels: ["a", "b"],
        repos: ["api@main"],
        title: "Rotate keys"
      })
      const two = yield* anIssue(owner, { project: below, labels: ["a"], assignee: member.email })
      const three = yield* anIssue(key, { project: area, assignee: "me", body_md: "Cookies are rotated weekly." })
      yield* Effect.flatMap(IssueStatuses, (statuses) =>
        statuses.update(numberOf(two.ref), { status: "in_review" })
      ).pipe(as(owner))
      const expected: ReadonlyArray<readonly [IssuesQuery, ReadonlyArray<string>]> = [
        [{ labels: "a" }, [two.ref, one.ref]],
        [{ labels: "a, b" }, [one.ref]],
        [{ project: area }, [three.ref, two.ref]],
        [{ project: below }, [two.ref]],
        [{ repo: "acme/api@main" }, [one.ref]],
        [{ assignee: "none" }, [one.ref]],
        [{ assignee: member.email }, [two.ref]],
        [{ status: ["in_review"] }, [two.ref]],
        [{ status: ["open"] }, [three.ref, one.ref]],
        [{ status: ["in_progress"] }, []],
        [{ q: "rotating" }, [three.ref, one.ref]],
        [{ q: "cookie -weekly" }, [two.ref]],
        [{ ready: true, assignee: "none" }, [one.ref]]
      ]
      for (const [query, refs] of expected) {
        assert.deepStrictEqual(yield* refsOf(owner, query), refs, JSON.stringify(query))
      }
      assert.deepStrictEqual(yield* refsOf(key, { assignee: "me" }), [three.ref])
      assert.deepStrictEqual(yield* refsOf(member, { assignee: "me" }), [two.ref])
      const issues = yield* Issues
      const codes = yield* Effect.forEach(
        [{ project: "none" }, { repo: "none@main" }, { assignee: "guest@example.org" }, { cursor: "x" }],
        (query) => codeOf(issues.list(query).pipe(as(owner)))
      )
      assert.deepStrictEqual(codes, ["project_not_found", "not_found", "not_found", "invalid_cursor"])
    })
  )

  it.effect("treats an issue as open and ready from the moment its claim's lease ends", () =>
    Effect.gen(function* () {
      const { owner, slug } = yield* aTeam
      const sql = yield* SqlClient.SqlClient
      const claims = yield* IssueClaims
      const issues = yield* Issues
      const issue = yield* anIssue(owner, { project: slug })
      const number = numberOf(issue.ref)
      yield* claims.claim(number, {}).pipe(as(owner))
      assert.deepStrictEqual(yield* refsOf(owner, { ready: true }), [])
      assert.deepStrictEqual(yield* refsOf(owner, { status: ["in_progress"] }), [issue.ref])
      yield* sql`UPDATE issues SET lease_expires_at = now() - interval '1 second' WHERE workspace_id = ${owner.workspace_id}`
      assert.deepStrictEqual(yield* refsOf(owner, { ready: true }), [issue.ref])
      assert.deepStrictEqual(yield* refsOf(owner, { status: ["open"] }), [issue.ref])
      assert.deepStrictEqual(yield* refsOf(owner, { status: ["in_progress"] }), [])
      assert.deepInclude(yield* issues.get(number).pipe(as(owner)), { status: "open", claim: null })
      yield* Effect.flatMap(IssueEdits, (edits) => edits.update(number, { title: "New" }, null)).pipe(as(owner))
      assert.deepStrictEqual(
        (yield* eventsOf(owner, issue.ref)).map(({ event, actor }) => [event, actor.kind]).slice(0, 3),
        [
          ["updated", "user"],
          ["lease_ended", "system"],
          ["claimed", "user"]
        ]
      )
    })
  )
})
