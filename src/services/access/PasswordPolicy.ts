import { Effect } from "effect"
import { PasswordsDisabled } from "../../schema/SingleSignOn.ts"
import { IdentityProvider } from "../ports/IdentityProvider.ts"
import { IdentitiesRepo } from "./IdentitiesRepo.ts"
import { asSystem } from "./Reach.ts"
import { SignInSettings } from "./SignInSettings.ts"

/**
 * Whether passwords count. The operator may switch them off, which takes effect once an owner has signed in by the
 * provider that is configured: a provider that does not work yet locks no one out.
 */
export class PasswordPolicy extends Effect.Service<PasswordPolicy>()("PasswordPolicy", {
  effect: Effect.gen(function* () {
    const repo = yield* IdentitiesRepo
    const provider = yield* IdentityProvider
    const { passwords } = yield* SignInSettings

    const allowed =
      passwords || provider === null
        ? Effect.succeed(true)
        : Effect.map(asSystem(repo.ownerSignedInBy(provider.issuer)), (signedIn) => !signedIn)

    /** To be called before a password is compared or set. */
    const requirePasswords = Effect.filterOrFail(
      allowed,
      (is) => is,
      () =>
        new PasswordsDisabled({
          message: `Passwords are switched off; sign in by ${provider?.name}, or with a link of the operator.`
        })
    )

    /** For the log of a start: what the operator wants, and what holds it up. */
    const warnWhenPending = Effect.flatMap(allowed, (still) =>
      still && !passwords
        ? Effect.logWarning(
            "ASSAY_PASSWORDS=false takes effect once an owner has signed in by the provider; until then passwords work."
          )
        : Effect.void
    )

    return { allowed, requirePasswords, warnWhenPending }
  })
}) {}
