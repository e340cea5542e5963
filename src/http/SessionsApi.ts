import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { CsrfRejected, InvalidSession, UnknownHost, UnsupportedMediaType } from "../schema/Errors.ts"
import { sessions } from "../schema/operations/index.ts"
import {
  InvalidCredentials,
  InvalidSignInLink,
  SessionInfo,
  SignIn,
  TooManySignIns,
  UseSignInLink
} from "../schema/Session.ts"
import { PasswordsDisabled } from "../schema/SingleSignOn.ts"
import { Authorization } from "./Authorization.ts"
import { SignInLimit } from "./SignInLimit.ts"
import { onWire, serves } from "./wire.ts"

/** Signing in from a browser; these routes set or need the cookie `assay_session`. */
export const SessionsApi = HttpApiGroup.make("sessions")
  .annotate(OpenApi.Description, "Sign in from a browser.")
  .add(
    HttpApiEndpoint.post("signIn", "/api/session")
      .annotateContext(
        serves(
          sessions.signIn,
          "Signs in and sets the cookie `assay_session`. Failed attempts are limited, those of one account from one IP address and those from one IP address; `Retry-After` is the time to wait. A browser that signed in before is recognised by the cookie `assay_device` and limited by its own failures only."
        )
      )
      .setPayload(SignIn)
      .middleware(SignInLimit)
      .addSuccess(SessionInfo)
      .addError(
        onWire(InvalidCredentials, PasswordsDisabled, TooManySignIns, UnknownHost, CsrfRejected, UnsupportedMediaType)
      )
  )
  .add(
    HttpApiEndpoint.post("useLink", "/api/session/link")
      .annotateContext(
        serves(
          sessions.useSignInLink,
          "Signs in with a one-time link, which it uses up, and sets the cookie `assay_session`. A new password ends all other sessions and open links of the user."
        )
      )
      .setPayload(UseSignInLink)
      .middleware(SignInLimit)
      .addSuccess(SessionInfo)
      .addError(
        onWire(InvalidSignInLink, PasswordsDisabled, TooManySignIns, UnknownHost, CsrfRejected, UnsupportedMediaType)
      )
  )
  .add(
    HttpApiEndpoint.get("read", "/api/session")
      .annotateContext(serves(sessions.readSession))
      .addSuccess(SessionInfo)
      .addError(onWire(InvalidSession))
      .middleware(Authorization)
  )
  .add(
    HttpApiEndpoint.del("signOut", "/api/session")
      .annotateContext(serves(sessions.signOut))
      .addSuccess(HttpApiSchema.NoContent)
      .middleware(Authorization)
  )
  .add(
    HttpApiEndpoint.del("signOutElsewhere", "/api/session/sessions")
      .annotateContext(
        serves(sessions.signOutElsewhere, "Ends all sessions of the user, in every workspace, but this one.")
      )
      .addSuccess(HttpApiSchema.NoContent)
      .middleware(Authorization)
  )
