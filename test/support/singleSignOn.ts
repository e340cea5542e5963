import type { IncomingHttpHeaders } from "node:http"
import { SqlClient } from "@effect/sql"
import { assert } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import * as OpenIdProvider from "../../src/layers/OpenIdProvider.ts"
import { SignInSettings } from "../../src/services/access/SignInSettings.ts"
import { Site } from "../../src/services/access/Site.ts"
import { Database } from "./Database.ts"
import { type OpenIdServer, openIdServer, type ProviderPerson, throughProvider } from "./openIdProvider.ts"
import { LocalOutboundHttp } from "./outbound.ts"
import { testApp } from "./TestApp.ts"
import { send } from "./wire.ts"

export const host = "localhost"
export const redirectUri = `http://${host}/api/session/oidc/callback`

export class Idp extends Context.Tag("test/Idp")<Idp, OpenIdServer>() {}

/** The redirect address is made of the site's own, which the provider knows. */
const announced = Layer.effectDiscard(Effect.flatMap(Site, (site) => site.announce(`http://${host}`)))

export const withIdp = (settings: Partial<typeof SignInSettings.Service> = {}) =>
  announced.pipe(
    Layer.provideMerge(testApp()),
    Layer.provideMerge(
      Layer.merge(
        Layer.unwrapEffect(
          Effect.map(Idp, ({ issuer, clientId, clientSecret }) =>
            OpenIdProvider.layer({ issuer, clientId, clientSecret: Redacted.make(clientSecret), name: "Example" }).pipe(
              Layer.provide(LocalOutboundHttp)
            )
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
export const person = (more: Partial<ProviderPerson> = {}): ProviderPerson => {
  const sub = `person-${++people}`
  return { sub, email: `${sub}@example.org`, email_verified: true, name: "Ada", ...more }
}

/** A browser's address, so that no test is limited by the failures of another. */
let visitors = 0
export const address = () => `2001:db8::${(++visitors).toString(16)}`

export const cookieOf = (headers: IncomingHttpHeaders, name: string) =>
  headers["set-cookie"]?.find((set) => set.startsWith(`${name}=`)) ?? ""

const valueOf = (set: string) => /^[^=]+=([^;]*)/.exec(set)?.[1] ?? ""

export const begin = (query = "") =>
  Effect.map(
    send({ path: `/api/session/oidc/start${query}`, headers: { host }, address: address() }),
    ({ status, headers }) => {
      assert.strictEqual(status, 302)
      const set = cookieOf(headers, "assay_oidc")
      return { location: headers.location ?? "", set, cookie: valueOf(set) }
    }
  )

export const comeBack = ({ pathname, search }: URL, cookie: string) =>
  send({ path: pathname + search, headers: { host, cookie: `assay_oidc=${cookie}` }, address: address() })

/** From the sign-in page through the provider and back; the location in the app, or the error. */
export const attempt = (who: ProviderPerson, query = "") =>
  Effect.gen(function* () {
    const idp = yield* Idp
    idp.person = who
    const { location, cookie } = yield* begin(query)
    const back = yield* throughProvider(location, redirectUri)
    const { status, headers } = yield* comeBack(back, cookie)
    assert.strictEqual(status, 302)
    return { location: headers.location ?? "", headers, back, cookie }
  })

export const locationOf = (who: ProviderPerson, query = "") =>
  Effect.map(attempt(who, query), ({ location }) => location)

const session = (token: string) =>
  Effect.map(send({ path: "/api/session", headers: { cookie: `assay_session=${token}` } }), ({ status, text }) => ({
    status,
    ...JSON.parse(text)
  }))

export const signedIn = (who: ProviderPerson) =>
  Effect.flatMap(attempt(who), ({ location, headers }) => {
    assert.strictEqual(location, "/")
    return session(valueOf(cookieOf(headers, "assay_session")))
  })

export const accounts = (email: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(sql`SELECT 1 FROM users WHERE email = ${email}`, (r) => r.length)
  )

export const rejectedFor = (code: string) => `/sign-in?error=${code}`

export const withTampering = <A, E, R>(tampering: OpenIdServer["tampering"], effect: Effect.Effect<A, E, R>) =>
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
