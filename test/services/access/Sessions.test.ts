import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Effect, Either, TestClock } from "effect"
import { Caller } from "../../../src/services/access/Caller.ts"
import { Sessions } from "../../../src/services/access/Sessions.ts"
import { AccessOverDatabase } from "../../support/access.ts"
import { aWorkspace, signedIn } from "../../support/builders.ts"

const password = "correct horse battery"

/** An account that can sign in with the password. */
const anAccount = Effect.gen(function* () {
  const sessions = yield* Sessions
  const owner = yield* aWorkspace()
  const link = yield* sessions.linkFor(owner.email)
  yield* sessions.signInByLink({ token: link?.token ?? "", password }, { address: owner.user_id })
  return owner
})

layer(AccessOverDatabase)("signing in", (it) => {
  it.effect("a link works once, also when it is used twice at the same time", () =>
    Effect.gen(function* () {
      const sessions = yield* Sessions
      const owner = yield* aWorkspace()
      const link = yield* sessions.linkFor(owner.email)
      const attempts = yield* Effect.all(
        Array.from({ length: 5 }, (_, i) =>
          Effect.either(sessions.signInByLink({ token: link?.token ?? "" }, { address: `192.0.2.${i}` }))
        ),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(attempts.filter(Either.isRight).length, 1)
      for (const { left } of attempts.filter(Either.isLeft)) assert.strictEqual(left._tag, "InvalidSignInLink")
    })
  )

  it.effect("a link expires after 24 hours", () =>
    Effect.gen(function* () {
      const sessions = yield* Sessions
      const owner = yield* aWorkspace()
      const [early, late] = [yield* sessions.linkFor(owner.email), yield* sessions.linkFor(owner.email)]
      yield* TestClock.adjust("23 hours")
      yield* sessions.signInByLink({ token: early?.token ?? "" }, { address: "192.0.2.11" })
      yield* TestClock.adjust("1 hour")
      const rejected = yield* Effect.flip(
        sessions.signInByLink({ token: late?.token ?? "" }, { address: "192.0.2.11" })
      )
      assert.strictEqual(rejected._tag, "InvalidSignInLink")
    })
  )

  it.effect("a link can set the password, and the password then signs in", () =>
    Effect.gen(function* () {
      const sessions = yield* Sessions
      const { email, workspace_id, user_id } = yield* anAccount
      const { info } = yield* sessions.signIn({ email: email.toUpperCase(), password }, { address: "192.0.2.12" })
      assert.deepStrictEqual([info.user.id, info.workspace.id, info.role], [user_id, workspace_id, "owner"])
    })
  )

  it.effect("a wrong password, an unknown account and one without a password get the same answer", () =>
    Effect.gen(function* () {
      const sessions = yield* Sessions
      const [known, without] = [yield* anAccount, yield* aWorkspace()]
      const answers = yield* Effect.forEach([known.email, "stranger@example.org", without.email], (email) =>
        Effect.flip(sessions.signIn({ email, password: "not the password" }, { address: "192.0.2.13" }))
      )
      assert.deepStrictEqual(
        answers.map(({ _tag, message, param, details }) => ({ _tag, message, param, details })),
        Array(3).fill({
          _tag: "InvalidCredentials",
          message: "E-mail or password is wrong.",
          param: undefined,
          details: undefined
        })
      )
    })
  )

  it.effect("failures on one account from one address are limited; successes do not count and clear them", () =>
    Effect.gen(function* () {
      const sessions = yield* Sessions
      const { email } = yield* anAccount
      const origin = { address: "198.51.100.1" }
      for (let i = 0; i < 15; i++) yield* sessions.signIn({ email, password }, origin)
      for (const failures of [9, 10]) {
        for (let i = 0; i < failures; i++) {
          const rejected = yield* Effect.flip(sessions.signIn({ email, password: "wrong" }, origin))
          assert.strictEqual(rejected._tag, "InvalidCredentials")
        }
        if (failures === 9) yield* sessions.signIn({ email, password }, origin)
      }
      const limited = yield* Effect.flip(sessions.signIn({ email: email.toUpperCase(), password }, origin))
      assert.deepStrictEqual([limited._tag, limited.retryAfterSeconds], ["TooManySignIns", 6])
      yield* sessions.signIn({ email, password }, { address: "198.51.100.2" })
      yield* TestClock.adjust("6 seconds")
      yield* sessions.signIn({ email, password }, origin)
    })
  )

  it.effect("however many attempts come at once, as many are checked as one after the other", () =>
    Effect.gen(function* () {
      const sessions = yield* Sessions
      const { email } = yield* anAccount
      const rejected = yield* Effect.forEach(
        Array.from({ length: 25 }),
        () => Effect.flip(sessions.signIn({ email, password: "wrong" }, { address: "198.51.100.3" })),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(rejected.filter(({ _tag }) => _tag === "InvalidCredentials").length, 10)
    })
  )

  it.effect("guesses from many addresses are few, and lock no device out that has signed in to the account", () =>
    Effect.gen(function* () {
      const sessions = yield* Sessions
      const [{ email }, attacker] = [yield* anAccount, yield* anAccount]
      const { device } = yield* sessions.signIn({ email, password }, { address: "198.51.100.4" })
      const foreign = yield* sessions.signIn({ email: attacker.email, password }, { address: "198.51.100.5" })
      const outcomes: Array<string> = []
      for (let i = 0; i < 40; i++) {
        const origin = { address: `203.0.113.${i}`, device: foreign.device }
        outcomes.push((yield* Effect.flip(sessions.signIn({ email, password: `guess ${i}` }, origin)))._tag)
      }
      assert.strictEqual(outcomes.filter((tag) => tag === "InvalidCredentials").length, 30)
      const here = { address: "203.0.113.1" }
      for (const other of [undefined, foreign.device, `${device}x`, device.replace(/^./, "f"), "a.b.c.d", "...."]) {
        const limited = yield* Effect.flip(sessions.signIn({ email, password }, { ...here, device: other }))
        assert.strictEqual(limited._tag, "TooManySignIns", other)
      }
      yield* sessions.signIn({ email, password }, { ...here, device })
      // A device is limited as well, by what was tried with it.
      for (let i = 0; i < 10; i++) {
        const rejected = yield* Effect.flip(sessions.signIn({ email, password: "wrong" }, { ...here, device }))
        assert.strictEqual(rejected._tag, "InvalidCredentials")
      }
      assert.strictEqual(
        (yield* Effect.flip(sessions.signIn({ email, password }, { ...here, device })))._tag,
        "TooManySignIns"
      )
    })
  )

  it.effect("attempts from one address are limited, whatever they guess", () =>
    Effect.gen(function* () {
      const sessions = yield* Sessions
      for (let i = 0; i < 30; i++) {
        const rejected = yield* Effect.flip(sessions.signInByLink({ token: `guess ${i}` }, { address: "192.0.2.14" }))
        assert.strictEqual(rejected._tag, "InvalidSignInLink")
      }
      const limited = yield* Effect.flip(sessions.signInByLink({ token: "one more" }, { address: "192.0.2.14" }))
      assert.strictEqual(limited._tag, "TooManySignIns")
      yield* Effect.flip(sessions.signInByLink({ token: "one more" }, { address: "192.0.2.15" }))
    })
  )

  it.effect("a session ends after 14 days", () =>
    Effect.gen(function* () {
      const sessions = yield* Sessions
      const { session } = yield* aWorkspace()
      yield* TestClock.adjust("335 hours")
      yield* sessions.read(session.cookie)
      yield* TestClock.adjust("1 hour")
      assert.strictEqual((yield* Effect.flip(sessions.read(session.cookie)))._tag, "InvalidSession")
    })
  )

  it.effect("signing out ends that session and no other", () =>
    Effect.gen(function* () {
      const sessions = yield* Sessions
      const first = yield* aWorkspace()
      const second = yield* signedIn(first)
      yield* Effect.provideService(sessions.signOut(), Caller, first.caller)
      assert.strictEqual((yield* Effect.flip(sessions.read(first.session.cookie)))._tag, "InvalidSession")
      assert.strictEqual((yield* sessions.read(second.session.cookie)).user.id, first.user_id)
    })
  )

  it.effect("a new password ends all other sessions and open links of the person, and no one else's", () =>
    Effect.gen(function* () {
      const sessions = yield* Sessions
      const [person, other] = [yield* anAccount, yield* anAccount]
      const before = yield* sessions.signIn({ email: person.email, password }, { address: "192.0.2.20" })
      const others = yield* sessions.signIn({ email: other.email, password }, { address: "192.0.2.21" })
      const [used, open] = [yield* sessions.linkFor(person.email), yield* sessions.linkFor(person.email)]
      const theirs = yield* sessions.linkFor(other.email)
      const origin = { address: "192.0.2.22" }
      const renewed = { token: used?.token ?? "", password: "another long password" }
      const { token } = yield* sessions.signInByLink(renewed, origin)
      assert.strictEqual((yield* sessions.read(token)).user.id, person.user_id)
      assert.strictEqual((yield* Effect.flip(sessions.read(before.token)))._tag, "InvalidSession")
      assert.strictEqual(
        (yield* Effect.flip(sessions.signInByLink({ token: open?.token ?? "" }, origin)))._tag,
        "InvalidSignInLink"
      )
      assert.strictEqual((yield* sessions.read(others.token)).user.id, other.user_id)
      yield* sessions.signInByLink({ token: theirs?.token ?? "" }, origin)
      // A link without a password changes none, and ends nothing.
      const plain = yield* sessions.linkFor(person.email)
      yield* sessions.signInByLink({ token: plain?.token ?? "" }, origin)
      assert.strictEqual((yield* sessions.read(token)).user.id, person.user_id)
    })
  )

  it.effect("signing out elsewhere ends every session of the person but the present one", () =>
    Effect.gen(function* () {
      const sessions = yield* Sessions
      const first = yield* aWorkspace()
      const [second, other] = [yield* signedIn(first), yield* aWorkspace()]
      yield* Effect.provideService(sessions.signOutElsewhere(), Caller, second.caller)
      assert.strictEqual((yield* Effect.flip(sessions.read(first.session.cookie)))._tag, "InvalidSession")
      assert.strictEqual((yield* sessions.read(second.session.cookie)).user.id, first.user_id)
      assert.strictEqual((yield* sessions.read(other.session.cookie)).user.id, other.user_id)
    })
  )

  it.effect("the session of a user who left the workspace has ended", () =>
    Effect.gen(function* () {
      const sessions = yield* Sessions
      const sql = yield* SqlClient.SqlClient
      const { session, user_id, email } = yield* anAccount
      yield* sql`DELETE FROM memberships WHERE user_id = ${user_id}`
      assert.strictEqual((yield* Effect.flip(sessions.read(session.cookie)))._tag, "InvalidSession")
      const rejected = yield* Effect.flip(sessions.signIn({ email, password }, { address: "192.0.2.16" }))
      assert.strictEqual(rejected._tag, "InvalidCredentials")
    })
  )

  it.effect("neither passwords nor tokens are in the database", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const sessions = yield* Sessions
      const { session, email } = yield* anAccount
      const link = yield* sessions.linkFor(email)
      const rows = yield* sql`
        SELECT (SELECT string_agg(u::text, '') FROM users u) AS users,
          (SELECT string_agg(s::text, '') FROM sessions s) AS sessions,
          (SELECT string_agg(l::text, '') FROM sign_in_links l) AS links`
      const all = JSON.stringify(rows)
      assert.include(all, "$argon2id$")
      for (const secret of [password, session.cookie, link?.token ?? "none"]) assert.notInclude(all, secret)
    })
  )
})

layer(AccessOverDatabase)("the first start", (it) => {
  it.effect("makes one workspace and its owner, and gives links until that owner has a password", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const sessions = yield* Sessions
      const links = yield* Effect.all(
        Array.from({ length: 3 }, () => sessions.firstStart(null)),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(yield* sql`SELECT count(*) AS n FROM workspaces`, [{ n: 1 }])
      for (const link of links) assert.strictEqual(link?.email, "owner@assay.local")
      yield* sessions.signInByLink({ token: links[0]?.token ?? "", password }, { address: null })
      assert.isNull(yield* sessions.firstStart(null))
      assert.isNull(yield* sessions.firstStart({ email: "other@example.org", password: "another password" }))
      assert.deepStrictEqual(yield* sql`SELECT email FROM users`, [{ email: "owner@assay.local" }])
    })
  )
})
