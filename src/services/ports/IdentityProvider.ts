import { Context, type Effect, Schema } from "effect"

/** What the service must know of a sign-in from the time the person leaves for the provider until they are back. */
export interface AuthorizationRequest {
  /** Where the provider sends the person back to; the code is exchanged under the same address. */
  readonly redirect_uri: string
  /** Ties the provider's response to this browser. */
  readonly state: string
  /** Ties the ID token to this request. */
  readonly nonce: string
  /** PKCE: only who has it can exchange the code. */
  readonly code_verifier: string
}

/** A person as the provider knows them, from an ID token that was checked. */
export interface ProviderIdentity {
  /** With the subject, what the person is recognised by; the e-mail address may change. */
  readonly issuer: string
  readonly subject: string
  readonly email: string | null
  readonly email_verified: boolean
  readonly name: string | null
}

/**
 * `cancelled`: the person or the provider did not agree. `rejected`: what came back does not prove who the person is.
 * `unavailable`: the provider does not answer, or not as one. The message is for the log and holds no secret.
 */
export class IdentityProviderError extends Schema.TaggedError<IdentityProviderError>()("IdentityProviderError", {
  reason: Schema.Literal("cancelled", "rejected", "unavailable"),
  message: Schema.String
}) {}

export interface OpenIdConnect {
  /** What the provider is called on the sign-in page. */
  readonly name: string
  /** The issuer as the operator configured it. */
  readonly issuer: string
  /** The address at the provider to which the browser goes, and what has to be kept until it is back. */
  readonly start: (
    redirectUri: string
  ) => Effect.Effect<{ readonly url: string; readonly request: AuthorizationRequest }, IdentityProviderError>
  /** Exchanges the code among the parameters that the browser came back with, and checks all that it yields. */
  readonly finish: (
    request: AuthorizationRequest,
    parameters: URLSearchParams
  ) => Effect.Effect<ProviderIdentity, IdentityProviderError>
}

/** The OpenID Connect provider that people may sign in by; null where the operator configured none. */
export class IdentityProvider extends Context.Reference<IdentityProvider>()("IdentityProvider", {
  defaultValue: (): OpenIdConnect | null => null
}) {}
