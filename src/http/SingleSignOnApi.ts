import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { UnknownHost } from "../schema/Errors.ts"
import { singleSignOn } from "../schema/operations/index.ts"
import { TooManySignIns } from "../schema/Session.ts"
import { SignInOptions, SingleSignOnCode, StartSingleSignOn } from "../schema/SingleSignOn.ts"
import { SignInLimit } from "./SignInLimit.ts"
import { onWire, serves } from "./wire.ts"

const codes = SingleSignOnCode.literals.map((code) => `\`${code}\``).join(", ")

const Redirect = HttpApiSchema.Empty(302)

/** Signing in by an OpenID Connect provider. A browser is sent through these routes; programs have API keys. */
export const SingleSignOnApi = HttpApiGroup.make("single-sign-on")
  .annotate(OpenApi.Description, "Sign in from a browser by an OpenID Connect provider.")
  .add(
    HttpApiEndpoint.get("read", "/api/session/oidc")
      .annotateContext(serves(singleSignOn.readSignInOptions))
      .addSuccess(SignInOptions)
  )
  .add(
    HttpApiEndpoint.get("start", "/api/session/oidc/start")
      .annotateContext(
        serves(
          singleSignOn.startSingleSignOn,
          "Redirects to the provider (authorization code flow with PKCE), and sets the cookie `assay_oidc`, with which this browser can come back within 10 minutes. Where that is not possible it redirects to `/sign-in?error=<code>`."
        )
      )
      .setUrlParams(StartSingleSignOn)
      .middleware(SignInLimit)
      .addSuccess(Redirect)
      .addError(onWire(TooManySignIns, UnknownHost))
  )
  .add(
    HttpApiEndpoint.get("finish", "/api/session/oidc/callback")
      .annotateContext(
        serves(
          singleSignOn.finishSingleSignOn,
          `The redirect address to register at the provider. Exchanges the code, sets the cookie \`assay_session\` and redirects into the web app; or redirects to \`/sign-in?error=<code>\`, with one of ${codes}.`
        )
      )
      .middleware(SignInLimit)
      .addSuccess(Redirect)
      .addError(onWire(TooManySignIns, UnknownHost))
  )
