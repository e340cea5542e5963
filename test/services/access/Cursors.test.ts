import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, TestClock } from "effect"
import { KeyId, WorkspaceId } from "../../../src/schema/Ids.ts"
import { Cursors } from "../../../src/services/access/Cursors.ts"
import { ServerSecrets } from "../../../src/services/support/ServerSecrets.ts"
import { as } from "../../support/builders.ts"
import { keyCredential } from "../../support/credential.ts"
import { Database } from "../../support/Database.ts"

const anybody = (workspace_id: WorkspaceId) => ({
  caller: {
    workspace_id,
    actor: { kind: "system" as const, label: null, api_key_id: null, user_id: null },
    permissions: new Set<never>(),
    hidden_repositories: [],
    credential: keyCredential(KeyId.make("01a1f84d-c1ea-70a9-a51e-fdfa95578d60"))
  }
})

const [ours, theirs] = [
  anybody(WorkspaceId.make("01a1f84d-c1ea-70a9-a51e-fdfa95578d61")),
  anybody(WorkspaceId.make("01a1f84d-c1ea-70a9-a51e-fdfa95578d62"))
]
const filters = { status: "new", repo: "api@main" }
const rows = [{ id: 1 }, { id: 2 }, { id: 3 }]

const CursorsLive = Cursors.Default.pipe(Layer.provideMerge(ServerSecrets.Default), Layer.provideMerge(Database))

const aCursor = Effect.gen(function* () {
  const cursors = yield* Cursors
  const page = yield* cursors.page("observations", filters, 2, rows, ({ id }) => [id, "x", null])
  return page.next_cursor ?? ""
}).pipe(as(ours))

const rejected = (list: string, by: object, cursor: string, who = ours) =>
  Effect.flatMap(Cursors, (cursors) => Effect.flip(cursors.open(list, by, cursor))).pipe(as(who))

layer(CursorsLive)("a cursor", (it) => {
  it.effect("continues after the last row, and is null on the last page", () =>
    Effect.gen(function* () {
      const cursors = yield* Cursors
      const page = yield* cursors.page("observations", filters, 2, rows, ({ id }) => [id, "x", null])
      assert.deepStrictEqual(page.data, [{ id: 1 }, { id: 2 }])
      assert.isTrue(page.has_more)
      assert.deepStrictEqual(yield* cursors.open("observations", filters, page.next_cursor ?? ""), [2, "x", null])
      const last = yield* cursors.page("observations", filters, 3, rows, ({ id }) => [id])
      assert.deepStrictEqual([last.data.length, last.next_cursor, last.has_more], [3, null, false])
      const none = yield* cursors.page("observations", filters, 3, [] as typeof rows, ({ id }) => [id])
      assert.deepStrictEqual([none.data, none.next_cursor, none.has_more], [[], null, false])
    }).pipe(as(ours))
  )

  it.effect("does not depend on the order in which filters are named", () =>
    Effect.gen(function* () {
      const cursors = yield* Cursors
      const cursor = yield* aCursor
      assert.isNotNull(yield* as(ours)(cursors.open("observations", { repo: "api@main", status: "new" }, cursor)))
    })
  )

  it.effect("of another filter, endpoint or workspace is rejected", () =>
    Effect.gen(function* () {
      const cursor = yield* aCursor
      for (const rejection of [
        yield* rejected("observations", { ...filters, status: "closed" }, cursor),
        yield* rejected("observations", {}, cursor),
        yield* rejected("jobs", filters, cursor),
        yield* rejected("observations", filters, cursor, theirs)
      ]) {
        assert.deepStrictEqual([rejection._tag, rejection.param], ["InvalidCursor", "cursor"])
      }
    })
  )

  it.effect("that was tampered with is rejected", () =>
    Effect.gen(function* () {
      const cursor = yield* aCursor
      const [body = "", seal = ""] = cursor.split(".")
      const forged = Buffer.from(Buffer.from(body, "base64url").toString().replace("[2,", "[0,")).toString("base64url")
      for (const bad of [
        "",
        ".",
        "x",
        body,
        `${body}.`,
        `.${seal}`,
        `${forged}.${seal}`,
        `${cursor}.x`,
        ` ${cursor}`,
        `${cursor}!`
      ]) {
        const rejection = yield* rejected("observations", filters, bad)
        assert.strictEqual(rejection._tag, "InvalidCursor", bad)
      }
    })
  )

  it.effect("is good for 24 hours", () =>
    Effect.gen(function* () {
      const cursors = yield* Cursors
      const cursor = yield* aCursor
      yield* TestClock.adjust("24 hours")
      yield* as(ours)(cursors.open("observations", filters, cursor))
      yield* TestClock.adjust("1 millis")
      assert.include((yield* rejected("observations", filters, cursor)).message, "expired")
    })
  )

  it.scoped("of one process is understood by every other of the same database", () =>
    Effect.gen(function* () {
      const cursor = yield* aCursor
      const other = Context.get(yield* Layer.build(Layer.fresh(Cursors.Default)), Cursors)
      assert.deepStrictEqual(yield* as(ours)(other.open("observations", filters, cursor)), [2, "x", null])
    })
  )
})
