import { Schema } from "effect"
import { conflict, forbidden, notFound } from "./ApiError.ts"
import { closed, record } from "./closed.ts"
import { InvitationId, UserId } from "./Ids.ts"
import { minPasswordLength, personName, Role } from "./Session.ts"
import { field, Instant, nullable, optional, patterned, text } from "./Text.ts"

export const MemberPath = Schema.Struct({ user_id: field(UserId, "ID of the member.") })
export const InvitationPath = Schema.Struct({ invitation_id: field(InvitationId, "ID of the invitation.") })

const someone = UserId.make("01a1f7f4-6852-7074-af98-e15869b1df64")

export const Member = record(
  "Member",
  {
    user_id: field(UserId, "ID of the user."),
    email: field(Schema.String, "E-mail address of the user."),
    name: nullable(Schema.String, "Name of the user, as they chose it; null if they did not."),
    role: field(Role, "Role in the workspace."),
    created_at: field(Instant, "When they became a member."),
    last_seen_at: nullable(Instant, "When they last used the workspace in a browser, to the minute; null if never."),
    disabled_at: nullable(Instant, "When the operator disabled the account; null while it is active.")
  },
  {
    user_id: someone,
    email: "grace@example.com",
    name: "Grace",
    role: "member",
    created_at: "2026-11-20T08:00:12.044Z",
    last_seen_at: "2026-11-21T09:30:00.000Z",
    disabled_at: null
  }
)
export type Member = typeof Member.Type

export const UpdateMember = closed({ role: field(Role, "New role.") }, "UpdateMemberRequest", { role: "admin" })
export type UpdateMember = typeof UpdateMember.Type

/** An address as mail servers take it; who may be invited is not checked further. */
export const emailAddress = patterned(3, 320, /^[^\s<>@,;"\p{C}]+@[^\s<>@,;"\p{C}]+$/u, "must be an e-mail address")

export const CreateInvitation = closed(
  {
    email: field(emailAddress, "Address that is invited; the link works for it only."),
    role: field(Role, "Role that the invitation gives; only an owner gives `owner`.")
  },
  "CreateInvitationRequest",
  { email: "grace@example.com", role: "member" }
)
export type CreateInvitation = typeof CreateInvitation.Type

const invitation = {
  id: field(InvitationId, "ID of the invitation."),
  email: field(Schema.String, "Address that is invited."),
  role: field(Role, "Role that the invitation gives."),
  created_at: field(Instant, "When the invitation was created."),
  expires_at: field(Instant, "When the link stops working, 7 days after it was created.")
}
const example = {
  id: InvitationId.make("01a1f7f8-5f1a-73c0-98e4-85bccc698070"),
  email: "grace@example.com",
  role: "member",
  created_at: "2026-11-20T08:00:12.044Z",
  expires_at: "2026-11-27T08:00:12.044Z"
} as const

export const Invitation = record("Invitation", invitation, example)
export type Invitation = typeof Invitation.Type

export const CreatedInvitation = record(
  "CreatedInvitation",
  {
    ...invitation,
    url: field(Schema.String, "The link for the invited person. It works once and is never shown again.")
  },
  { ...example, url: "https://assay.example.com/sign-in#invitation=n3Xo0tS2example" }
)
export type CreatedInvitation = typeof CreatedInvitation.Type

export const AcceptInvitation = closed(
  {
    token: field(text(1, 200), "Token of the link, what follows `#invitation=`."),
    password: optional(
      text(minPasswordLength, 1024),
      `Password of the new account, at least ${minPasswordLength} characters; ignored for an existing account.`
    ),
    name: optional(personName, "Name of the new account's user; ignored for an existing account.")
  },
  "AcceptInvitationRequest",
  { token: "n3Xo0tS2-example-link", password: "correct horse battery staple", name: "Grace" }
)
export type AcceptInvitation = typeof AcceptInvitation.Type

export class InvitationNotFound extends notFound("InvitationNotFound", "not_found") {}
/** A workspace always has an owner. */
export class LastOwner extends conflict("LastOwner", "last_owner") {}
export class AlreadyMember extends conflict("AlreadyMember", "already_member") {}
/** The role of the caller does not allow it, whatever their scopes. */
export class PermissionDenied extends forbidden("PermissionDenied", "permission_denied") {}
