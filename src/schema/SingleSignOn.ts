import { Schema } from "effect"
import { forbidden } from "./ApiError.ts"
import { closed, record } from "./closed.ts"
import { field, nullable, optional, text } from "./Text.ts"

/** Why a sign-in by the provider failed, as the sign-in page receives it in its query. */
export const SingleSignOnCode = Schema.Literal(
  "oidc_not_configured",
  "oidc_provider_unavailable",
  "oidc_cancelled",
  "oidc_state_invalid",
  "oidc_code_rejected",
  "oidc_email_not_verified",
  "oidc_domain_not_allowed",
  "oidc_not_a_member",
  "oidc_account_linked",
  "account_disabled"
)
export type SingleSignOnCode = typeof SingleSignOnCode.Type

/** What the sign-in page offers. */
export const SignInOptions = record(
  "SignInOptions",
  {
    enabled: field(Schema.Boolean, "Whether people can sign in by an OpenID Connect provider."),
    name: nullable(Schema.String, "What the provider is called; null without one."),
    passwords: field(Schema.Boolean, "Whether people can sign in with a password.")
  },
  { enabled: true, name: "Example Accounts", passwords: true }
)

export const StartSingleSignOn = closed({
  return_to: optional(
    text(1, 1000),
    "Path of the web app to open once signed in; anything but a path of this site opens the start page."
  )
})

export type SignInOptions = typeof SignInOptions.Type

export class PasswordsDisabled extends forbidden("PasswordsDisabled", "passwords_disabled") {}
