import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, TestClock } from "effect"
import { PasswordPolicy } from "../../src/services/access/PasswordPolicy.ts"
import { SignInLimits } from "../../src/services/access/SignInLimits.ts"
import { ProviderAccounts } from "../../src/services/people/ProviderAccounts.ts"
import { SingleSignOn } from "../../src/services/people/SingleSignOn.ts"
import { aMember, aWorkspace } from "../support/builders.ts"
import { type OpenIdServer, type ProviderPerson, throughProvider } from "../support/openIdProvider.ts"
import {
  accounts,
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
  withIdp,
  withTampering
} from "../support/singleSignOn.ts"

const anotherProcess = Layer.fresh(SingleSignOn.Default).pipe(
  Layer.provide(Layer.fresh(Layer.mergeAll(ProviderAccounts.Default, SignInLimits.Default, PasswordPolicy.Default)))
)

layer(withIdp())("a sign-in by the provider", (it) => {
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

  it.effect("goes on in another process, and is used up there, too", () =>
    Effect.gen(function* () {
      const idp = yield* Idp
      idp.person = person()
      // Another process shares the database and nothing else.
      const other = yield* Effect.provide(SingleSignOn, anotherProcess)
      const { url, sealed } = yield* other.start(undefined)
      const back = yield* throughProvider(url, redirectUri)
      assert.strictEqual((yield* comeBack(back, sealed)).headers.location, "/")
      const again = yield* Effect.flip(other.finish(back.searchParams, sealed, { address: null }))
      assert.deepInclude(again, { _tag: "SingleSignOnRejected", code: "oidc_state_invalid" })
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

  it.effect("says that the provider is away when the browser comes back, and works again once it answers", () =>
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
})

layer(withIdp())("a provider that is away at the first sign-in", (it) => {
  it.effect("is reported on the sign-in page, and asked again at the next", () =>
    Effect.gen(function* () {
      const idp = yield* Idp
      yield* idp.goAway
      assert.strictEqual((yield* begin()).location, rejectedFor("oidc_provider_unavailable"))
      yield* idp.comeBack
      assert.strictEqual(yield* locationOf(person()), rejectedFor("oidc_not_a_member"))
    })
  )
})
