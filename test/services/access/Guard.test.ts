import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { operation } from "../../../src/schema/Operation.ts"
import { type Credentials, Guard } from "../../../src/services/access/Guard.ts"
import { KeyCredentials } from "../../../src/services/access/KeyCredentials.ts"
import { Keys } from "../../../src/services/access/Keys.ts"
import { permissionsOf } from "../../../src/services/access/roles.ts"
import { AccessOverDatabase } from "../../support/access.ts"
import { aKey, aMember, as, aWorkspace, type Person, signedIn } from "../../support/builders.ts"

const nothing: Credentials = {
  authorization: undefined,
  sessionToken: undefined,
  csrfToken: undefined,
  sameOrigin: true,
  safeMethod: true,
  address: "203.0.113.7"
}
const withKey = (key: string, more: Partial<Credentials> = {}) => ({
  ...nothing,
  authorization: `Bearer ${key}`,
  ...more
})
const withSession = ({ session }: Person, more: Partial<Credentials> = {}) => ({
  ...nothing,
  sessionToken: session.cookie,
  ...more
})

const limited = operation({
  name: "t.limited",
  summary: "T.",
  scopes: ["view_jobs"],
  access: "read",
  bucket: { name: "limited", rpm: 1 }
})
const open = operation({ name: "t.open", summary: "T.", scopes: [], access: "read" })

const rejection = (credentials: Credentials) =>
  Effect.flatMap(Guard, (guard) => Effect.map(Effect.flip(guard.identify(credentials)), ({ _tag }) => _tag))

const suspend = (person: Person) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`UPDATE workspaces SET suspended_at = '2026-01-01T00:00:00Z' WHERE id = ${person.workspace_id}`
  )

