import type { IncomingHttpHeaders } from "node:http"
import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, Redacted, TestClock } from "effect"
import * as OpenIdProvider from "../../src/layers/OpenIdProvider.ts"
import { Sessions } from "../../src/services/access/Sessions.ts"
import { SignInSettings } from "../../src/services/access/SignInSettings.ts"
import { Site } from "../../src/services/access/Site.ts"
import { aMember, aWorkspace } from "../support/builders.ts"
import { Database } from "../support/Database.ts"
import { type OpenIdServer, openIdServer, type ProviderPerson, throughProvider } from "../support/openIdProvider.ts"
import { testApp } from "../support/TestApp.ts"
import { type Call, outcome, send } from "../support/wire.ts"

const host = "localhost"
const redirectUri = `http://${host}/api/session/oidc/callback`

class Idp extends Context.Tag("test/Idp")<Idp, OpenIdServer>() {}

/** The redirect address is made of the site's own, which the provider knows. */
const announced = Layer.effectDiscard(Effect.flatMap(Site, (site) => site.announce(`http://${host}`)))

const withIdp = (settings: Partial<typeof SignInSettings.Service> = {}) =>
  announced.pipe(
    Layer.provideMerge(testApp()),
    Layer.provideMerge(
      Layer.merge(
        Layer.unwrapEffect(
          Effect.map(Idp, ({ issuer, clientId, clientSecret }) =>
            OpenIdProvider.layer({ issuer, clientId, clientSecret: Redacted.make(clientSecret), name: "Example" })
          )
        ),
        Layer.succeed(SignInSettings, {
          passwords: true,
          allowedDomains: ["example.org"],
          newcomerRole: "member",
          ...settings
        })
      )
    ),
    Layer.provideMerge(Layer.scoped(Idp, openIdServer(redirectUri))),
    Layer.provideMerge(Database)
  )

let people = 0
/** Someone whom no other test knows. */
const person = (more: Partial<ProviderPerson> = {}): ProviderPerson => {
  const sub = `person-${++people}`
  return { sub, email: `${sub}@example.org`, email_verified: true, name: "Ada", ...more }
}

/** A browser's address, so that no test is limited by the failures of another. */
let visitors = 0
const address = () => `2001:db8::${(++visitors).toString(16)}`

const cookieOf = (headers: IncomingHttpHeaders, name: string) =>
  headers["set-cookie"]?.find((set) => set.startsWith(`${name}=`)) ?? ""

const valueOf = (set: string) => /^[^=]+=([^;]*)/.exec(set)?.[1] ?? ""

const begin = (query = "") =>
  Effect.map(
    send({ path: `/api/session/oidc/start${query}`, headers: { host }, address: address() }),
    ({ status, headers }) => {
      assert.strictEqual(status, 302)
      const set = cookieOf(headers, "assay_oidc")
      return { location: headers.location ?? "", set, cookie: valueOf(set) }
    }
  )

const comeBack = ({ pathname, search }: URL, cookie: string) =>
  send({ path: pathname + search, headers: { host, cookie: `assay_oidc=${cookie}` }, address: address() })

/** From the sign-in page through the provider and back; the location in the app, or the error. */
const attempt = (who: ProviderPerson, query = "") =>
  Effect.gen(function* () {
    const idp = yield* Idp
    idp.person = who
    const { location, cookie } = yield* begin(query)
    const back = yield* throughProvider(location, redirectUri)
    const { status, headers } = yield* comeBack(back, cookie)
    assert.strictEqual(status, 302)
    return { location: headers.location ?? "", headers, back, cookie }
  })

const locationOf = (who: ProviderPerson, query = "") => Effect.map(attempt(who, query), ({ location }) => location)

const session = (token: string) =>
  Effect.map(send({ path: "/api/session", headers: { cookie: `assay_session=${token}` } }), ({ status, text }) => ({
    status,
    ...JSON.parse(text)
  }))

const signedIn = (who: ProviderPerson) =>
  Effect.flatMap(attempt(who), ({ location, headers }) => {
    assert.strictEqual(location, "/")
    return session(valueOf(cookieOf(headers, "assay_session")))
  })

const accounts = (email: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(sql`SELECT 1 FROM users WHERE email = ${email}`, (r) => r.length)
  )

const rejectedFor = (code: string) => `/sign-in?error=${code}`

