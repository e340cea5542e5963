import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { DateTime, type Duration, Effect, Layer, TestClock } from "effect"
import { Keys } from "../../../src/services/access/Keys.ts"
import { Notices } from "../../../src/services/notices/Notices.ts"
import { KeyExpiryNotices } from "../../../src/services/outbox/KeyExpiryNotices.ts"
import { Outbox } from "../../../src/services/outbox/Outbox.ts"
import { OutboxRepo } from "../../../src/services/outbox/OutboxRepo.ts"
import { AccessOverDatabase } from "../../support/access.ts"
import { aKey, aMember, as, aWorkspace, type Person } from "../../support/builders.ts"
import { noticesOf } from "../../support/notices.ts"

const Services = Layer.merge(KeyExpiryNotices.Default, Notices.Default).pipe(
  Layer.provideMerge(Outbox.Default),
  Layer.provideMerge(OutboxRepo.Default),
  Layer.provideMerge(AccessOverDatabase)
)

const tick = Effect.flatMap(KeyExpiryNotices, (notices) => notices.tick())

const after = (duration: Duration.DurationInput) =>
  Effect.map(DateTime.now, (now) => DateTime.formatIso(DateTime.addDuration(now, duration)))

/** A key that expires after so long. */
const aKeyFor = (person: Person, life: Duration.DurationInput, name = "ci") =>
  Effect.flatMap(after(life), (expires_at) => aKey(person, { name, expires_at }))

const warnings = (person: Person) =>
  Effect.map(as(person)(Effect.flatMap(Outbox, (outbox) => outbox.list({}))), ({ data }) => data)

const countOf = (person: Person) => Effect.map(warnings(person), (found) => found.length)

layer(Services)("the warning of a key's expiry", (it) => {
  it.effect("is written 7 days before, not sooner, and once only", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      yield* aKeyFor(owner, "30 days")
      yield* tick
      assert.strictEqual(yield* countOf(owner), 0)
      yield* TestClock.adjust("551 hours")
      yield* TestClock.adjust("3599999 millis")
      yield* tick
      assert.strictEqual(yield* countOf(owner), 0)
      yield* TestClock.adjust("1 millis")
      yield* tick
      assert.strictEqual(yield* countOf(owner), 1)
      yield* TestClock.adjust("6 days")
      yield* tick
      assert.strictEqual(yield* countOf(owner), 1)
    })
  )

  it.effect("names key, prefix, workspace and expiry to the creator, and no secret", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      const member = yield* aMember(owner.workspace_id, "member")
      const expires_at = yield* after("8 days")
      const { key, api_key } = yield* aKey(member, { name: "deploy\r\nbot", scopes: ["view_jobs"], expires_at })
      yield* TestClock.adjust("2 days")
      yield* tick
      const [mail, ...others] = yield* warnings(owner)
      assert.deepStrictEqual(others, [])
      assert.strictEqual(mail?.to, member.email)
      assert.strictEqual(mail?.subject, `API key "deploy bot" expires on ${expires_at.slice(0, 10)}`)
      for (const part of ["deploy bot", key.prefix, "Acme", expires_at.slice(0, 10), expires_at.slice(11, 16)]) {
        assert.include(mail?.text, part)
      }
      assert.notInclude(JSON.stringify(mail), api_key.slice(12))
      const [notice, ...more] = yield* noticesOf(member)
      assert.deepStrictEqual([more, yield* noticesOf(owner)], [[], []])
      const text = `The API key "deploy bot" (${key.prefix}…) expires on ${expires_at.slice(0, 10)}.`
      assert.deepInclude(notice, { kind: "key_expiring", text, link: "/keys", read_at: null })
    })
  )

  it.effect("is not written for a key created with 7 days of life or less, nor for one without expiry", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      yield* aKey(owner, { agent_label: "bot" })
      yield* aKeyFor(owner, "7 days")
      yield* aKeyFor(owner, "1 hour")
      yield* aKey(owner)
      yield* tick
      yield* TestClock.adjust("3 days")
      yield* tick
      assert.strictEqual(yield* countOf(owner), 0)
      yield* aKeyFor(owner, "604800001 millis", "a little more")
      yield* tick
      assert.strictEqual(yield* countOf(owner), 0)
      yield* TestClock.adjust("1 millis")
      yield* tick
      assert.deepStrictEqual(
        (yield* warnings(owner)).map(({ subject }) => subject.slice(0, 23)),
        ['API key "a little more"']
      )
    })
  )

  it.effect("is not written for a revoked key", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      const keys = yield* Keys
      const { key } = yield* aKeyFor(owner, "10 days")
      yield* as(owner)(keys.revoke(key.id))
      yield* TestClock.adjust("5 days")
      yield* tick
      assert.strictEqual(yield* countOf(owner), 0)
    })
  )

  it.effect("is not written for a key that expired before it was checked", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      yield* aKeyFor(owner, "10 days")
      yield* TestClock.adjust("10 days")
      yield* tick
      assert.strictEqual(yield* countOf(owner), 0)
    })
  )

  it.effect("is not sent to a creator who has left the workspace", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      const sql = yield* SqlClient.SqlClient
      const leaver = yield* aMember(owner.workspace_id, "admin")
      yield* aKeyFor(leaver, "10 days")
      yield* sql`DELETE FROM memberships WHERE user_id = ${leaver.user_id}`
      yield* TestClock.adjust("5 days")
      yield* tick
      assert.strictEqual(yield* countOf(owner), 0)
    })
  )

  it.effect("is written once however many processes look at once, for any number of keys", () =>
    Effect.gen(function* () {
      const owners = yield* Effect.all(Array.from({ length: 6 }, () => aWorkspace()))
      for (const owner of owners) for (let i = 0; i < 25; i++) yield* aKeyFor(owner, "8 days", `key ${i}`)
      yield* TestClock.adjust("1 day")
      yield* Effect.all([tick, tick, tick], { concurrency: "unbounded" })
      for (const owner of owners) {
        const subjects = (yield* warnings(owner)).map(({ subject }) => subject)
        assert.strictEqual(new Set(subjects).size, 25)
        assert.strictEqual(subjects.length, 25)
      }
    })
  )

  it.effect("comes within five minutes of its time", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      yield* aKeyFor(owner, "8 days")
      const { loop } = yield* KeyExpiryNotices
      yield* Effect.forkScoped(loop)
      yield* TestClock.adjust("1 day")
      yield* Effect.repeat(Effect.zipRight(TestClock.adjust("5 minutes"), countOf(owner)), { until: (n) => n === 1 })
    }).pipe(Effect.scoped)
  )
})