layer(AccessOverDatabase)("the guard", (it) => {
  it.effect("checks the key, its expiry, the address, the workspace, the limits and the scopes, in this order", () =>
    Effect.gen(function* () {
      const guard = yield* Guard
      const keys = yield* Keys
      const sql = yield* SqlClient.SqlClient
      const owner = yield* aWorkspace()
      const { key, api_key } = yield* aKey(owner, {
        scopes: ["view_issues"],
        agent_label: "bot",
        allowed_cidrs: ["10.0.0.0/8"]
      })
      yield* suspend(owner)
      yield* TestClock.adjust("8 days")
      yield* as(owner)(keys.revoke(key.id))
      const elsewhere = withKey(api_key)
      assert.strictEqual(yield* rejection(elsewhere), "RevokedApiKey")
      yield* sql`UPDATE api_keys SET revoked_at = NULL WHERE id = ${key.id}`
      assert.strictEqual(yield* rejection(elsewhere), "ExpiredApiKey")
      yield* sql`UPDATE api_keys SET expires_at = NULL WHERE id = ${key.id}`
      assert.strictEqual(yield* rejection(elsewhere), "AddressNotAllowed")
      assert.strictEqual(yield* rejection(withKey(api_key, { address: null })), "AddressNotAllowed")
      const here = withKey(api_key, { address: "10.1.2.3" })
      assert.strictEqual(yield* rejection(here), "WorkspaceSuspended")
      yield* sql`UPDATE workspaces SET suspended_at = NULL WHERE id = ${owner.workspace_id}`
      const { rejected } = yield* guard.admit(limited, here)
      assert.strictEqual((yield* Effect.flip(rejected))._tag, "InsufficientScope")
      // The rejected call was counted, so the next one is rejected for its number.
      assert.strictEqual((yield* Effect.flip(guard.admit(limited, here)))._tag, "RateLimited")
    })
  )

  it.effect("an Authorization header, even a bad one, wins over a cookie", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      assert.strictEqual(yield* rejection(withSession(owner, { authorization: "Bearer nonsense" })), "InvalidApiKey")
      assert.strictEqual(yield* rejection(nothing), "MissingApiKey")
      assert.strictEqual(yield* rejection({ ...nothing, sessionToken: "nonsense" }), "InvalidSession")
    })
  )

  it.effect("keys do not share counters, and the lowest limit decides", () =>
    Effect.gen(function* () {
      const guard = yield* Guard
      const owner = yield* aWorkspace()
      const [slow, other] = [yield* aKey(owner, { requests_per_minute: 2 }), yield* aKey(owner)]
      const first = yield* guard.admit(open, withKey(slow.api_key))
      assert.deepStrictEqual([first.rate.name, first.rate.remaining], ["key", 1])
      yield* guard.admit(open, withKey(slow.api_key))
      const rejected = yield* Effect.flip(guard.admit(open, withKey(slow.api_key)))
      assert.deepStrictEqual([rejected._tag, rejected.retryAfterSeconds], ["RateLimited", 30])
      assert.strictEqual((yield* guard.admit(open, withKey(other.api_key))).rate.remaining, 2999)
    })
  )

  it.effect("the plan's budget is 600 calls per minute on Free and 3,000 on Paid", () =>
    Effect.gen(function* () {
      const guard = yield* Guard
      for (const [plan, rpm] of [
        ["free", 600],
        ["paid", 3000]
      ] as const) {
        const { api_key } = yield* aKey(yield* aWorkspace({ plan }))
        const { rate } = yield* guard.admit(open, withKey(api_key))
        assert.deepStrictEqual([rate.rpm, rate.remaining], [rpm, rpm - 1])
      }
    })
  )

  it.effect("a key's permissions shrink at once when its creator is demoted, and end when the creator leaves", () =>
    Effect.gen(function* () {
      const guard = yield* Guard
      const sql = yield* SqlClient.SqlClient
      const owner = yield* aWorkspace()
      const admin = yield* aMember(owner.workspace_id, "admin")
      const { api_key } = yield* aKey(admin)
      const permissions = Effect.map(guard.identify(withKey(api_key)), ({ caller }) => caller.permissions)
      assert.deepStrictEqual(yield* permissions, permissionsOf("admin"))
      yield* sql`UPDATE memberships SET role = 'viewer' WHERE user_id = ${admin.user_id}`
      assert.deepStrictEqual(yield* permissions, permissionsOf("viewer"))
      yield* sql`DELETE FROM memberships WHERE user_id = ${admin.user_id}`
      assert.deepStrictEqual(yield* permissions, new Set())
    })
  )

  it.effect("a key's scopes are a hard ceiling, the owner's key included", () =>
    Effect.gen(function* () {
      const guard = yield* Guard
      const owner = yield* aWorkspace()
      const { api_key } = yield* aKey(owner, { scopes: ["view_repositories"] })
      const { rejected } = yield* guard.admit(limited, withKey(api_key))
      const error = yield* Effect.flip(rejected)
      assert.deepStrictEqual(error.details, { missing_scopes: ["view_jobs"] })
    })
  )

  it.effect("manage_repos implies register_repo", () =>
    Effect.gen(function* () {
      const guard = yield* Guard
      const { api_key } = yield* aKey(yield* aWorkspace(), { scopes: ["manage_repos"] })
      const register = operation({ ...open, name: "t.register", scopes: ["register_repo"] })
      yield* (yield* guard.admit(register, withKey(api_key))).rejected
    })
  )

  it.effect("a session has 600 calls a minute in all, whatever they are; buckets are for keys", () =>
    Effect.gen(function* () {
      const guard = yield* Guard
      const owner = yield* aWorkspace()
      const call = guard.admit(limited, withSession(owner))
      const first = yield* call
      assert.deepStrictEqual([first.rate.name, first.rate.rpm, first.rate.remaining], ["session", 600, 599])
      yield* Effect.repeatN(Effect.zipRight(call, guard.admit(open, withSession(owner))), 298)
      yield* call
      assert.strictEqual((yield* Effect.flip(call))._tag, "RateLimited")
      const other = yield* signedIn(owner)
      assert.strictEqual((yield* guard.admit(limited, withSession(other))).rate.remaining, 599)
    })
  )

  it.effect("a suspended workspace's keys and sessions work again when it is active", () =>
    Effect.gen(function* () {
      const guard = yield* Guard
      const sql = yield* SqlClient.SqlClient
      const owner = yield* aWorkspace()
      const { api_key } = yield* aKey(owner)
      yield* suspend(owner)
      assert.strictEqual(yield* rejection(withKey(api_key)), "WorkspaceSuspended")
      assert.strictEqual(yield* rejection(withSession(owner)), "WorkspaceSuspended")
      yield* sql`UPDATE workspaces SET suspended_at = NULL WHERE id = ${owner.workspace_id}`
      yield* guard.identify(withKey(api_key))
      yield* guard.identify(withSession(owner))
    })
  )

  it.effect("a change made with a cookie needs the session's own CSRF token and the site's own origin", () =>
    Effect.gen(function* () {
      const guard = yield* Guard
      const [owner, other] = [yield* aWorkspace(), yield* aWorkspace()]
      const change = { safeMethod: false, csrfToken: owner.session.csrf }
      for (const more of [
        { csrfToken: undefined },
        { csrfToken: "" },
        { csrfToken: other.session.csrf },
        { sameOrigin: false }
      ]) {
        assert.strictEqual(yield* rejection(withSession(owner, { ...change, ...more })), "CsrfRejected")
      }
      yield* guard.identify(withSession(owner, change))
      yield* guard.identify(withSession(owner, { sameOrigin: false }))
    })
  )

  it.effect("people's routes reject keys and keys' routes reject people", () =>
    Effect.gen(function* () {
      const guard = yield* Guard
      const owner = yield* aWorkspace()
      const { api_key } = yield* aKey(owner)
      const [forPeople, forKeys] = [operation({ ...open, only: "session" }), operation({ ...open, only: "key" })]
      assert.strictEqual(
        (yield* Effect.flip((yield* guard.admit(forPeople, withKey(api_key))).rejected))._tag,
        "SessionRequired"
      )
      assert.strictEqual(
        (yield* Effect.flip((yield* guard.admit(forKeys, withSession(owner))).rejected))._tag,
        "KeyRequired"
      )
      assert.strictEqual((yield* Effect.flip(guard.admit(forPeople, nothing)))._tag, "InvalidSession")
    })
  )

  it.effect("a beta is rejected until the workspace has it switched on", () =>
    Effect.gen(function* () {
      const guard = yield* Guard
      const sql = yield* SqlClient.SqlClient
      const owner = yield* aWorkspace()
      const { api_key } = yield* aKey(owner)
      const beta = operation({ ...open, beta: "missions" })
      assert.strictEqual(
        (yield* Effect.flip((yield* guard.admit(beta, withKey(api_key))).rejected))._tag,
        "FeatureNotEnabled"
      )
      yield* sql`UPDATE workspaces SET features = '{missions}' WHERE id = ${owner.workspace_id}`
      yield* (yield* guard.admit(beta, withKey(api_key))).rejected
    })
  )

  it.effect("a key remembers when and from where it was last used, to the minute", () =>
    Effect.gen(function* () {
      const guard = yield* Guard
      const keys = yield* Keys
      const owner = yield* aWorkspace()
      const { key, api_key } = yield* aKey(owner)
      const { noted } = yield* KeyCredentials
      yield* guard.identify(withKey(api_key, { address: "192.0.2.1" }))
      yield* noted
      const first = yield* as(owner)(keys.get(key.id))
      assert.strictEqual(first.last_used_ip, "192.0.2.1")
      yield* TestClock.adjust("59 seconds")
      yield* guard.identify(withKey(api_key, { address: "192.0.2.2" }))
      yield* noted
      assert.deepStrictEqual(yield* as(owner)(keys.get(key.id)), first)
      yield* TestClock.adjust("2 seconds")
      yield* guard.identify(withKey(api_key, { address: "192.0.2.2" }))
      yield* noted
      assert.strictEqual((yield* as(owner)(keys.get(key.id))).last_used_ip, "192.0.2.2")
    })
  )
})
