/** What the page says when the provider sent a person back without signing them in, by the code in its address. */
const messages: Readonly<Record<string, string>> = {
  oidc_not_configured: "This installation has no sign-in provider. Sign in with your password.",
  oidc_provider_unavailable: "The sign-in provider does not answer. Try again in a minute.",
  oidc_cancelled: "The sign-in was cancelled, or the provider does not let you in.",
  oidc_state_invalid: "This sign-in took too long or was used before. Start again.",
  oidc_code_rejected: "The sign-in could not be verified. Start again; if that does not help, ask your administrator.",
  oidc_email_not_verified: "The provider has not verified your e-mail address. Verify it there, then start again.",
  oidc_domain_not_allowed: "E-mail addresses of your domain may not sign in here.",
  oidc_not_a_member: "You are not a member of a workspace. Ask an administrator for an invitation.",
  oidc_account_linked:
    "The account of your e-mail address belongs to someone else at the provider. Ask your administrator.",
  account_disabled: "Your account is disabled. Ask your administrator."
}

export const providerError = (code: string): string => messages[code] ?? "Signing in did not work. Start again."
