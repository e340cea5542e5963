import { Schema } from "effect"
import { apiError } from "./ApiError.ts"
import { closed, record } from "./closed.ts"
import { Scope } from "./Key.ts"
import { oneOf, text, Uuid } from "./Text.ts"

export const Role = oneOf("owner", "admin", "member", "viewer")
export type Role = typeof Role.Type

export const minPasswordLength = 12

export const SignIn = closed({ email: text(3, 320), password: text(1, 1024) }, "SignInRequest")

/** Uses a one-time sign-in link; `password` sets the account's password in the same step. */
export const UseSignInLink = closed(
  {
    token: text(1, 200),
    password: Schema.optionalWith(text(minPasswordLength, 1024), { exact: true })
  },
  "UseSignInLinkRequest"
)

export const SessionInfo = record("Session", {
  user: Schema.Struct({ id: Uuid, email: Schema.String }),
  workspace: Schema.Struct({ id: Uuid, name: Schema.String, plan: oneOf("free", "paid") }),
  role: Role,
  permissions: Schema.Array(Scope),
  csrf_token: Schema.String.annotations({
    description: "Send as header `X-Assay-CSRF` with every state-changing request that carries the session cookie."
  })
})
export type SessionInfo = typeof SessionInfo.Type

export class SignInRefused extends apiError("SignInRefused", {
  status: 401,
  type: "authentication_error",
  code: "invalid_credentials"
}) {}
export class SignInLinkRefused extends apiError("SignInLinkRefused", {
  status: 401,
  type: "authentication_error",
  code: "invalid_sign_in_link"
}) {}
export class TooManySignIns extends apiError("TooManySignIns", {
  status: 429,
  type: "rate_limit_error",
  code: "rate_limit_qps"
}) {}
