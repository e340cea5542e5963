import { SqlClient } from "@effect/sql"
import { DateTime, Duration, Effect, Option } from "effect"
import { InvalidSession, WorkspaceSuspended } from "../../schema/Errors.ts"
import { InvitationId, UserId, type WorkspaceId } from "../../schema/Ids.ts"
import {
  type AcceptInvitation,
  AlreadyMember,
  type CreatedInvitation,
  type CreateInvitation,
  InvitationNotFound
} from "../../schema/Member.ts"
import { defaultPageSize, type PageRequest } from "../../schema/Page.ts"
import type { Role } from "../../schema/Session.ts"
import { Caller, personOf } from "../access/Caller.ts"
import { Cursors } from "../access/Cursors.ts"
import { PasswordPolicy } from "../access/PasswordPolicy.ts"
import { hashPassword } from "../access/passwords.ts"
import { asSystem } from "../access/Reach.ts"
import { managesWorkspace } from "../access/roles.ts"
import { Sessions, type SignInOrigin } from "../access/Sessions.ts"
import { type SessionRow, SessionsRepo } from "../access/SessionsRepo.ts"
import { SignInLimits } from "../access/SignInLimits.ts"
import { Site } from "../access/Site.ts"
import { AuditLog, operator, partOfChange } from "../audit_log/AuditLog.ts"
import { NoticeWriter } from "../notices/NoticeWriter.ts"
import { linkPlaceholder, printable } from "../outbox/mailTexts.ts"
import { Outbox } from "../outbox/Outbox.ts"
import { newId, randomBase62, sha256 } from "../support/ids.ts"
import { now } from "../support/now.ts"
import { transactional } from "../support/transactional.ts"
import { InvitationsRepo, type OpenInvitation } from "./InvitationsRepo.ts"
import { requireManager, requireOwner } from "./Members.ts"
import { MembersRepo } from "./MembersRepo.ts"

const lifetime = Duration.days(7)

interface Inviter {
  readonly workspace_id: WorkspaceId
  /** Null: the operator of the installation. */
  readonly user_id: UserId | null
  /** As the invited person knows them. */
  readonly label: string
}

