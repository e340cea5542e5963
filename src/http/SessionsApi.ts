import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { CsrfRejected, InvalidSession, UnsupportedMediaType } from "../schema/Errors.ts"
import { sessions } from "../schema/operations/index.ts"
import {
  InvalidCredentials,
  InvalidSignInLink,
  SessionInfo,
  SignIn,
  TooManySignIns,
  UseSignInLink
} from "../schema/Session.ts"
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
          "Signs in and sets the cookie `assay_session`. Attempts are limited per account and per IP address; `Retry-After` is the time to wait."
        )
      )
      .setPayload(SignIn)
      .middleware(SignInLimit)
      .addSuccess(SessionInfo)
      .addError(onWire(InvalidCredentials, TooManySignIns, CsrfRejected, UnsupportedMediaType))
  )
  .add(
    HttpApiEndpoint.post("useLink", "/api/session/link")
      .annotateContext(
        serves(
          sessions.useSignInLink,
          "Signs in with a one-time link, which it uses up, and sets the cookie `assay_session`."
        )
      )
      .setPayload(UseSignInLink)
      .middleware(SignInLimit)
      .addSuccess(SessionInfo)
      .addError(onWire(InvalidSignInLink, TooManySignIns, CsrfRejected, UnsupportedMediaType))
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
