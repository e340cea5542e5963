import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "@effect/platform"
import { CsrfRefused, InvalidSession, UnsupportedMediaType } from "../schema/Errors.ts"
import { sessions } from "../schema/operations/index.ts"
import {
  SessionInfo,
  SignIn,
  SignInLinkRefused,
  SignInRefused,
  TooManySignIns,
  UseSignInLink
} from "../schema/Session.ts"
import { Authorization } from "./Authorization.ts"
import { onWire, serves } from "./wire.ts"

/** Signing in from a browser; these routes answer with or need the cookie `assay_session`. */
export const SessionsApi = HttpApiGroup.make("sessions")
  .add(
    HttpApiEndpoint.post("signIn", "/api/session")
      .annotateContext(serves(sessions.signIn))
      .setPayload(SignIn)
      .addSuccess(SessionInfo)
      .addError(onWire(SignInRefused))
      .addError(onWire(TooManySignIns))
      .addError(onWire(CsrfRefused))
      .addError(onWire(UnsupportedMediaType))
  )
  .add(
    HttpApiEndpoint.post("useLink", "/api/session/link")
      .annotateContext(serves(sessions.useSignInLink))
      .setPayload(UseSignInLink)
      .addSuccess(SessionInfo)
      .addError(onWire(SignInLinkRefused))
      .addError(onWire(TooManySignIns))
      .addError(onWire(CsrfRefused))
      .addError(onWire(UnsupportedMediaType))
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
