import { assert, layer } from "@effect/vitest"
import { Context, DateTime, Effect, Layer, TestClock } from "effect"
import { operations } from "../../src/schema/operations/index.ts"
import { Sessions } from "../../src/services/access/Sessions.ts"
import { aKey, aKeyWithout, aWebhook, aWorkspace, withFeatures } from "../support/builders.ts"
import { inForm } from "../support/forms.ts"
import { aWorld, samples } from "../support/samples.ts"
import { TestApp } from "../support/TestApp.ts"
import { errorOf, outcome, send } from "../support/wire.ts"

const guarded = operations.filter(({ only }) => only !== "anyone")
const forKeys = guarded.filter(({ only }) => only === undefined)
const forPeople = guarded.filter(({ only }) => only === "session")

/** Of so many operations, one is called with each key that is wrong, and over its limit: one guard admits all of them. */
const SHARE = inForm({ short: 8, long: 1 })
const some = <A>(all: ReadonlyArray<A>) => all.filter((_, index) => index % SHARE === 0)

/** Each operation's outcome, next to what it should be. */
const table = (expected: string, rows: ReadonlyArray<{ readonly name: string; readonly outcome: string }>) =>
  assert.deepStrictEqual(
    rows.filter((row) => row.outcome !== expected),
    []
  )

// Not the seven days of an agent's key: the listener's pulse would beat through all of them.
const inAMinute = Effect.map(DateTime.now, (now) => DateTime.formatIso(DateTime.add(now, { minutes: 1 })))

class UnchangedWorld extends Context.Tag("test/UnchangedWorld")<
  UnchangedWorld,
  Effect.Effect.Success<typeof aWorld>
>() {}

/** One for all tests that change nothing in it. */
const UnchangedWorldLive = Layer.effect(UnchangedWorld, aWorld).pipe(Layer.provideMerge(TestApp))

