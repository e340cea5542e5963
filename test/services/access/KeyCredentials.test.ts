import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { DateTime, Duration, Effect, Fiber, Layer, TestClock } from "effect"
import { Guard } from "../../../src/services/access/Guard.ts"
import { CredentialLifetime } from "../../../src/services/access/KeyCredentials.ts"
import { Keys } from "../../../src/services/access/Keys.ts"
import { AccessOverDatabase } from "../../support/access.ts"
import { aKey, as, aWorkspace } from "../../support/builders.ts"
import { withStatements } from "../../support/statements.ts"

const lifetime = Duration.millis(500)

const identify = (key: string) =>
  Effect.flatMap(Guard, (guard) =>
    guard.identify({
      authorization: `Bearer ${key}`,
      sessionToken: undefined,
      csrfToken: undefined,
      sameOrigin: true,
      safeMethod: true,
      address: "203.0.113.7"
    })
  )

const outcome = (key: string) =>
  Effect.map(Effect.either(identify(key)), (result) => (result._tag === "Right" ? "admitted" : result.left._tag))

const remembered = AccessOverDatabase.pipe(Layer.provide(Layer.succeed(CredentialLifetime, lifetime)))

layer(remembered)("a key that was read a moment ago", (it) => {
  it.effect("is rejected at once when this process revokes it", () =>
    Effect.gen(function* () {
      const keys = yield* Keys
      const owner = yield* aWorkspace()
      const { key, api_key } = yield* aKey(owner)
      assert.strictEqual(yield* outcome(api_key), "admitted")
      yield* as(owner)(keys.revoke(key.id))
      assert.strictEqual(yield* outcome(api_key), "RevokedApiKey")
    })
  )

  it.effect("has its narrower scopes at once when this process takes some away", () =>
    Effect.gen(function* () {
      const keys = yield* Keys
      const owner = yield* aWorkspace()
      const { key, api_key } = yield* aKey(owner)
      assert.isTrue((yield* identify(api_key)).caller.permissions.has("view_observations"))
      yield* as(owner)(keys.update(key.id, { scopes: ["view_jobs"] }))
      assert.deepStrictEqual([...(yield* identify(api_key)).caller.permissions], ["view_jobs"])
    })
  )

  it.effect("is rejected within its lifetime when another process revokes it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const owner = yield* aWorkspace()
      const { key, api_key } = yield* aKey(owner)
      assert.strictEqual(yield* outcome(api_key), "admitted")
      yield* sql`UPDATE api_keys SET revoked_at = '2026-01-01T00:00:00Z' WHERE id = ${key.id}`
      yield* TestClock.adjust("499 millis")
      assert.strictEqual(yield* outcome(api_key), "admitted")
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(yield* outcome(api_key), "RevokedApiKey")
    })
  )

  it.effect("loses what its creator lost, and is rejected in a suspended workspace, within its lifetime", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const owner = yield* aWorkspace()
      const { api_key } = yield* aKey(owner)
      assert.isTrue((yield* identify(api_key)).caller.permissions.has("triage_observations"))
      yield* sql`UPDATE memberships SET role = 'viewer' WHERE user_id = ${owner.user_id}`
      yield* TestClock.adjust(lifetime)
      assert.isFalse((yield* identify(api_key)).caller.permissions.has("triage_observations"))
      yield* sql`UPDATE workspaces SET suspended_at = '2026-01-01T00:00:00Z' WHERE id = ${owner.workspace_id}`
      yield* TestClock.adjust(lifetime)
      assert.strictEqual(yield* outcome(api_key), "WorkspaceSuspended")
    })
  )

  it.effect("expires to the millisecond", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      const expires_at = DateTime.formatIso(DateTime.add(yield* DateTime.now, { millis: 200 }))
      const { api_key } = yield* aKey(owner, { expires_at })
      yield* TestClock.adjust("199 millis")
      assert.strictEqual(yield* outcome(api_key), "admitted")
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(yield* outcome(api_key), "ExpiredApiKey")
    })
  )

  it.effect("is not taken for the revoked one by a reading that a revocation overtakes", () =>
    Effect.gen(function* () {
      const keys = yield* Keys
      const owner = yield* aWorkspace()
      const { key, api_key } = yield* aKey(owner)
      yield* Effect.all([as(owner)(keys.revoke(key.id)), ...Array.from({ length: 20 }, () => outcome(api_key))], {
        concurrency: "unbounded"
      })
      assert.strictEqual(yield* outcome(api_key), "RevokedApiKey")
    })
  )

  it.effect("is looked up with those that ask at the same moment, in one statement", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      const made = yield* Effect.forEach([1, 2, 3], () => aKey(owner))
      const keys = made.map(({ api_key }) => api_key)
      const unknown = `${keys[0]!.slice(0, -7)}${keys[1]!.slice(-7)}`
      const [outcomes, statements] = yield* withStatements(
        Effect.forEach([...keys, ...keys, unknown], outcome, { concurrency: "unbounded" })
      )
      assert.deepStrictEqual(outcomes, [...Array(6).fill("admitted"), "InvalidApiKey"])
      // One reads the three keys, one writes that they were used.
      assert.isAtMost(statements.length, 2)
    })
  )

  it.effect("is looked up for the others when the call that asked first is interrupted", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      const { api_key } = yield* aKey(owner)
      const first = yield* Effect.fork(outcome(api_key))
      const second = yield* Effect.fork(outcome(api_key))
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(first)
      assert.strictEqual(yield* Fiber.join(second), "admitted")
      assert.strictEqual(yield* outcome((yield* aKey(owner)).api_key), "admitted")
    })
  )
})
