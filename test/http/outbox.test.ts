import { assert, layer } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { Outbox } from "../../src/services/outbox/Outbox.ts"
import { aKey, aMember, aWorkspace, type Person } from "../support/builders.ts"
import { TestApp } from "../support/TestApp.ts"
import { jsonOf, outcome, send } from "../support/wire.ts"

const path = "/api/outbox"

const enqueue = (person: Person, subject: string) =>
  Effect.flatMap(Outbox, (outbox) =>
    outbox.enqueue({ workspace_id: person.workspace_id, to: person.email, subject, text: "A text.\n" })
  )

layer(TestApp)("the outbox", (it) => {
  it.effect("is read by admins and the owner, signed in; by no one else and with no key", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      const [admin, member, viewer] = yield* Effect.all([
        aMember(owner.workspace_id, "admin"),
        aMember(owner.workspace_id, "member"),
        aMember(owner.workspace_id, "viewer")
      ])
      const { api_key } = yield* aKey(owner)
      assert.strictEqual(yield* outcome({ path, as: owner.session }), "200")
      assert.strictEqual(yield* outcome({ path, as: admin.session }), "200")
      assert.strictEqual(yield* outcome({ path, as: member.session }), "403 insufficient_scope")
      assert.strictEqual(yield* outcome({ path, as: viewer.session }), "403 insufficient_scope")
      assert.strictEqual(yield* outcome({ path, as: api_key }), "403 session_required")
      assert.strictEqual(yield* outcome({ path }), "401 invalid_session")
    })
  )

  it.effect("shows every mail of the workspace and none of another, newest first, page by page", () =>
    Effect.gen(function* () {
      const [owner, stranger] = yield* Effect.all([aWorkspace(), aWorkspace()])
      yield* enqueue(stranger, "not yours")
      for (const subject of ["one", "two", "three"]) {
        yield* enqueue(owner, subject)
        yield* TestClock.adjust("1 second")
      }
      const first = jsonOf(yield* send({ path: `${path}?limit=2`, as: owner.session }))
      const rows = first.data as ReadonlyArray<Record<string, unknown>>
      assert.deepStrictEqual(
        rows.map(({ subject }) => subject),
        ["three", "two"]
      )
      const { id, created_at, next_attempt_at, ...mail } = rows[0]!
      assert.strictEqual(created_at, next_attempt_at)
      assert.match(String(id), /^[0-9a-f-]{36}$/)
      assert.deepStrictEqual(mail, {
        to: owner.email,
        subject: "three",
        text: "A text.\n",
        status: "pending",
        attempts: 0,
        error: null,
        sent_at: null
      })
      const next = jsonOf(yield* send({ path: `${path}?cursor=${first.next_cursor}`, as: owner.session }))
      assert.deepStrictEqual(
        [(next.data as typeof rows).map(({ subject }) => subject), next.has_more],
        [["one"], false]
      )
      const filtered = (query: string) => outcome({ path: `${path}?${query}`, as: owner.session })
      assert.strictEqual(yield* filtered(`status=pending&cursor=${first.next_cursor}`), "400 invalid_cursor")
      assert.strictEqual(yield* filtered("status=lost"), "422 invalid_payload")
      const sent = jsonOf(yield* send({ path: `${path}?status=sent`, as: owner.session }))
      assert.deepStrictEqual(sent.data, [])
    })
  )
})