layer(UnchangedWorldLive)("every operation of the REST API", (it) => {
  it.effect("has a sample call", () =>
    Effect.gen(function* () {
      const known = samples(yield* UnchangedWorld)
      assert.sameMembers(
        Object.keys(known),
        guarded.map(({ name }) => name)
      )
    })
  )

  it.effect("returns its documented success, with the headers of its tightest budget", () =>
    Effect.gen(function* () {
      const world = yield* aWorld
      for (const [name, { call, status }] of Object.entries(samples(world))) {
        const { only, bucket: own = { name: "plan", rpm: 3000 } } = guarded.find(
          (operation) => operation.name === name
        )!
        const isPerson = only === "session"
        const bucket = isPerson ? { name: "session", rpm: 600 } : own
        const response = yield* send({ ...call, as: isPerson ? world.owner.session : world.api_key })
        assert.strictEqual(response.status, status, `${name}: ${response.text}`)
        assert.strictEqual(response.headers["ratelimit-policy"], `"${bucket.name}";q=${bucket.rpm};w=60`, name)
        assert.match(String(response.headers.ratelimit), new RegExp(`^"${bucket.name}";r=\\d+;t=\\d+$`), name)
        assert.match(String(response.headers["x-request-id"]), /^req_[0-9a-f]{32}$/, name)
      }
    })
  )

  it.effect("is 401 without credentials, and with a key that is wrong, expired, revoked or used elsewhere", () =>
    Effect.gen(function* () {
      const world = yield* UnchangedWorld
      const known = Object.entries(samples(world))
      const expired = yield* aKey(world.owner, { expires_at: yield* inAMinute })
      const fromOffice = yield* aKey(world.owner, { allowed_cidrs: ["198.51.100.0/24"] })
      const outcomes = (as: string | undefined, address?: string) =>
        Effect.forEach(as === undefined ? known : some(known), ([name, { call }]) =>
          Effect.map(outcome({ ...call, as, ...(address === undefined ? {} : { address }) }), (found) => ({
            name,
            outcome: found
          }))
        )
      const anonymous = yield* outcomes(undefined)
      table(
        "401 missing_api_key",
        anonymous.filter(({ name }) => forKeys.some((operation) => operation.name === name))
      )
      table(
        "401 invalid_session",
        anonymous.filter(({ name }) => forPeople.some((operation) => operation.name === name))
      )
      table("401 invalid_api_key", yield* outcomes(`${world.api_key}x`))
      table("401 address_not_allowed", yield* outcomes(fromOffice.api_key))
      table("401 address_not_allowed", yield* outcomes(fromOffice.api_key, "garbage"))
      yield* TestClock.adjust("2 minutes")
      table("401 expired_api_key", yield* outcomes(expired.api_key))
      assert.strictEqual(yield* outcome({ path: "/api/jobs", as: fromOffice.api_key, address: "198.51.100.9" }), "200")
    })
  )

  it.effect("is 403 for a key without its scope, and for any key where a person is needed", () =>
    Effect.gen(function* () {
      const world = yield* UnchangedWorld
      const known = samples(world)
      const keys = new Map<string, string>()
      for (const { name, scopes } of forKeys) {
        if (scopes.length === 0) continue
        const without = scopes.join()
        // One for all operations of the same scopes, in a workspace each: one may have 25 live keys.
        const as = keys.get(without) ?? (yield* aKeyWithout(yield* aWorkspace(), [...scopes, "manage_repos"]))
        keys.set(without, as)
        const response = yield* send({ ...known[name]!.call, as })
        const { code, details } = errorOf(response)
        assert.deepStrictEqual(
          [response.status, code, details],
          [403, "insufficient_scope", { missing_scopes: scopes }],
          name
        )
      }
      for (const { name } of forPeople) {
        assert.strictEqual(yield* outcome({ ...known[name]!.call, as: world.api_key }), "403 session_required", name)
      }
    })
  )

  it.effect("finds nothing of another workspace", () =>
    Effect.gen(function* () {
      const world = yield* UnchangedWorld
      const stranger = yield* aWorkspace()
      yield* withFeatures(stranger)
      yield* aWebhook(stranger)
      const { api_key } = yield* aKey(stranger)
      for (const [name, { call, named, missing = "not_found" }] of Object.entries(samples(world))) {
        if (named !== true) continue
        const person = forPeople.some((operation) => operation.name === name)
        const found = yield* outcome({ ...call, as: person ? stranger.session : api_key })
        assert.strictEqual(found, `404 ${missing}`, name)
      }
      for (const path of ["/api/repos", "/api/jobs", "/api/observations"]) {
        const response = yield* send({ path, as: api_key })
        assert.deepStrictEqual(JSON.parse(response.text), { data: [], next_cursor: null, has_more: false })
      }
    })
  )

  it.effect("is 429 over the key's own limit, until Retry-After has passed", () =>
    Effect.gen(function* () {
      const world = yield* UnchangedWorld
      const limits = { requests_per_minute: 1, scopes: ["view_issues"], expires_at: null } as const
      const { api_key } = yield* aKey(yield* aWorkspace(), limits)
      const known = Object.entries(samples(world)).filter(([name]) =>
        forKeys.some((operation) => operation.name === name)
      )
      for (const [name, { call }] of some(known)) {
        // The wait after the operation before has restored the limit.
        assert.notMatch(yield* outcome({ ...call, as: api_key }), /^4(01|29)/, name)
        const rejected = yield* send({ ...call, as: api_key })
        assert.deepStrictEqual([rejected.status, errorOf(rejected).code], [429, "rate_limit_qps"], name)
        assert.strictEqual(rejected.headers["retry-after"], "60", name)
        assert.strictEqual(rejected.headers["ratelimit-policy"], '"key";q=1;w=60', name)
        assert.strictEqual(rejected.headers.ratelimit, '"key";r=0;t=60', name)
        yield* TestClock.adjust("60 seconds")
      }
      assert.strictEqual(yield* outcome({ path: "/api/issues", as: api_key }), "200")
    })
  )

  it.effect("is 429 over its bucket; submit and retry draw on one", () =>
    Effect.gen(function* () {
      const { api_key } = yield* UnchangedWorld
      const submit = { path: "/api/repos/acme/none/main/jobs", json: { workflow: "audit" }, as: api_key }
      const retry = { method: "POST", path: "/api/jobs/01a1f7c5-495f-744f-8d63-41fef1b8b78f/retry", as: api_key }
      for (let i = 0; i < 15; i++) {
        assert.strictEqual(yield* outcome(submit), "404 not_found")
        assert.strictEqual(yield* outcome(retry), "404 not_found")
      }
      for (const call of [submit, retry]) {
        const response = yield* send(call)
        assert.deepStrictEqual([response.status, response.headers["retry-after"]], [429, "2"])
        assert.deepStrictEqual(errorOf(response).details, {
          bucket: "job_submit",
          requests_per_minute: 30,
          retry_after_seconds: 2
        })
      }
      assert.strictEqual(yield* outcome({ path: "/api/jobs", as: api_key }), "200")
    })
  )

  it.effect("authenticates before it reads: what is malformed is 401 for strangers", () =>
    Effect.gen(function* () {
      for (const body of ["{", "[]", "x".repeat(2 * 1024 * 1024)]) {
        assert.strictEqual(yield* outcome({ path: "/api/repos", body }), "401 missing_api_key")
      }
      const unscoped = yield* aKeyWithout(yield* aWorkspace(), ["register_repo", "manage_repos"])
      assert.strictEqual(yield* outcome({ path: "/api/repos", body: "{", as: unscoped }), "403 insufficient_scope")
    })
  )
})

layer(TestApp)("signing in over REST", (it) => {
  it.effect("needs no key, is limited, and returns the same session that it opens", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      const link = yield* Effect.flatMap(Sessions, (sessions) => sessions.linkFor(owner.email))
      const json = { token: link?.token, password: "correct horse battery" }
      const first = yield* send({ path: "/api/session/link", json })
      assert.strictEqual(first.status, 200, first.text)
      assert.strictEqual(yield* outcome({ path: "/api/session/link", json }), "401 invalid_sign_in_link")
      const second = yield* send({ path: "/api/session", json: { email: owner.email, password: json.password } })
      const { csrf_token: _, ...info } = JSON.parse(second.text)
      assert.strictEqual(info.user.email, owner.email)
      for (let i = 0; i < 10; i++) {
        const wrong = { path: "/api/session", json: { email: owner.email, password: "x" } }
        assert.strictEqual(yield* outcome(wrong), "401 invalid_credentials")
      }
      const limited = yield* send({ path: "/api/session", json: { email: owner.email, password: json.password } })
      assert.deepStrictEqual(
        [limited.status, errorOf(limited).code, limited.headers["retry-after"]],
        [429, "rate_limit_qps", "6"]
      )
    })
  )
})
