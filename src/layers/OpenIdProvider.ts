import { Effect, Layer, Redacted } from "effect"
import * as client from "openid-client"
import { isLoopback } from "../services/access/loopback.ts"
import {
  IdentityProvider,
  IdentityProviderError,
  type OpenIdConnect,
  type ProviderIdentity
} from "../services/ports/IdentityProvider.ts"
import { type Fetch, OutboundHttp } from "./OutboundHttp.ts"

export interface OpenIdOptions {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted
  readonly name: string
}

/** Bounds each call to the provider; a sign-in makes three or four. */
const timeoutSeconds = 5
const discoveryLifetimeMillis = 60 * 60 * 1000

/** The provider that is found under its issuer's address. Nothing is asked of it before the first person signs in. */
export const layer = (options: OpenIdOptions) =>
  Layer.effect(
    IdentityProvider,
    Effect.map(OutboundHttp, ({ fetchConfigured }) => provider(options, fetchConfigured))
  )

const provider = (options: OpenIdOptions, fetch: Fetch): OpenIdConnect => {
  const configuration = discovered(options, fetch)
  return {
    name: options.name,
    issuer: options.issuer,
    start: (redirect_uri) =>
      attempt(async () => {
        const { config } = await configuration()
        const [state, nonce, code_verifier] = [
          client.randomState(),
          client.randomNonce(),
          client.randomPKCECodeVerifier()
        ]
        const url = client.buildAuthorizationUrl(config, {
          redirect_uri,
          scope: "openid email profile",
          state,
          nonce,
          code_challenge: await client.calculatePKCECodeChallenge(code_verifier),
          code_challenge_method: "S256"
        })
        requireSafe(url.href)
        return { url: url.href, request: { redirect_uri, state, nonce, code_verifier } }
      }),
    finish: (request, parameters) =>
      attempt(async () => {
        const { config, withClientSecret } = await configuration()
        const callback = new URL(request.redirect_uri)
        callback.search = parameters.toString()
        const tokens = await withClientSecret(() =>
          client.authorizationCodeGrant(config, callback, {
            expectedState: request.state,
            expectedNonce: request.nonce,
            pkceCodeVerifier: request.code_verifier,
            idTokenExpected: true
          })
        )
        const claims = tokens.claims()
        // The grant has rejected a response without an ID token.
        if (claims === undefined) throw new Error("The provider sent no ID token.")
        const profile =
          isVerified(claims) || config.serverMetadata().userinfo_endpoint === undefined
            ? claims
            : await client.fetchUserInfo(config, tokens.access_token, claims.sub)
        return identityOf(claims, profile)
      })
  }
}

/** The provider's metadata, read when first needed and once an hour; concurrent sign-ins share one request. */
const discovered = (options: OpenIdOptions, fetch: Fetch) => {
  let known: { readonly provider: Promise<Provider>; readonly readAt: number } | null = null
  return async (): Promise<Provider> => {
    const last = known
    if (last !== null && Date.now() - last.readAt < discoveryLifetimeMillis) return last.provider
    const provider = discover(options, fetch)
    known = { provider, readAt: Date.now() }
    try {
      return await provider
    } catch (error) {
      // The next sign-in asks again; until then, what was known before is better than nothing.
      known = null
      if (last === null) throw unavailable(error)
      return last.provider
    }
  }
}

interface Provider {
  readonly config: client.Configuration
  /** Repeats a request that was rejected for the way in which it carried the client's secret. */
  readonly withClientSecret: <A>(request: () => Promise<A>) => Promise<A>
}

const discover = async (options: OpenIdOptions, fetch: Fetch): Promise<Provider> => {
  const issuer = new URL(options.issuer)
  const secret = Redacted.value(options.clientSecret)
  const ways = {
    client_secret_basic: client.ClientSecretBasic(secret),
    client_secret_post: client.ClientSecretPost(secret)
  }
  const names = ["client_secret_basic", "client_secret_post"] as const
  let way: (typeof names)[number] = names[0]
  const request = () =>
    client.discovery(issuer, options.clientId, undefined, (...call) => ways[way](...call), {
      timeout: timeoutSeconds,
      [client.customFetch]: safeFetch(fetch),
      execute: [
        client.enableNonRepudiationChecks,
        ...(issuer.protocol === "http:" ? [client.allowInsecureRequests] : [])
      ]
    })
  const config = await request().catch(request)
  // Without a list it is the first. Some providers list both, and accept for each client only what it was registered for.
  const supported = config.serverMetadata().token_endpoint_auth_methods_supported ?? [names[0]]
  const usable = names.filter((name) => supported.includes(name))
  way = usable[0] ?? names[0]
  return {
    config,
    withClientSecret: (call) =>
      call().catch((error) => {
        const other = usable.find((name) => name !== way)
        if (other === undefined || !isInvalidClient(error)) throw error
        way = other
        return call()
      })
  }
}

