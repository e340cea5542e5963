import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import * as OpenIdProvider from "../../src/layers/OpenIdProvider.ts"
import { IdentityProvider, type OpenIdConnect } from "../../src/services/ports/IdentityProvider.ts"
import { type OpenIdServer, openIdServer, throughProvider } from "../support/openIdProvider.ts"
import { LocalOutboundHttp } from "../support/outbound.ts"

const redirectUri = "http://localhost/api/session/oidc/callback"

const connected = (
  { issuer, clientId, clientSecret }: Pick<OpenIdServer, "issuer" | "clientId" | "clientSecret">,
  use: Partial<OpenIdProvider.OpenIdOptions> = {}
) =>
  IdentityProvider.pipe(
    Effect.provide(
      OpenIdProvider.layer({
        issuer,
        clientId,
        clientSecret: Redacted.make(clientSecret),
        name: "Example",
        ...use
      }).pipe(Layer.provide(LocalOutboundHttp))
    ),
    Effect.flatMap((provider) => (provider === null ? Effect.dieMessage("No provider.") : Effect.succeed(provider)))
  )

const ada = { sub: "ada", email: "ada@example.org", email_verified: true, name: "Ada" }

const identityFrom = (provider: OpenIdConnect) =>
  Effect.gen(function* () {
    const { url, request } = yield* provider.start(redirectUri)
    const { searchParams } = yield* throughProvider(url, redirectUri)
    return yield* provider.finish(request, searchParams)
  })

/** A server whose discovery document says what a test wants. */
const metadataServer = (metadata: (issuer: string) => object, status = 200) =>
  Effect.acquireRelease(
    Effect.async<{ readonly issuer: string; readonly stop: () => void }>((resume) => {
      const server = createServer((_, response) => {
        const { port } = server.address() as AddressInfo
        response.writeHead(status, { "content-type": "application/json" })
        response.end(JSON.stringify(metadata(`http://127.0.0.1:${port}`)))
      })
      server.listen(0, "127.0.0.1", () => {
        const { port } = server.address() as AddressInfo
        resume(Effect.succeed({ issuer: `http://127.0.0.1:${port}`, stop: () => server.close() }))
      })
    }),
    ({ stop }) => Effect.sync(stop)
  )

const startAt = (metadata: (issuer: string) => object, status?: number) =>
  Effect.gen(function* () {
    const { issuer } = yield* metadataServer(metadata, status)
    const provider = yield* connected({ issuer, clientId: "assay", clientSecret: "secret" })
    return yield* Effect.flip(provider.start(redirectUri))
  })

describe("an OpenID Connect provider", () => {
  for (const method of ["client_secret_basic", "client_secret_post"] as const) {
    it.scoped(`accepts the client's secret as ${method}, with characters that need encoding`, () =>
      Effect.gen(function* () {
        const server = yield* openIdServer(redirectUri, method)
        server.person = ada
        const provider = yield* connected(server)
        const expected = {
          issuer: server.issuer,
          subject: "ada",
          email: "ada@example.org",
          email_verified: true,
          name: "Ada"
        }
        assert.deepStrictEqual(yield* identityFrom(provider), expected)
        assert.deepStrictEqual(yield* identityFrom(provider), expected)
      })
    )
  }

  it.scoped("rejects a wrong secret, and the message holds neither it nor the code", () =>
    Effect.gen(function* () {
      const server = yield* openIdServer(redirectUri)
      server.person = ada
      const provider = yield* connected(server, { clientSecret: Redacted.make("not-the-secret") })
      const { url, request } = yield* provider.start(redirectUri)
      const { searchParams } = yield* throughProvider(url, redirectUri)
      const error = yield* Effect.flip(provider.finish(request, searchParams))
      assert.strictEqual(error.reason, "rejected")
      assert.notInclude(error.message, "not-the-secret")
      assert.notInclude(error.message, searchParams.get("code") ?? "")
    })
  )

  it.scoped("is asked for nothing before the first sign-in, and for its metadata once", () =>
    Effect.gen(function* () {
      const server = yield* openIdServer(redirectUri)
      const provider = yield* connected(server)
      assert.deepStrictEqual(server.requests, [])
      const starts = Effect.replicateEffect(provider.start(redirectUri), 5, { concurrency: "unbounded" })
      const urls = (yield* starts).map(({ url }) => url)
      assert.deepStrictEqual(server.requests, ["/.well-known/openid-configuration"])
      for (const name of ["state", "nonce", "code_challenge"]) {
        assert.strictEqual(new Set(urls.map((url) => new URL(url).searchParams.get(name))).size, 5, name)
      }
    })
  )

  it.scoped("that is away at the first sign-in is asked again at the next", () =>
    Effect.gen(function* () {
      const server = yield* openIdServer(redirectUri)
      server.person = ada
      const provider = yield* connected(server)
      yield* server.goAway
      assert.strictEqual((yield* Effect.flip(provider.start(redirectUri))).reason, "unavailable")
      yield* server.comeBack
      assert.strictEqual((yield* identityFrom(provider)).subject, "ada")
    })
  )

  it.scoped("may put the address into the ID token, and Entra's claim counts for Entra only", () =>
    Effect.gen(function* () {
      const server = yield* openIdServer(redirectUri)
      server.person = { sub: "ada" }
      const provider = yield* connected(server)
      const withClaims = (more: object) => {
        server.tampering = { claims: (claims) => ({ ...claims, ...more }) }
        return identityFrom(provider)
      }
      const inToken = yield* withClaims({ email: "ada@example.org", email_verified: "true" })
      assert.deepInclude(inToken, { email: "ada@example.org", email_verified: true })
      const ofEntra = yield* withClaims({ email: "ada@example.org", xms_edov: true })
      assert.strictEqual(ofEntra.email_verified, false)
    })
  )

  it.scoped("is unavailable where what answers is not the issuer, or leads to an address without TLS", () =>
    Effect.gen(function* () {
      const endpoints = (issuer: string) => ({
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`
      })
      const another = yield* startAt((issuer) => ({ ...endpoints(issuer), issuer: "https://accounts.example.net" }))
      const outage = yield* startAt(endpoints, 503)
      const nothing = yield* startAt(() => ({}))
      assert.deepStrictEqual(
        [another.reason, outage.reason, nothing.reason],
        ["unavailable", "unavailable", "unavailable"]
      )
      const plain = yield* startAt((issuer) => ({
        ...endpoints(issuer),
        authorization_endpoint: "http://login.example.net/auth"
      }))
      assert.include(plain.message, "without TLS")
    })
  )
})
