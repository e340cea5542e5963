import { SqlClient } from "@effect/sql"
import { Clock, DateTime, Duration, Effect, Option, Schema } from "effect"
import { IdentitiesRepo } from "../access/IdentitiesRepo.ts"
import { PasswordPolicy } from "../access/PasswordPolicy.ts"
import { asSystem } from "../access/Reach.ts"
import { returnPath } from "../access/returnPath.ts"
import { Sessions, type SignInOrigin } from "../access/Sessions.ts"
import { SessionsRepo } from "../access/SessionsRepo.ts"
import { SignInLimits } from "../access/SignInLimits.ts"
import { Site } from "../access/Site.ts"
import { AuditLog, partOfChange } from "../audit_log/AuditLog.ts"
import { IdentityProvider, type IdentityProviderError, type ProviderIdentity } from "../ports/IdentityProvider.ts"
import { sha256 } from "../support/ids.ts"
import { ServerSecrets } from "../support/ServerSecrets.ts"
import { seal, unseal } from "../support/sealing.ts"
import { transactional } from "../support/transactional.ts"
import { ProviderAccounts, rejected, type SingleSignOnRejected } from "./ProviderAccounts.ts"

/** How long a person may take at the provider. */
export const roundTrip = Duration.minutes(10)

/** Where the provider sends people back to; operators register it there. */
export const callbackPath = "/api/session/oidc/callback"

const PendingSignIn = Schema.parseJson(
  Schema.Struct({
    redirect_uri: Schema.String,
    state: Schema.String,
    nonce: Schema.String,
    code_verifier: Schema.String,
    return_to: Schema.String,
    expires_at: Schema.Number
  })
)

/** Signing in by the OpenID Connect provider of the installation, over two requests of one browser. */
export class SingleSignOn extends Effect.Service<SingleSignOn>()("SingleSignOn", {
  effect: Effect.gen(function* () {
    const provider = yield* IdentityProvider
    const accounts = yield* ProviderAccounts
    const sessions = yield* Sessions
    const repo = yield* IdentitiesRepo
    const { accountByEmail } = yield* SessionsRepo
    const limits = yield* SignInLimits
    const site = yield* Site
    const auditLog = yield* AuditLog
    const inTransaction = transactional(yield* SqlClient.SqlClient)
    const { allowed } = yield* PasswordPolicy
    const key = yield* Effect.flatMap(ServerSecrets, (secrets) => secrets.get("single-sign-on"))

    const configured =
      provider === null
        ? Effect.fail(rejected("oidc_not_configured", "No provider is configured."))
        : Effect.succeed(provider)

    const options = Effect.map(allowed, (passwords) => ({
      enabled: provider !== null,
      name: provider?.name ?? null,
      passwords
    }))

    /** The provider's address to go to, and what the browser has to bring back. */
    const start = Effect.fn("SingleSignOn.start")(function* (return_to: string | undefined) {
      const provider = yield* configured
      const { url, request } = yield* Effect.mapError(provider.start(`${yield* site.url}${callbackPath}`), rejection)
      const expires_at = (yield* Clock.currentTimeMillis) + Duration.toMillis(roundTrip)
      const pending = { ...request, return_to: returnPath(return_to), expires_at }
      return { url, sealed: seal(key, Schema.encodeSync(PendingSignIn)(pending)) }
    })

    const readPending = Effect.fnUntraced(function* (sealed: string | undefined) {
      const text = sealed === undefined ? null : unseal(key, sealed)
      if (text === null) return yield* rejected("oidc_state_invalid", "The browser did not start this sign-in.")
      const pending = yield* Effect.orDie(Schema.decode(PendingSignIn)(text))
      if (pending.expires_at < (yield* Clock.currentTimeMillis)) {
        return yield* rejected("oidc_state_invalid", "The sign-in took too long.")
      }
      return pending
    })

    /** Each state counts once, whatever comes of it: a response that was seen on the way is worth nothing. */
    const useState = Effect.fnUntraced(function* (state: string, expires_at: number) {
      const isFirst = yield* repo.useState({
        hash: sha256(state),
        expires_at: DateTime.formatIso(DateTime.unsafeMake(expires_at)),
        now: DateTime.formatIso(yield* DateTime.now)
      })
      if (!isFirst) return yield* rejected("oidc_state_invalid", "This sign-in has been used.")
    })

    /** Who joins by signing in leaves a record of that in each workspace; it is the one of the sign-in, too. */
    const enter = Effect.fn("SingleSignOn.enter")(function* (
      identity: ProviderIdentity,
      issuer: string,
      origin: SignInOrigin
    ) {
      const { user_id, email, workspace_id, joined } = yield* accounts.resolve(identity, issuer)
      const open = sessions.open(user_id, workspace_id, origin)
      if (joined.length === 0) return yield* open
      for (const { role, invitation_id, ...membership } of joined) {
        yield* auditLog.record({
          object: { kind: "member", ref: email },
          before: null,
          after: { user_id, role, invitation_id, signed_in: membership.workspace_id === workspace_id },
          by: { ...membership, actor: { kind: "user", user_id, api_key: null, label: email } }
        })
      }
      return yield* partOfChange(open)
    }, inTransaction)

    /** Signs in with what the provider sent the browser back with, and what the browser kept. */
    const finishOnce = Effect.fn("SingleSignOn.finish")(function* (
      parameters: URLSearchParams,
      sealed: string | undefined,
      origin: SignInOrigin
    ) {
      const provider = yield* configured
      const pending = yield* readPending(sealed)
      if (parameters.get("state") !== pending.state) {
        return yield* rejected("oidc_state_invalid", "The state is not the one that this browser was sent with.")
      }
      yield* useState(pending.state, pending.expires_at)
      const identity = yield* Effect.mapError(provider.finish(pending, parameters), rejection)
      return { session: yield* enter(identity, provider.issuer, origin), return_to: pending.return_to }
    })

    const record = Effect.fnUntraced(function* ({ code, email }: SingleSignOnRejected) {
      const account = email === undefined ? Option.none() : yield* accountByEmail(email)
      yield* sessions.logRejection(Option.getOrNull(account), code)
    })

    const finish = (parameters: URLSearchParams, sealed: string | undefined, origin: SignInOrigin) =>
      limits
        .withLink(
          origin.address,
          Effect.tapErrorTag(finishOnce(parameters, sealed, origin), "SingleSignOnRejected", record)
        )
        .pipe(asSystem)

    return { options, start, finish }
  })
}) {}

const codes = {
  cancelled: "oidc_cancelled",
  rejected: "oidc_code_rejected",
  unavailable: "oidc_provider_unavailable"
} as const

const rejection = ({ reason, message }: IdentityProviderError) => rejected(codes[reason], message)
