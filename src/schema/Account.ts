import { Schema } from "effect"
import { forbidden, notFound } from "./ApiError.ts"
import { closed, record } from "./closed.ts"
import { SessionId, WorkspaceId } from "./Ids.ts"
import { minPasswordLength, personName, Role } from "./Session.ts"
import { field, Instant, nullable, optional, optionalOrNull, text } from "./Text.ts"

// What a signed-in person decides about their own account.

export const OwnWorkspace = record(
  "OwnWorkspace",
  {
    id: field(WorkspaceId, "ID of the workspace."),
    name: field(Schema.String, "Name of the workspace."),
    role: field(Role, "Role of the user in it."),
    suspended_at: nullable(Instant, "When the operator suspended it; null while it is active."),
    current: field(Schema.Boolean, "Whether the session is in it.")
  },
  {
    id: WorkspaceId.make("01a1f7f4-6852-7074-af98-de3842bb87ed"),
    name: "Workspace",
    role: "owner",
    suspended_at: null,
    current: true
  }
)
export type OwnWorkspace = typeof OwnWorkspace.Type

export const OwnWorkspaces = record("OwnWorkspaces", {
  data: field(Schema.Array(OwnWorkspace), "Workspaces of the user, by name.")
})

export const SwitchWorkspace = closed(
  { workspace_id: field(WorkspaceId, "ID of the workspace to work in.") },
  "SwitchWorkspaceRequest",
  { workspace_id: WorkspaceId.make("01a1f7f4-6852-7074-af98-de3842bb87ed") }
)
export type SwitchWorkspace = typeof SwitchWorkspace.Type

export const SessionPath = Schema.Struct({ session_id: field(SessionId, "ID of the session.") })

export const OwnSession = record(
  "OwnSession",
  {
    id: field(SessionId, "ID of the session."),
    created_at: field(Instant, "When the user signed in."),
    last_seen_at: nullable(Instant, "When it was last used, to the minute; null for one of an earlier version."),
    address: nullable(Schema.String, "IP address that used it last; null where it could not be established."),
    current: field(Schema.Boolean, "Whether it is the session of this call.")
  },
  {
    id: SessionId.make("01a1f7f8-5f1a-73c0-98e4-85bccc698071"),
    created_at: "2026-11-20T08:00:12.044Z",
    last_seen_at: "2026-11-21T09:30:00.000Z",
    address: "203.0.113.7",
    current: true
  }
)
export type OwnSession = typeof OwnSession.Type

export const OwnSessions = record("OwnSessions", {
  data: field(Schema.Array(OwnSession), "Sessions that have not ended, the newest first; at most 200.")
})

export const ChangePassword = closed(
  {
    current_password: field(text(1, 1024), "Present password of the account."),
    new_password: field(text(minPasswordLength, 1024), `New password, at least ${minPasswordLength} characters.`)
  },
  "ChangePasswordRequest",
  { current_password: "correct horse battery staple", new_password: "another correct horse battery" }
)
export type ChangePassword = typeof ChangePassword.Type

export const UpdateProfile = closed(
  {
    name: optionalOrNull(personName, "Name of the user; null removes it."),
    single_keys: optional(Schema.Boolean, "Whether the web app listens to single keys as shortcuts.")
  },
  "UpdateProfileRequest",
  { name: "Ada", single_keys: false }
)
export type UpdateProfile = typeof UpdateProfile.Type

export const RequestLink = closed(
  { email: field(text(3, 320), "E-mail address of the account.") },
  "RequestLinkRequest",
  {
    email: "ada@example.com"
  }
)
export type RequestLink = typeof RequestLink.Type

export class WrongPassword extends forbidden("WrongPassword", "wrong_password") {}
export class OwnWorkspaceNotFound extends notFound("OwnWorkspaceNotFound", "not_found") {}
export class OwnSessionNotFound extends notFound("OwnSessionNotFound", "not_found") {}
