import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import {
  ChangePassword,
  OwnSessionNotFound,
  OwnSessions,
  OwnWorkspaceNotFound,
  OwnWorkspaces,
  RequestLink,
  SessionPath,
  SwitchWorkspace,
  UpdateProfile,
  WrongPassword
} from "../schema/Account.ts"
import {
  CsrfRejected,
  InvalidSession,
  UnknownHost,
  UnsupportedMediaType,
  WorkspaceSuspended
} from "../schema/Errors.ts"
import { AcceptInvitation } from "../schema/Member.ts"
import { sessions } from "../schema/operations/index.ts"
import { SessionInfo, TooManySignIns } from "../schema/Session.ts"
import { PasswordsDisabled } from "../schema/SingleSignOn.ts"
import { Authorization } from "./Authorization.ts"
import { SignInLimit } from "./SignInLimit.ts"
import { onWire, serves } from "./wire.ts"

/** What people do with their own account. */
export const AccountApi = HttpApiGroup.make("account")
  .annotate(OpenApi.Description, "The signed-in user's own account: password, profile, sessions and workspaces.")
  .add(
    HttpApiEndpoint.post("acceptInvitation", "/api/session/invitation")
      .annotateContext(
        serves(
          sessions.acceptInvitation,
          "Joins the workspace of an invitation and signs in to it. An address without an account gets one, with the password and name that are sent. The user of an existing account has to be signed in to it: without that the response is 401 with `details.sign_in_first`, and the invitation stays open."
        )
      )
      .setPayload(AcceptInvitation)
      .middleware(SignInLimit)
      .addSuccess(SessionInfo)
      .addError(
        onWire(
          InvalidSession,
          WorkspaceSuspended,
          PasswordsDisabled,
          TooManySignIns,
          UnknownHost,
          CsrfRejected,
          UnsupportedMediaType
        )
      )
  )
  .add(
    HttpApiEndpoint.post("requestLink", "/api/session/link-request")
      .annotateContext(
        serves(
          sessions.requestLink,
          "Sends the user of an account a one-time sign-in link by e-mail, for example to set a new password. The response is the same whether there is such an account or not."
        )
      )
      .setPayload(RequestLink)
      .middleware(SignInLimit)
      .addSuccess(HttpApiSchema.Empty(202))
      .addError(onWire(PasswordsDisabled, TooManySignIns, UnknownHost, CsrfRejected, UnsupportedMediaType))
  )
  .add(
    HttpApiEndpoint.get("workspaces", "/api/session/workspaces")
      .annotateContext(serves(sessions.listWorkspaces))
      .addSuccess(OwnWorkspaces)
      .middleware(Authorization)
  )
  .add(
    HttpApiEndpoint.post("switchWorkspace", "/api/session/workspace")
      .annotateContext(
        serves(
          sessions.switchWorkspace,
          "Switches the session to another workspace of the user. The session body has a new `csrf_token`, so that pages of the previous workspace change nothing in this one."
        )
      )
      .setPayload(SwitchWorkspace)
      .addSuccess(SessionInfo)
      .addError(onWire(OwnWorkspaceNotFound))
      .middleware(Authorization)
  )
  .add(
    HttpApiEndpoint.get("sessions", "/api/session/sessions")
      .annotateContext(serves(sessions.listSessions))
      .addSuccess(OwnSessions)
      .middleware(Authorization)
  )
  .add(
    HttpApiEndpoint.del("endSession", "/api/session/sessions/:session_id")
      .annotateContext(serves(sessions.endSession))
      .setPath(SessionPath)
      .addSuccess(HttpApiSchema.NoContent)
      .addError(onWire(OwnSessionNotFound))
      .middleware(Authorization)
  )
  .add(
    HttpApiEndpoint.put("changePassword", "/api/session/password")
      .annotateContext(
        serves(
          sessions.changePassword,
          "Replaces the password of the signed-in user, who sends the present one. All other sessions and open sign-in links of the user end. Wrong passwords are limited together with failed sign-ins."
        )
      )
      .setPayload(ChangePassword)
      .addSuccess(HttpApiSchema.NoContent)
      .addError(onWire(WrongPassword, PasswordsDisabled, TooManySignIns))
      .middleware(Authorization)
  )
  .add(
    HttpApiEndpoint.patch("updateProfile", "/api/session/profile")
      .annotateContext(serves(sessions.updateProfile))
      .setPayload(UpdateProfile)
      .addSuccess(SessionInfo)
      .middleware(Authorization)
  )
