import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Either, Schema, TestClock } from "effect"
import { CreateView, maxViews } from "../../../src/schema/View.ts"
import { Views } from "../../../src/services/views/Views.ts"
import { loggedIn } from "../../support/auditLog.ts"
import { aMember, aRegisteredRepository, as, aView, aWorkspace, type Person } from "../../support/builders.ts"
import { TestApp } from "../../support/TestApp.ts"

const namesSeenBy = (person: Person) =>
  Effect.flatMap(Views, (views) => views.list({})).pipe(
    as(person),
    Effect.map(({ data }) => data.map(({ name }) => name))
  )

describe("the query of a view", () => {
  const problemOf = (query: string) =>
    Either.match(Schema.decodeUnknownEither(CreateView)({ name: "a", query, shared: false }), {
      onLeft: ({ message }) => message,
      onRight: () => null
    })

  it("is any query of the list of observations, and words to search for", () => {
    for (const query of [
      "",
      "status=new",
      "?status=new&priority=P0&easy_wins=true",
      "q=sql%20injection&repo=acme%2Fapi%40main&order=display_rank&has_fix_pr=false",
      "status=new&age=week&group=rule",
      "since=2026-01-01T00:00:00Z&close_reason=dismissed&domain=security"
    ]) {
      assert.isNull(problemOf(query), query)
    }
  })

  it("has no unknown, repeated or malformed filter, and no part of a page", () => {
    assert.include(problemOf("severity=high"), "may have the filters kind, status,")
    assert.include(problemOf("cursor=abc"), "may have the filters")
    assert.include(problemOf("limit=5"), "may have the filters")
    assert.include(problemOf("status=new&status=closed"), "has status more than once")
    assert.include(problemOf("priority=P9"), "the list rejects: priority must be one of P0, P1, P2, P3")
    assert.include(problemOf("easy_wins=yes"), "easy_wins must be true or false")
    assert.include(problemOf("age=year"), "age must be one of today, week, month, older")
    assert.include(problemOf("group=color"), "group must be one of priority, rule,")
    assert.include(problemOf("constructor=1"), "may have the filters")
    assert.include(problemOf(`q=${"a".repeat(2000)}`), "must have at most 2000 characters")
  })
})

