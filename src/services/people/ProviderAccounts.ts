import { Data, Effect, Option, Schema } from "effect"
import { type InvitationId, UserId, type WorkspaceId } from "../../schema/Ids.ts"
import { personName, type Role } from "../../schema/Session.ts"
import type { SingleSignOnCode } from "../../schema/SingleSignOn.ts"
import { IdentitiesRepo } from "../access/IdentitiesRepo.ts"
import { asSystem } from "../access/Reach.ts"
import { SessionsRepo } from "../access/SessionsRepo.ts"
import { SignInSettings } from "../access/SignInSettings.ts"
import { NoticeWriter } from "../notices/NoticeWriter.ts"
import type { ProviderIdentity } from "../ports/IdentityProvider.ts"
import { newId } from "../support/ids.ts"
import { now } from "../support/now.ts"
import { isBacked, noticesOfAccepted } from "./Invitations.ts"
import { InvitationsRepo } from "./InvitationsRepo.ts"

/** A sign-in by the provider that failed. The code is for the person, the reason for the log. */
export class SingleSignOnRejected extends Data.TaggedError("SingleSignOnRejected")<{
  readonly code: SingleSignOnCode
  readonly reason: string
  /** Of the account that was not entered, as far as the provider proved whose it is. */
  readonly email?: string
}> {}

export const rejected = (code: SingleSignOnCode, reason: string, email?: string) =>
  new SingleSignOnRejected({ code, reason, ...(email === undefined ? {} : { email }) })

/** A membership that a sign-in made. */
interface Joined {
  readonly workspace_id: WorkspaceId
  readonly role: Role
  /** Null for a newcomer of an allowed domain. */
  readonly invitation_id: InvitationId | null
}

/**
 * Whose account an identity of the provider leads to. The first sign-in links the two by the e-mail address that the
 * provider verified; from then on issuer and subject count.
 */
export class ProviderAccounts extends Effect.Service<ProviderAccounts>()("ProviderAccounts", {
  effect: Effect.gen(function* () {
    const identities = yield* IdentitiesRepo
    const sessions = yield* SessionsRepo
    const invitations = yield* InvitationsRepo
    const notices = yield* NoticeWriter
    const { allowedDomains, newcomerRole } = yield* SignInSettings

    /** The account of the address; a new one where there is none. */
    const accountFor = Effect.fnUntraced(function* (email: string, name: string | null) {
      const id = yield* newId(UserId)
      const account = { id, email, name: isPersonName(name) ? name : null, password_hash: null, created_at: yield* now }
      const isNew = Option.isNone(yield* invitations.accountOf(email)) && (yield* invitations.insertAccount(account))
      const { user_id, disabled_at } = yield* Effect.orDie(Effect.flatten(invitations.accountOf(email)))
      if (disabled_at !== null) return yield* rejected("account_disabled", "The account is disabled.", email)
      return { user_id, isNew }
    })

    const link = Effect.fnUntraced(function* (
      { issuer, subject }: ProviderIdentity,
      account: { readonly user_id: UserId; readonly email: string },
      provider: string
    ) {
      const { user_id, email } = account
      if (yield* identities.hasOneOf({ user_id, issuer })) {
        return yield* rejected("oidc_account_linked", "The account is linked to another subject of the issuer.", email)
      }
      const at = yield* now
      yield* identities.insert({ issuer, subject, user_id, provider, created_at: at, last_used_at: at })
    })

    /** Who is no member yet joins by the invitations to the address; without any, newcomers join the oldest workspace. */
    const join = Effect.fnUntraced(function* (user_id: UserId, email: string, isNew: boolean) {
      const at = yield* now
      const open = yield* invitations.lockByEmail({ email, now: at })
      const accepted = open.filter((invitation) => isBacked(invitation) && invitation.suspended_at === null)
      const invited = accepted.map(({ id, workspace_id, role }): Joined => ({ workspace_id, role, invitation_id: id }))
      const oldest = isNew && allowedDomains.length > 0 ? Option.toArray(yield* sessions.oldestWorkspace) : []
      const welcome = oldest.map((workspace_id): Joined => ({ workspace_id, role: newcomerRole, invitation_id: null }))
      const joined = invited.length > 0 ? invited : welcome
      for (const { workspace_id, role, invitation_id } of joined) {
        yield* invitations.join({ workspace_id, user_id, role, created_at: at })
        if (invitation_id !== null) {
          yield* invitations.markAccepted({ workspace_id, id: invitation_id, user_id, now: at })
        }
      }
      yield* Effect.forEach(accepted.flatMap(noticesOfAccepted), notices.add, { discard: true })
      return joined
    })

    /** The member that signs in, and what they joined by it. To be called in a transaction, which a rejection undoes. */
    const resolve = Effect.fn("ProviderAccounts.resolve")(function* (identity: ProviderIdentity, provider: string) {
      const address = yield* verifiedAddress(identity)
      if (allowedDomains.length > 0 && !allowedDomains.includes(domainOf(address))) {
        return yield* rejected("oidc_domain_not_allowed", `The domain ${domainOf(address)} is not allowed.`, address)
      }
      const found = yield* identities.find(identity)
      const known = Option.isSome(found) ? found : yield* Effect.zipRight(identities.lock, identities.find(identity))
      const email = Option.isSome(known) ? known.value.email : address
      const { user_id, isNew } = yield* accountFor(email, identity.name)
      if (Option.isNone(known)) yield* link(identity, { user_id, email }, provider)
      const membership = Effect.map(
        sessions.accountByEmail(email),
        Option.flatMapNullable((row) => row.workspace_id)
      )
      const joined = Option.isSome(yield* membership) ? [] : yield* join(user_id, email, isNew)
      const workspace_id = Option.getOrNull(yield* membership)
      if (workspace_id === null) {
        return yield* rejected("oidc_not_a_member", "The address belongs to no member of a workspace.", email)
      }
      yield* identities.markUsed({ ...identity, provider, now: yield* now })
      return { user_id, email, workspace_id, joined }
    }, asSystem)

    return { resolve }
  })
}) {}

const isPersonName = Schema.is(personName)

const domainOf = (address: string) => address.slice(address.lastIndexOf("@") + 1)

const plainAddress = /^[^\s@\p{C}]+@[^\s@\p{C}]+$/u

/** In lower case, as accounts have it. Other capitals than A to Z could make one address of two. */
const verifiedAddress = ({ email, email_verified }: ProviderIdentity) => {
  const address = email?.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) ?? ""
  const isUsable = address.length <= 320 && plainAddress.test(address) && address === address.toLowerCase()
  if (isUsable && email_verified) return Effect.succeed(address)
  return Effect.fail(
    rejected(
      "oidc_email_not_verified",
      isUsable ? "The provider has not verified the e-mail address." : "The provider sent no usable e-mail address."
    )
  )
}