/** Links by which people join a workspace: each for one address and role, for 7 days, used once. */
export class Invitations extends Effect.Service<Invitations>()("Invitations", {
  effect: Effect.gen(function* () {
    const repo = yield* InvitationsRepo
    const members = yield* MembersRepo
    const cursors = yield* Cursors
    const sessions = yield* Sessions
    const sessionRows = yield* SessionsRepo
    const limits = yield* SignInLimits
    const { requirePasswords } = yield* PasswordPolicy
    const outbox = yield* Outbox
    const site = yield* Site
    const auditLog = yield* AuditLog
    const notices = yield* NoticeWriter
    const inTransaction = transactional(yield* SqlClient.SqlClient)

    const insert = Effect.fnUntraced(function* (inviter: Inviter, request: CreateInvitation) {
      const { workspace_id } = inviter
      const email = request.email.toLowerCase()
      if (yield* repo.isMember({ workspace_id, email })) {
        return yield* new AlreadyMember({ message: `${email} is a member already; change the role of the member.` })
      }
      const token = randomBase62(43)
      const at = yield* DateTime.now
      const invitation = yield* repo.insert({
        id: yield* newId(InvitationId),
        workspace_id,
        email,
        role: request.role,
        token_hash: sha256(token),
        invited_by: inviter.user_id,
        created_at: DateTime.formatIso(at),
        expires_at: DateTime.formatIso(DateTime.addDuration(at, lifetime))
      })
      yield* auditLog.record({
        object: { kind: "invitation", ref: email },
        before: null,
        after: invitation,
        ...(inviter.user_id === null ? { by: { workspace_id, actor: operator }, action: "members.invite" } : {})
      })
      const url = `${yield* site.url}/sign-in#invitation=${token}`
      const workspace = yield* repo.nameOf(workspace_id)
      yield* outbox.enqueue({ workspace_id, to: email, link: url, ...mailOf(inviter, workspace, invitation) })
      return { ...invitation, url } satisfies CreatedInvitation
    })

    const create = Effect.fn("Invitations.create")(function* (request: CreateInvitation) {
      const caller = yield* Caller
      const { workspace_id } = caller
      const { user_id } = personOf(caller)
      const role = Option.map(yield* members.find({ workspace_id, user_id }), (member) => member.role)
      yield* requireManager(Option.getOrNull(role))
      if (request.role === "owner") yield* requireOwner(Option.getOrNull(role))
      return yield* insert({ workspace_id, user_id, label: caller.actor.label ?? "A member" }, request)
    }, inTransaction)

    /** The same by the operator of the installation, who has no role anywhere. */
    const createAsOperator = Effect.fn("Invitations.createAsOperator")(
      (workspace_id: WorkspaceId, request: CreateInvitation) =>
        insert({ workspace_id, user_id: null, label: "The operator" }, request),
      inTransaction
    )

    const list = Effect.fn("Invitations.list")(function* ({ limit = defaultPageSize, cursor }: PageRequest) {
      const { workspace_id } = yield* Caller
      const after = yield* cursors.open("invitations", {}, cursor)
      const rows = yield* repo.list({ workspace_id, after, limit })
      return yield* cursors.page("invitations", {}, limit, rows, (row) => [row.created_at, row.id])
    })

    const withdraw = Effect.fn("Invitations.withdraw")(function* (id: InvitationId) {
      const { workspace_id } = yield* Caller
      const withdrawn = yield* repo.withdraw({ workspace_id, id })
      if (Option.isNone(withdrawn)) return yield* new InvitationNotFound({ message: `No open invitation ${id}.` })
      const object = { kind: "invitation", ref: withdrawn.value.email } as const
      yield* auditLog.record({ object, before: withdrawn.value, after: null })
    }, inTransaction)

    /** The account that an invitation is accepted by: a new one, or that of the person who is signed in. */
    const accountFor = Effect.fnUntraced(function* (
      { email }: OpenInvitation,
      { password, name }: AcceptInvitation,
      signedIn: SessionRow | null
    ) {
      const known = Option.getOrNull(yield* repo.accountOf(email))
      if (known === null) {
        const id = yield* newId(UserId)
        if (password !== undefined) yield* requirePasswords
        const password_hash = password === undefined ? null : yield* hashPassword(password)
        const account = { id, email, name: name ?? null, password_hash, created_at: yield* now }
        if (yield* repo.insertAccount(account)) return id
      } else if (known.disabled_at === null && known.user_id === signedIn?.user_id) return known.user_id
      return yield* new InvalidSession({
        message: `${email} has an account: sign in to it, then open the invitation again.`,
        details: { sign_in_first: true }
      })
    })

    const acceptOnce = Effect.fn("Invitations.accept")(
      function* (request: AcceptInvitation, origin: SignInOrigin, signedIn: SessionRow | null) {
        const at = yield* now
        const found = yield* repo.lockByToken({ token_hash: sha256(request.token), now: at })
        const invitation = Option.getOrNull(Option.filter(found, isBacked))
        if (invitation === null) {
          return yield* new InvalidSession({ message: "This invitation was used or withdrawn, or has expired." })
        }
        const { id, workspace_id, role } = invitation
        if (invitation.suspended_at !== null) {
          return yield* new WorkspaceSuspended({ message: "The workspace is suspended; no one can join it now." })
        }
        const user_id = yield* accountFor(invitation, request, signedIn)
        yield* repo.join({ workspace_id, user_id, role, created_at: at })
        yield* repo.markAccepted({ workspace_id, id, user_id, now: at })
        yield* Effect.forEach(noticesOfAccepted(invitation), notices.add, { discard: true })
        // The browser goes on in the new session.
        if (signedIn?.user_id === user_id) yield* sessionRows.deleteSession(signedIn)
        const opened = yield* partOfChange(sessions.open(user_id, workspace_id, origin))
        yield* auditLog.record({
          object: { kind: "member", ref: invitation.email },
          before: null,
          after: { user_id, role, invitation_id: id, signed_in: true },
          by: { workspace_id, actor: { kind: "user", user_id, api_key: null, label: invitation.email } }
        })
        return opened
      },
      inTransaction,
      asSystem
    )

    /** `signedIn`: the session that the browser is signed in with. The attempt is counted outside the transaction. */
    const accept = (request: AcceptInvitation, origin: SignInOrigin, signedIn: SessionRow | null) =>
      limits.withLink(origin.address, acceptOnce(request, origin, signedIn))

    return { create, createAsOperator, list, withdraw, accept }
  })
}) {}

/** Whether the inviting person could still do so. */
export const isBacked = ({ invited_by, inviter_role, role }: OpenInvitation): boolean =>
  invited_by === null ||
  (inviter_role !== null && managesWorkspace(inviter_role) && (role !== "owner" || inviter_role === role))

/** To the person who sent an invitation; the operator gets none. */
export const noticesOfAccepted = ({ id, workspace_id, email, role, invited_by }: OpenInvitation) =>
  invited_by === null
    ? []
    : [
        {
          workspace_id,
          user_id: invited_by,
          kind: "invitation_accepted" as const,
          subject: id,
          text: `${email} accepted your invitation and is now ${article[role]} of the workspace.`,
          link: "/members"
        }
      ]

const article: Record<Role, string> = { owner: "an owner", admin: "an admin", member: "a member", viewer: "a viewer" }

const mailOf = (
  { label }: Inviter,
  workspace: string,
  { role, expires_at }: { readonly role: Role; readonly expires_at: string }
) => ({
  subject: `Invitation to ${printable(workspace)}`,
  text: `${printable(label)} invites you to the workspace "${printable(workspace)}" as ${article[role]}.

Join at ${linkPlaceholder}

The link works once, until ${expires_at.slice(0, 10)}, for this address only. If you did not expect it, ignore this e-mail.
`
})
