import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Either, TestClock } from "effect"
import { scopes, UpdateKey } from "../../../src/schema/Key.ts"
import type { Caller } from "../../../src/services/access/Caller.ts"
import { Keys } from "../../../src/services/access/Keys.ts"
import { permissionsOf } from "../../../src/services/access/roles.ts"
import { sha256 } from "../../../src/services/support/ids.ts"
import { AccessOverDatabase } from "../../support/access.ts"
import { aKey, aMember, as, aWorkspace } from "../../support/builders.ts"
import { keyCredential } from "../../support/credential.ts"

const minimal = { name: "ci", scopes: ["view_jobs"] } as const

layer(AccessOverDatabase)("keys", (it) => {
  it.effect("the full key is shown once; the database holds its digest only", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      const sql = yield* SqlClient.SqlClient
      const { key, api_key } = yield* aKey(owner, { ...minimal, agent_label: null })
      assert.strictEqual(key.prefix, api_key.slice(0, 12))
      const [row] = yield* sql<{
        hash: Buffer
        all: string
      }>`SELECT hash, k::text AS all FROM api_keys k WHERE id = ${key.id}`
      assert.deepStrictEqual(row?.hash, sha256(api_key))
      assert.notInclude(row?.all, api_key.slice(12))
      const keys = yield* Keys
      assert.deepStrictEqual(yield* as(owner)(keys.get(key.id)), key)
      assert.notInclude(JSON.stringify(yield* as(owner)(keys.list({}))), api_key.slice(12))
    })
  )

  it.effect("at most 25 keys are live per workspace, however many are asked for at once", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      const keys = yield* Keys
      const results = yield* Effect.all(
        Array.from({ length: 100 }, () => Effect.either(as(owner)(keys.create(minimal)))),
        { concurrency: "unbounded" }
      )
      const made = results.filter(Either.isRight)
      assert.strictEqual(made.length, 25)
      for (const rejected of results.filter(Either.isLeft)) assert.strictEqual(rejected.left._tag, "KeyLimitReached")
      yield* as(owner)(keys.revoke(made[0]!.right.key.id))
      yield* as(owner)(keys.create(minimal))
      assert.strictEqual((yield* Effect.flip(as(owner)(keys.create(minimal))))._tag, "KeyLimitReached")
    })
  )

  it.effect("an expired key no longer counts", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      for (let i = 0; i < 25; i++) yield* aKey(owner, { ...minimal, agent_label: "bot" })
      yield* TestClock.adjust("8 days")
      yield* aKey(owner, minimal)
    })
  )

  it.effect("a key with an agent label expires after 7 days unless the request says otherwise", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      const now = yield* DateTime.now
      const after = (days: number) => DateTime.formatIso(DateTime.add(now, { days }))
      const expiryOf = (request: object) =>
        Effect.map(aKey(owner, { ...minimal, ...request }), ({ key }) => key.expires_at)
      assert.strictEqual(yield* expiryOf({ agent_label: "bot" }), after(7))
      assert.strictEqual(yield* expiryOf({ agent_label: "bot", expires_at: after(30) }), after(30))
      assert.strictEqual(yield* expiryOf({ agent_label: "bot", expires_at: null }), null)
      assert.strictEqual(yield* expiryOf({}), null)
      assert.strictEqual(yield* expiryOf({ agent_label: null }), null)
    })
  )

  it.effect("expires_at lies in the future", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      const keys = yield* Keys
      const now = DateTime.formatIso(yield* DateTime.now)
      const rejected = yield* Effect.flip(as(owner)(keys.create({ ...minimal, expires_at: now })))
      assert.deepStrictEqual([rejected._tag, rejected.param], ["InvalidPayload", "expires_at"])
    })
  )

  it.effect("limits can be set or lowered, never raised or cleared", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      const keys = yield* Keys
      const { key } = yield* aKey(owner, minimal)
      const patch = (change: UpdateKey) => as(owner)(keys.update(key.id, change))
      yield* patch({ requests_per_minute: null, dollars_per_hour: null })
      assert.strictEqual((yield* patch({ requests_per_minute: 100 })).requests_per_minute, 100)
      assert.strictEqual((yield* patch({ requests_per_minute: 50, dollars_per_hour: 2.5 })).requests_per_minute, 50)
      for (const change of [
        { requests_per_minute: 51 },
        { requests_per_minute: null },
        { dollars_per_hour: 2.51 },
        { dollars_per_hour: null }
      ]) {
        const rejected = yield* Effect.flip(patch(change))
        assert.deepStrictEqual([rejected._tag, rejected.param], ["KeyOnlyTightens", Object.keys(change)[0]])
      }
      const after = yield* patch({ requests_per_minute: 50, name: "renamed", agent_label: "bot" })
      assert.deepStrictEqual(
        [after.requests_per_minute, after.dollars_per_hour, after.name, after.agent_label, after.expires_at],
        [50, 2.5, "renamed", "bot", null]
      )
    })
  )

  it.effect("two lowerings at once end at one of the two, and nothing is lost", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      const keys = yield* Keys
      const { key } = yield* aKey(owner, { ...minimal, requests_per_minute: 100 })
      yield* Effect.all(
        [{ requests_per_minute: 10 }, { name: "renamed" }].map((change) => as(owner)(keys.update(key.id, change))),
        { concurrency: 2 }
      )
      const after = yield* as(owner)(keys.get(key.id))
      assert.deepStrictEqual([after.requests_per_minute, after.name], [10, "renamed"])
    })
  )

  it.effect("scopes only shrink", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      const keys = yield* Keys
      const { key } = yield* aKey(owner, { scopes: ["view_jobs", "view_issues", "view_jobs"] })
      assert.deepStrictEqual(key.scopes, ["view_jobs", "view_issues"])
      const rejected = yield* Effect.flip(as(owner)(keys.update(key.id, { scopes: ["view_jobs", "manage_issues"] })))
      assert.deepStrictEqual([rejected._tag, rejected.param], ["KeyOnlyTightens", "scopes"])
      assert.deepStrictEqual((yield* as(owner)(keys.update(key.id, { scopes: ["view_jobs"] }))).scopes, ["view_jobs"])
      assert.strictEqual(
        (yield* Effect.flip(as(owner)(keys.update(key.id, { scopes: ["view_issues"] }))))._tag,
        "KeyOnlyTightens"
      )
    })
  )

  it.effect("expiry and addresses cannot be changed after creation: the body has no such fields", () =>
    Effect.sync(() => {
      assert.deepStrictEqual(Object.keys(UpdateKey.fields).sort(), [
        "agent_label",
        "dollars_per_hour",
        "name",
        "requests_per_minute",
        "scopes"
      ])
    })
  )

  it.effect("addresses are CIDR ranges or bare hosts", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      const keys = yield* Keys
      const allowed_cidrs = ["10.0.0.0/8", "2001:db8::/32", "192.0.2.1", "::1"]
      assert.deepStrictEqual((yield* aKey(owner, { ...minimal, allowed_cidrs })).key.allowed_cidrs, allowed_cidrs)
      const rejected = yield* Effect.flip(
        as(owner)(keys.create({ ...minimal, allowed_cidrs: ["10.0.0.0/8", "example.org"] }))
      )
      assert.deepStrictEqual([rejected._tag, rejected.param], ["InvalidPayload", "allowed_cidrs.1"])
      assert.notInclude(rejected.message, "example.org")
    })
  )

  it.effect("a key holds a subset of its creator's permissions", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      const member = yield* aMember(owner.workspace_id, "member")
      const keys = yield* Keys
      const rejected = yield* Effect.flip(as(member)(keys.create({ name: "ci", scopes })))
      assert.strictEqual(rejected._tag, "InsufficientScope")
      const missing = scopes.filter((scope) => !permissionsOf("member").has(scope))
      assert.deepStrictEqual(rejected.details, { missing_scopes: missing })
      yield* aKey(member, { scopes: [...permissionsOf("member")] })
    })
  )

  it.effect("a member sees, edits and revokes their own keys, an admin every key of the workspace", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      const [member, admin] = [
        yield* aMember(owner.workspace_id, "member"),
        yield* aMember(owner.workspace_id, "admin")
      ]
      const stranger = yield* aWorkspace()
      const keys = yield* Keys
      const [ofOwner, ofMember] = [(yield* aKey(owner)).key, (yield* aKey(member, minimal)).key]
      const idsOf = (person: typeof owner) =>
        Effect.map(as(person)(keys.list({})), ({ data }) => data.map(({ id }) => id).sort())
      assert.deepStrictEqual(yield* idsOf(member), [ofMember.id])
      assert.deepStrictEqual(yield* idsOf(admin), [ofOwner.id, ofMember.id].sort())
      assert.deepStrictEqual(yield* idsOf(stranger), [])
      for (const [person, key] of [
        [member, ofOwner],
        [stranger, ofOwner],
        [stranger, ofMember]
      ] as const) {
        for (const attempt of [keys.get(key.id), keys.update(key.id, { name: "mine" }), keys.revoke(key.id)]) {
          assert.strictEqual(
            (yield* Effect.flip(as(person)<unknown, { readonly _tag: string }, Caller>(attempt)))._tag,
            "KeyNotFound"
          )
        }
      }
      yield* as(admin)(keys.update(ofMember.id, { name: "seen by admin" }))
      yield* as(admin)(keys.revoke(ofOwner.id))
      assert.isNotNull((yield* as(owner)(keys.get(ofOwner.id))).revoked_at)
    })
  )

  it.effect("revoking twice keeps the first time", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      const keys = yield* Keys
      const { key } = yield* aKey(owner)
      yield* as(owner)(keys.revoke(key.id))
      const first = yield* as(owner)(keys.get(key.id))
      yield* TestClock.adjust("1 hour")
      yield* as(owner)(keys.revoke(key.id))
      assert.deepStrictEqual(yield* as(owner)(keys.get(key.id)), first)
    })
  )

  it.effect("keys cannot manage keys", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      const keys = yield* Keys
      const { key } = yield* aKey(owner)
      const caller = { ...owner.caller, credential: keyCredential(key.id, owner.user_id) }
      for (const attempt of [
        keys.create(minimal),
        keys.list({}),
        keys.get(key.id),
        keys.update(key.id, {}),
        keys.revoke(key.id)
      ]) {
        const rejected = yield* Effect.flip(as({ caller })<unknown, { readonly _tag: string }, Caller>(attempt))
        assert.strictEqual(rejected._tag, "SessionRequired")
      }
    })
  )

  it.effect("the list pages through all of them, newest first", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      const keys = yield* Keys
      const made: Array<string> = []
      for (let i = 0; i < 5; i++) made.unshift((yield* aKey(owner, minimal)).key.id)
      const seen: Array<string> = []
      let cursor: string | null = null
      do {
        const page: Effect.Effect.Success<ReturnType<typeof keys.list>> = yield* as(owner)(
          keys.list({ limit: 2, ...(cursor === null ? {} : { cursor }) })
        )
        assert.strictEqual(page.has_more, page.next_cursor !== null)
        seen.push(...page.data.map(({ id }) => id))
        cursor = page.next_cursor
      } while (cursor !== null)
      assert.deepStrictEqual(seen, made)
    })
  )
})
