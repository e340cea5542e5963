import { Schema } from "effect"
import { rateLimited, unauthenticated } from "./ApiError.ts"
import { closed, record } from "./closed.ts"
import { Plan } from "./Feature.ts"
import { UserId, WorkspaceId } from "./Ids.ts"
import { Scope, scopes } from "./Key.ts"
import { field, Instant, nullable, oneOf, optional, patterned, text } from "./Text.ts"

export const Role = oneOf("owner", "admin", "member", "viewer")
export type Role = typeof Role.Type

export const minPasswordLength = 12

/** What a person is called, on one line. */
export const personName = patterned(1, 200, /^(?=.*\S)[^\p{C}\p{Zl}\p{Zp}]*$/u, "must be a name on one line")

export const SignIn = closed(
  {
    email: field(text(3, 320), "E-mail address of the account."),
    password: field(text(1, 1024), "Password of the account.")
  },
  "SignInRequest",
  { email: "ada@example.com", password: "correct horse battery staple" }
)

/** Uses a one-time sign-in link; `password` sets the account's password in the same step. */
export const UseSignInLink = closed(
  {
    token: field(text(1, 200), "Token of the one-time link."),
    password: optional(
      text(minPasswordLength, 1024),
      `New password of the account, at least ${minPasswordLength} characters.`
    )
  },
  "UseSignInLinkRequest",
  { token: "n3Xo0tS2-example-link", password: "correct horse battery staple" }
)

export const SessionInfo = record(
  "Session",
  {
    user: field(
      Schema.Struct({
        id: field(UserId, "ID of the user."),
        email: field(Schema.String, "E-mail address of the user."),
        name: nullable(Schema.String, "Name of the user, as they chose it; null if they did not."),
        single_keys: field(Schema.Boolean, "Whether the web app listens to single keys as shortcuts.")
      }),
      "The signed-in user."
    ),
    workspace: field(
      Schema.Struct({
        id: field(WorkspaceId, "ID of the workspace."),
        name: field(Schema.String, "Name of the workspace."),
        plan: field(Plan, "Plan of the workspace."),
        suspended_at: nullable(
          Instant,
          "When the operator suspended the workspace; null while it is active. Suspended, it allows nothing but reading the session, signing out and switching to another workspace."
        )
      }),
      "The workspace of the session."
    ),
    role: field(Role, "Role of the user in the workspace."),
    permissions: field(Schema.Array(Scope), "What the role permits."),
    csrf_token: field(
      Schema.String,
      "Send as header `X-Assay-CSRF` with every state-changing request that carries the session cookie."
    )
  },
  {
    user: {
      id: UserId.make("01a1f7f4-6852-7074-af98-e15869b1df63"),
      email: "ada@example.com",
      name: "Ada",
      single_keys: true
    },
    workspace: {
      id: WorkspaceId.make("01a1f7f4-6852-7074-af98-de3842bb87ed"),
      name: "Workspace",
      plan: "paid",
      suspended_at: null
    },
    role: "owner",
    permissions: [...scopes],
    csrf_token: "n3Xo0tS2-example-YwFq8"
  }
)
export type SessionInfo = typeof SessionInfo.Type

export class InvalidCredentials extends unauthenticated("InvalidCredentials", "invalid_credentials") {}
export class InvalidSignInLink extends unauthenticated("InvalidSignInLink", "invalid_sign_in_link") {}
export class TooManySignIns extends rateLimited("TooManySignIns", "rate_limit_qps") {}
