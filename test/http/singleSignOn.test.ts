import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Sessions } from "../../src/services/access/Sessions.ts"
import { aMember, aWorkspace } from "../support/builders.ts"
import { Database } from "../support/Database.ts"
import { throughProvider } from "../support/openIdProvider.ts"
import {
  accounts,
  address,
  attempt,
  begin,
  comeBack,
  cookieOf,
  Idp,
  locationOf,
  person,
  redirectUri,
  rejectedFor,
  signedIn,
  withIdp
} from "../support/singleSignOn.ts"
import { testApp } from "../support/TestApp.ts"
import { type Call, outcome, send } from "../support/wire.ts"

layer(withIdp())("single sign-on", (it) => {
  it.effect("signs a member in whose address the provider verified, and the session works", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      const who = person({ email: owner.email.toUpperCase() })
      const found = yield* signedIn(who)
      assert.deepStrictEqual(
        [found.status, found.user.email, found.workspace.id, found.role],
        [200, owner.email, owner.workspace_id, "owner"]
      )
    })
  )

  it.effect("recognises a person by issuer and subject once their account is linked, whatever their address", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      const who = person({ email: owner.email })
      const first = yield* signedIn(who)
      const second = yield* signedIn({ ...who, email: "renamed@example.org" })
      assert.strictEqual(second.user.id, first.user.id)
      assert.strictEqual(yield* accounts("renamed@example.org"), 0)
    })
  )

  it.effect("redirects with no token, no code and nothing of the provider in the address", () =>
    Effect.gen(function* () {
      yield* aWorkspace()
      const { location, headers, back, cookie } = yield* attempt(person())
      assert.strictEqual(location, "/")
      const token = cookieOf(headers, "assay_session")
      assert.match(token, /^assay_session=[0-9A-Za-z]{43}; .*HttpOnly; SameSite=Lax$/)
      assert.match(cookieOf(headers, "assay_oidc"), /^assay_oidc=; Max-Age=0;/)
      const start = yield* begin()
      const asked = new URL(start.location).searchParams
      assert.strictEqual(asked.get("code_challenge_method"), "S256")
      assert.strictEqual(asked.get("scope"), "openid email profile")
      const attributes = start.set.split("; ").slice(1).sort()
      assert.deepStrictEqual(attributes, ["HttpOnly", "Max-Age=600", "Path=/api/session/oidc", "SameSite=Lax"])
      // What the browser keeps shows nothing of what is in it.
      const sealed = Buffer.from(cookie, "base64url").toString("latin1")
      assert.notInclude(sealed, back.searchParams.get("state") ?? "")
    })
  )

  it.effect("makes a newcomer of an allowed domain a member of the oldest workspace, once", () =>
    Effect.gen(function* () {
      yield* aWorkspace()
      const sql = yield* SqlClient.SqlClient
      const [oldest] = yield* sql<{ readonly id: string }>`SELECT id FROM workspaces ORDER BY created_at, id LIMIT 1`
      const who = person({ email: "New.Comer@Example.ORG" })
      const [first, second] = [yield* signedIn(who), yield* signedIn(who)]
      assert.deepStrictEqual(
        [first.user.email, first.role, first.workspace.id],
        ["new.comer@example.org", "member", oldest?.id]
      )
      assert.strictEqual(second.user.id, first.user.id)
    })
  )

  it.effect("makes one account when a newcomer comes back in two tabs at the same time", () =>
    Effect.gen(function* () {
      yield* aWorkspace()
      const idp = yield* Idp
      const who = person()
      idp.person = who
      const tabs = yield* Effect.replicateEffect(
        Effect.gen(function* () {
          const { location, cookie } = yield* begin()
          return { back: yield* throughProvider(location, redirectUri), cookie }
        }),
        4
      )
      const answers = yield* Effect.forEach(tabs, ({ back, cookie }) => comeBack(back, cookie), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(
        answers.map(({ headers }) => headers.location),
        ["/", "/", "/", "/"]
      )
      assert.strictEqual(yield* accounts(who.email ?? ""), 1)
    })
  )

  it.effect("returns to a page of this site, and never to another site", () =>
    Effect.gen(function* () {
      const to = (path: string) => locationOf(person(), `?return_to=${encodeURIComponent(path)}`)
      assert.strictEqual(yield* to("/triage?status=new#OBS-1"), "/triage?status=new#OBS-1")
      for (const path of ["//evil.example", "https://evil.example/", "/..//evil.example", "/api/session"]) {
        assert.strictEqual(yield* to(path), "/", path)
      }
    })
  )

  it.effect("leaves one record of each sign-in, also of a rejected one", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      const sql = yield* SqlClient.SqlClient
      const records = sql<{ readonly after: object; readonly action: string }>`
        SELECT action, after FROM audit_log WHERE workspace_id = ${owner.workspace_id} AND action LIKE 'single_sign_on.%'
        ORDER BY at, id`
      yield* signedIn(person({ email: owner.email }))
      yield* locationOf(person({ email: owner.email }))
      const found = yield* records
      assert.deepStrictEqual(
        found.map(({ action, after }) => [action, "signed_in" in after && after.signed_in]),
        [
          ["single_sign_on.finish", true],
          ["single_sign_on.finish", false]
        ]
      )
    })
  )

  it.effect("is offered to the sign-in page with its name", () =>
    Effect.gen(function* () {
      const { text } = yield* send({ path: "/api/session/oidc" })
      assert.deepStrictEqual(JSON.parse(text), { enabled: true, name: "Example", passwords: true })
    })
  )
})