const withTampering = <A, E, R>(tampering: OpenIdServer["tampering"], effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Idp, (idp) =>
    Effect.acquireUseRelease(
      Effect.sync(() => {
        idp.tampering = tampering
      }),
      () => effect,
      () =>
        Effect.sync(() => {
          idp.tampering = {}
        })
    )
  )

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

  it.effect("rejects addresses of other domains, also of members", () =>
    Effect.gen(function* () {
      const emails = ["eve@example.com", "eve@evil-example.org", "eve@example.org.evil.net", "eve@sub.example.org"]
      for (const email of emails) {
        assert.strictEqual(yield* locationOf(person({ email })), rejectedFor("oidc_domain_not_allowed"), email)
        assert.strictEqual(yield* accounts(email), 0)
      }
      const owner = yield* aWorkspace()
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE users SET email = 'owner@example.com' WHERE id = ${owner.user_id}`
      const member = person({ email: "owner@example.com" })
      assert.strictEqual(yield* locationOf(member), rejectedFor("oidc_domain_not_allowed"))
    })
  )

  it.effect("rejects addresses that the provider has not verified, and those that are none", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      const { sub, ...rest } = person()
      const unverified: ReadonlyArray<ProviderPerson> = [
        person({ email: owner.email, email_verified: false }),
        person({ email: owner.email, email_verified: "false" }),
        { sub: "without-claim", email: owner.email },
        { sub: "without-address", email_verified: true },
        { ...rest, sub, email: "two@at@example.org" },
        person({ email: "line\nbreak@example.org" }),
        // The Kelvin sign becomes a plain k in lower case.
        person({ email: "\u212Aate@example.org" })
      ]
      for (const who of unverified) {
        assert.strictEqual(yield* locationOf(who), rejectedFor("oidc_email_not_verified"), JSON.stringify(who))
      }
    })
  )

  it.effect("keeps an address that was given to someone else out of the account of who had it before", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      yield* signedIn(person({ email: owner.email }))
      assert.strictEqual(yield* locationOf(person({ email: owner.email })), rejectedFor("oidc_account_linked"))
    })
  )

  it.effect("rejects a person who was removed from every workspace, and does not take them for a newcomer", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      const member = yield* aMember(owner.workspace_id, "member")
      const who = person({ email: member.email })
      yield* signedIn(who)
      const sql = yield* SqlClient.SqlClient
      yield* sql`DELETE FROM memberships WHERE user_id = ${member.user_id}`
      assert.strictEqual(yield* locationOf(who), rejectedFor("oidc_not_a_member"))
    })
  )

  it.effect("rejects a person whom the operator disabled, also by an account that is not linked yet", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      const who = person({ email: owner.email })
      yield* signedIn(who)
      const other = yield* aMember(owner.workspace_id, "member")
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE users SET disabled_at = now() WHERE id IN ${sql.in([owner.user_id, other.user_id])}`
      assert.strictEqual(yield* locationOf(who), rejectedFor("account_disabled"))
      assert.strictEqual(yield* locationOf(person({ email: other.email })), rejectedFor("account_disabled"))
    })
  )

  it.effect("rejects a callback that is sent again", () =>
    Effect.gen(function* () {
      const { back, cookie, location } = yield* attempt(person())
      assert.strictEqual(location, "/")
      const again = yield* comeBack(back, cookie)
      assert.strictEqual(again.headers.location, rejectedFor("oidc_state_invalid"))
      assert.strictEqual(cookieOf(again.headers, "assay_session"), "")
    })
  )

  it.effect("rejects a code that was used, also under the state of another sign-in", () =>
    Effect.gen(function* () {
      const used = yield* attempt(person())
      const { location, cookie } = yield* begin()
      const mixed = new URL(used.back)
      mixed.searchParams.set("state", new URL(location).searchParams.get("state") ?? "")
      const { headers } = yield* comeBack(mixed, cookie)
      assert.strictEqual(headers.location, rejectedFor("oidc_code_rejected"))
    })
  )

  it.effect("rejects a code of another browser, whose verifier this one does not have", () =>
    Effect.gen(function* () {
      const idp = yield* Idp
      idp.person = person()
      const [stolen, own] = [yield* begin(), yield* begin()]
      const injected = yield* throughProvider(stolen.location, redirectUri)
      injected.searchParams.set("state", new URL(own.location).searchParams.get("state") ?? "")
      const { headers } = yield* comeBack(injected, own.cookie)
      assert.strictEqual(headers.location, rejectedFor("oidc_code_rejected"))
    })
  )

  it.effect("rejects an ID token of another nonce", () =>
    Effect.gen(function* () {
      const idp = yield* Idp
      idp.person = person()
      const { location, cookie } = yield* begin()
      const changed = new URL(location)
      changed.searchParams.set("nonce", "another")
      const { headers } = yield* comeBack(yield* throughProvider(changed.href, redirectUri), cookie)
      assert.strictEqual(headers.location, rejectedFor("oidc_code_rejected"))
    })
  )

  it.effect("rejects a state that is not the browser's own", () =>
    Effect.gen(function* () {
      const idp = yield* Idp
      idp.person = person()
      const [one, other] = [yield* begin(), yield* begin()]
      const back = yield* throughProvider(one.location, redirectUri)
      const wrong = new URL(back)
      wrong.searchParams.set("state", "another")
      const without = new URL(back)
      without.searchParams.delete("state")
      const flipped = `${one.cookie.slice(0, -2)}${one.cookie.endsWith("AA") ? "BB" : "AA"}`
      const attempts: ReadonlyArray<readonly [URL, string]> = [
        [wrong, one.cookie],
        [without, one.cookie],
        [back, other.cookie],
        [back, ""],
        [back, "AAAA"],
        [back, flipped]
      ]
      for (const [url, cookie] of attempts) {
        const { headers } = yield* comeBack(url, cookie)
        assert.strictEqual(headers.location, rejectedFor("oidc_state_invalid"), url.search)
      }
      // None of these used it up for the browser that it belongs to.
      assert.strictEqual((yield* comeBack(back, one.cookie)).headers.location, "/")
    })
  )

  it.effect("rejects a browser that comes back after more than ten minutes", () =>
    Effect.gen(function* () {
      const idp = yield* Idp
      idp.person = person()
      const [early, late] = [yield* begin(), yield* begin()]
      const [first, second] = [
        yield* throughProvider(early.location, redirectUri),
        yield* throughProvider(late.location, redirectUri)
      ]
      yield* TestClock.adjust("9 minutes")
      assert.strictEqual((yield* comeBack(first, early.cookie)).headers.location, "/")
      yield* TestClock.adjust("61 seconds")
      assert.strictEqual((yield* comeBack(second, late.cookie)).headers.location, rejectedFor("oidc_state_invalid"))
    })
  )

  it.effect("rejects ID tokens of another audience or issuer, expired ones, and those of another key", () =>
    Effect.gen(function* () {
      const tamperings: ReadonlyArray<OpenIdServer["tampering"]> = [
        { claims: (claims) => ({ ...claims, aud: "another-client" }) },
        { claims: (claims) => ({ ...claims, iss: "https://accounts.example.net" }) },
        { claims: (claims) => ({ ...claims, exp: 1_000_000_000 }) },
        { claims: ({ sub: _, ...claims }) => claims },
        { foreignKey: true }
      ]
      for (const tampering of tamperings) {
        const location = yield* withTampering(tampering, locationOf(person()))
        assert.strictEqual(location, rejectedFor("oidc_code_rejected"), JSON.stringify(tampering))
      }
      assert.strictEqual(yield* locationOf(person()), "/")
    })
  )

  it.effect("repeats nothing of what the provider says about an error", () =>
    Effect.gen(function* () {
      const { issuer } = yield* Idp
      const { location, cookie } = yield* begin()
      const back = new URL(redirectUri)
      back.searchParams.set("iss", issuer)
      back.searchParams.set("state", new URL(location).searchParams.get("state") ?? "")
      back.searchParams.set("error", "access_denied")
      back.searchParams.set("error_description", "<script>alert(1)</script>")
      const { headers, text } = yield* comeBack(back, cookie)
      assert.deepStrictEqual([headers.location, text], [rejectedFor("oidc_cancelled"), ""])
    })
  )

  it.effect("says that the provider is away, at either step, and works again when it is back", () =>
    Effect.gen(function* () {
      const idp = yield* Idp
      const who = person()
      idp.person = who
      const { location, cookie } = yield* begin()
      const back = yield* throughProvider(location, redirectUri)
      yield* idp.goAway
      const { headers } = yield* comeBack(back, cookie)
      assert.strictEqual(headers.location, rejectedFor("oidc_provider_unavailable"))
      yield* idp.comeBack
      assert.strictEqual(yield* locationOf(who), "/")
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