const isInvalidClient = (error: unknown) =>
  (error instanceof client.ResponseBodyError && error.error === "invalid_client") ||
  (error instanceof client.WWWAuthenticateChallengeError && error.status === 401)

/** Whether what is sent to this address cannot be read or changed on the way. */
export const isSafeAddress = (address: string): boolean => {
  if (!URL.canParse(address)) return false
  const { protocol, hostname } = new URL(address)
  return protocol === "https:" || (protocol === "http:" && isLoopback(hostname))
}

/** A provider on this machine may be reached over plain HTTP, but its metadata must not lead elsewhere over it. */
const requireSafe = (address: string) => {
  if (!isSafeAddress(address)) throw new Error("The provider's metadata name an address without TLS.")
}

const safeFetch =
  (fetch: Fetch): client.CustomFetch =>
  async (address, { body, ...options }) => {
    requireSafe(address)
    return fetch(address, { ...options, ...(body === undefined ? {} : { body }) })
  }

type Claims = Readonly<Record<string, unknown>>

/** Some providers send the word for the value. */
const isTrue = (value: unknown) => value === true || value === "true" || value === 1 || value === "1"

const entra = "https://login.microsoftonline.com/"

/** Microsoft Entra ID has a claim of its own: the address is of a domain whose owner was verified. */
const isVerified = (claims: Claims) =>
  typeof claims.email === "string" &&
  (isTrue(claims.email_verified) || (String(claims.iss).startsWith(entra) && isTrue(claims.xms_edov)))

const identityOf = (claims: client.IDToken, profile: Claims): ProviderIdentity => ({
  issuer: claims.iss,
  subject: claims.sub,
  email: typeof profile.email === "string" ? profile.email : null,
  email_verified: isVerified(profile),
  name: typeof profile.name === "string" ? profile.name : null
})

const attempt = <A>(work: () => Promise<A>): Effect.Effect<A, IdentityProviderError> =>
  Effect.tryPromise({ try: work, catch: providerError })

const unavailable = (error: unknown) => new IdentityProviderError({ reason: "unavailable", message: messageOf(error) })

const providerError = (error: unknown): IdentityProviderError =>
  error instanceof IdentityProviderError
    ? error
    : new IdentityProviderError({ reason: reasonOf(error), message: messageOf(error) })

const reasonOf = (error: unknown): IdentityProviderError["reason"] => {
  if (error instanceof client.AuthorizationResponseError) {
    return isOutage(error.error) ? "unavailable" : error.error === "access_denied" ? "cancelled" : "rejected"
  }
  if (error instanceof client.ResponseBodyError) return error.status >= 500 ? "unavailable" : "rejected"
  return isConnectionError(error) || hasServerError(error) ? "unavailable" : "rejected"
}

const isOutage = (error: string) => error === "server_error" || error === "temporarily_unavailable"

const isConnectionError = (error: unknown) =>
  (error instanceof TypeError && error.message === "fetch failed") ||
  (error instanceof client.ClientError && (error.code === "OAUTH_TIMEOUT" || error.code === "OAUTH_ABORT"))

/** The library keeps a response that it did not expect as the cause. */
const hasServerError = (error: unknown) =>
  error instanceof client.ClientError && error.cause instanceof Response && error.cause.status >= 500

/** What the library says, and why; of the provider's own words only the standard code of an error. */
const messageOf = (error: unknown): string => {
  if (!(error instanceof Error)) return "unknown error"
  const { cause } = error
  const code =
    "error" in error && typeof error.error === "string" && /^[a-z_]{1,40}$/.test(error.error) ? error.error : null
  const reasons = [error.message, code, cause instanceof Error ? cause.message : null]
  return reasons
    .filter((reason) => reason !== null)
    .join(": ")
    .slice(0, 300)
}