layer(withIdp({ allowedDomains: [] }))("single sign-on without allowed domains", (it) => {
  it.effect("signs members in, and makes no newcomer one", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      assert.strictEqual((yield* signedIn(person({ email: owner.email }))).status, 200)
      const stranger = person()
      assert.strictEqual(yield* locationOf(stranger), rejectedFor("oidc_not_a_member"))
      assert.strictEqual(yield* accounts(stranger.email ?? ""), 0)
    })
  )

  it.effect("signs an invited person in, who joins with the role of the invitation, which is used up", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      const who = person({ email: "grace@elsewhere.example", name: "Grace" })
      const invite = {
        path: "/api/workspace/invitations",
        json: { email: who.email, role: "viewer" },
        as: owner.session
      }
      assert.strictEqual(yield* outcome(invite), "201")
      const found = yield* signedIn(who)
      assert.deepStrictEqual([found.workspace.id, found.role, found.user.name], [owner.workspace_id, "viewer", "Grace"])
      const open = yield* send({ path: "/api/workspace/invitations", as: owner.session })
      assert.deepStrictEqual(JSON.parse(open.text).data, [])
      const sql = yield* SqlClient.SqlClient
      const records = yield* sql`SELECT 1 FROM audit_log WHERE workspace_id = ${owner.workspace_id}
        AND action = 'single_sign_on.finish'`
      assert.strictEqual(records.length, 1)
    })
  )
})

layer(withIdp({ passwords: false, newcomerRole: "viewer" }))("with passwords switched off", (it) => {
  it.effect(
    "they work until an owner has signed in by the provider; then only the operator's links do, without one",
    () =>
      Effect.gen(function* () {
        const sessions = yield* Sessions
        const owner = yield* aWorkspace()
        const password = "correct horse battery"
        const byPassword = { path: "/api/session", json: { email: owner.email, password } }
        const link = Effect.map(sessions.linkFor(owner.email), (made) => made?.token)
        const byLink = (json: object) => outcome({ path: "/api/session/link", json, address: address() })
        const offered = Effect.map(send({ path: "/api/session/oidc" }), ({ text }) => JSON.parse(text).passwords)

        assert.strictEqual(yield* byLink({ token: yield* link, password }), "200")
        assert.strictEqual((yield* signedIn(person())).role, "viewer")
        assert.deepStrictEqual([yield* offered, yield* outcome(byPassword)], [true, "200"])

        yield* signedIn(person({ email: owner.email }))
        assert.deepStrictEqual([yield* offered, yield* outcome(byPassword)], [false, "403 passwords_disabled"])
        const token = yield* link
        assert.strictEqual(yield* byLink({ token, password }), "403 passwords_disabled")
        assert.strictEqual(yield* byLink({ token }), "200")

        const { session } = yield* aMember(owner.workspace_id, "member")
        const change = { current_password: password, new_password: `another ${password}` }
        const elsewhere: ReadonlyArray<Call> = [
          { method: "PUT", path: "/api/session/password", json: change, as: session },
          { path: "/api/session/link-request", json: { email: owner.email }, address: address() }
        ]
        for (const call of elsewhere) assert.strictEqual(yield* outcome(call), "403 passwords_disabled", call.path)
      })
  )
})

layer(testApp().pipe(Layer.provideMerge(Database)))("without a provider", (it) => {
  it.effect("nothing is offered, and a start leads back to the sign-in page", () =>
    Effect.gen(function* () {
      const { text } = yield* send({ path: "/api/session/oidc" })
      assert.deepStrictEqual(JSON.parse(text), { enabled: false, name: null, passwords: true })
      for (const path of ["start", "callback?code=1&state=2"]) {
        const { status, headers } = yield* send({ path: `/api/session/oidc/${path}` })
        assert.deepStrictEqual([status, headers.location], [302, rejectedFor("oidc_not_configured")])
      }
    })
  )
})