layer(TestApp)("saved views", (it) => {
  it.effect("are seen by their maker, shared ones by everyone in the workspace, in the order of their names", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      const viewer = yield* aMember(owner.workspace_id, "viewer")
      yield* aView(owner, { name: "b", shared: true })
      yield* aView(owner, { name: "c" })
      yield* aView(viewer, { name: "a" })
      yield* aView(yield* aWorkspace(), { name: "elsewhere", shared: true })
      assert.deepStrictEqual(yield* namesSeenBy(owner), ["b", "c"])
      assert.deepStrictEqual(yield* namesSeenBy(viewer), ["a", "b"])
      const views = yield* Views
      const first = yield* views.list({ limit: 1 }).pipe(as(viewer))
      const second = yield* views.list({ limit: 1, cursor: first.next_cursor! }).pipe(as(viewer))
      assert.deepStrictEqual([second.data[0]?.name, second.has_more], ["b", false])
      assert.deepInclude(second.data[0]?.created_by, { kind: "user", user_id: owner.user_id, label: owner.email })
    })
  )

  it.effect("are changed by their maker, and by admins where they are shared", () =>
    Effect.gen(function* () {
      const views = yield* Views
      const maker = yield* aWorkspace({ role: "member" })
      const [admin, other] = [yield* aMember(maker.workspace_id, "admin"), yield* aMember(maker.workspace_id, "member")]
      const { id, updated_at } = yield* aView(maker, { name: "Mine" })
      for (const person of [admin, other]) {
        const error = yield* Effect.flip(views.update(id, { name: "x" }).pipe(as(person)))
        assert.strictEqual(error._tag, "ViewNotFound")
      }
      yield* TestClock.adjust("1 minute")
      const shared = yield* views.update(id, { shared: true }).pipe(as(maker))
      assert.deepInclude(shared, { name: "Mine", query: "status=new", shared: true })
      assert.isAbove(Date.parse(shared.updated_at), Date.parse(updated_at))
      for (const change of [views.update(id, { name: "x" }), views.remove(id)]) {
        const error = yield* Effect.flip(as(other)(Effect.asVoid(change)))
        assert.deepInclude(error, { _tag: "PermissionDenied" })
      }
      const renamed = yield* views.update(id, { name: "Ours" }).pipe(as(admin))
      assert.deepInclude(renamed.created_by, { label: maker.email })
      yield* views.remove(id).pipe(as(admin))
      assert.deepStrictEqual(yield* namesSeenBy(maker), [])
    })
  )

  it.effect("have names of their own, of one maker each, also when two are made or renamed at once", () =>
    Effect.gen(function* () {
      const views = yield* Views
      const owner = yield* aWorkspace()
      const member = yield* aMember(owner.workspace_id, "member")
      const mine = yield* aView(owner, { name: "Same", shared: true })
      yield* aView(member, { name: "Same", shared: true })
      const again = yield* Effect.flip(views.create({ name: "Same", query: "", shared: false }).pipe(as(owner)))
      assert.deepInclude(again, { _tag: "ViewNameTaken", param: "name" })
      yield* views.update(mine.id, { name: "Same", query: "status=closed" }).pipe(as(owner))
      const others = yield* Effect.all([aView(owner, { name: "p" }), aView(owner, { name: "q" })])
      const renamed = yield* Effect.forEach(
        others,
        ({ id }) => Effect.either(views.update(id, { name: "r" }).pipe(as(owner))),
        { concurrency: 2 }
      )
      assert.deepStrictEqual(renamed.map(({ _tag }) => _tag).sort(), ["Left", "Right"])
    })
  )

  it.effect(`are at most ${maxViews} of one person`, () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      yield* Effect.forEach(Array.from({ length: maxViews - 1 }), (_, index) => aView(owner, { name: `v${index}` }))
      const views = yield* Views
      const last = yield* Effect.forEach(
        ["x", "y"],
        (name) => Effect.either(views.create({ name, query: "", shared: false }).pipe(as(owner))),
        { concurrency: 2 }
      )
      assert.deepStrictEqual(last.map(({ _tag }) => _tag).sort(), ["Left", "Right"])
      yield* aView(yield* aMember(owner.workspace_id, "viewer"), { name: "of another" })
    })
  )

  it.effect("name a repository that there is", () =>
    Effect.gen(function* () {
      const views = yield* Views
      const owner = yield* aWorkspace()
      const request = { name: "one", query: "repo=api%40main", shared: true }
      const unknown = yield* Effect.flip(views.create(request).pipe(as(owner)))
      assert.strictEqual(unknown._tag, "RepositoryNotFound")
      yield* aRegisteredRepository(owner)
      yield* views.create(request).pipe(as(owner))
      assert.deepStrictEqual(yield* namesSeenBy(owner), ["one"])
    })
  )

  it.effect("leave one record in the audit log for each change, and none for a rejected one or none at all", () =>
    Effect.gen(function* () {
      const views = yield* Views
      const owner = yield* aWorkspace()
      const logged = loggedIn(owner.workspace_id)
      const before = (yield* logged).length
      const { id } = yield* aView(owner, { name: "a" })
      yield* views.update(id, { name: "b" }).pipe(as(owner))
      yield* views.update(id, { name: "b" }).pipe(as(owner))
      yield* Effect.flip(views.create({ name: "b", query: "", shared: false }).pipe(as(owner)))
      yield* views.remove(id).pipe(as(owner))
      yield* Effect.flip(views.remove(id).pipe(as(owner)))
      const records = (yield* logged).slice(before)
      assert.deepStrictEqual(
        records.map(({ object_kind, object_ref, before, after }) => [object_kind, object_ref, before, after]),
        [
          ["view", id, null, { name: "a", query: "status=new", shared: false }],
          ["view", id, { name: "a" }, { name: "b" }],
          ["view", id, { name: "b", query: "status=new", shared: false }, null]
        ]
      )
    })
  )
})
