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
  yield* sessions.signInByLink({ token: link?.token ?? "", password }, owner.user_id)
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
          Effect.either(sessions.signInByLink({ token: link?.token ?? "" }, `192.0.2.${i}`))
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
      yield* sessions.signInByLink({ token: early?.token ?? "" }, "192.0.2.11")
      yield* TestClock.adjust("1 hour")
      const rejected = yield* Effect.flip(sessions.signInByLink({ token: late?.token ?? "" }, "192.0.2.11"))
      assert.strictEqual(rejected._tag, "InvalidSignInLink")
    })
  )

  it.effect("a link can set the password, and the password then signs in", () =>
    Effect.gen(function* () {
      const sessions = yield* Sessions
      const { email, workspace_id, user_id } = yield* anAccount
      const { info } = yield* sessions.signIn({ email: email.toUpperCase(), password }, "192.0.2.12")
      assert.deepStrictEqual([info.user.id, info.workspace.id, info.role], [user_id, workspace_id, "owner"])
    })
  )

  it.effect("a wrong password, an unknown account and one without a password get the same answer", () =>
    Effect.gen(function* () {
      const sessions = yield* Sessions
      const [known, without] = [yield* anAccount, yield* aWorkspace()]
      const answers = yield* Effect.forEach([known.email, "stranger@example.org", without.email], (email) =>
        Effect.flip(sessions.signIn({ email, password: "not the password" }, "192.0.2.13"))
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

  it.effect("attempts on one account are limited, from wherever they come", () =>
    Effect.gen(function* () {
      const sessions = yield* Sessions
      const { email } = yield* anAccount
      for (let i = 0; i < 10; i++) {
        const rejected = yield* Effect.flip(sessions.signIn({ email, password: "wrong" }, `198.51.100.${i}`))
        assert.strictEqual(rejected._tag, "InvalidCredentials")
      }
      const limited = yield* Effect.flip(sessions.signIn({ email: email.toUpperCase(), password }, "198.51.100.99"))
      assert.deepStrictEqual([limited._tag, limited.retryAfterSeconds], ["TooManySignIns", 6])
      yield* TestClock.adjust("6 seconds")
      yield* sessions.signIn({ email, password }, "198.51.100.99")
    })
  )

  it.effect("attempts from one address are limited, whatever they guess", () =>
    Effect.gen(function* () {
      const sessions = yield* Sessions
      for (let i = 0; i < 30; i++) {
        const rejected = yield* Effect.flip(sessions.signInByLink({ token: `guess ${i}` }, "192.0.2.14"))
        assert.strictEqual(rejected._tag, "InvalidSignInLink")
      }
      const limited = yield* Effect.flip(sessions.signInByLink({ token: "one more" }, "192.0.2.14"))
      assert.strictEqual(limited._tag, "TooManySignIns")
      yield* Effect.flip(sessions.signInByLink({ token: "one more" }, "192.0.2.15"))
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

  it.effect("the session of a user who left the workspace has ended", () =>
    Effect.gen(function* () {
      const sessions = yield* Sessions
      const sql = yield* SqlClient.SqlClient
      const { session, user_id, email } = yield* anAccount
      yield* sql`DELETE FROM memberships WHERE user_id = ${user_id}`
      assert.strictEqual((yield* Effect.flip(sessions.read(session.cookie)))._tag, "InvalidSession")
      const rejected = yield* Effect.flip(sessions.signIn({ email, password }, "192.0.2.16"))
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
      yield* sessions.signInByLink({ token: links[0]?.token ?? "", password }, null)
      assert.isNull(yield* sessions.firstStart(null))
      assert.isNull(yield* sessions.firstStart({ email: "other@example.org", password: "another password" }))
      assert.deepStrictEqual(yield* sql`SELECT email FROM users`, [{ email: "owner@assay.local" }])
    })
  )
})
