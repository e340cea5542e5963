import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import type { ApiError } from "../schema/ApiError.ts"
import { CsrfRejected } from "../schema/Errors.ts"
import { SessionInfo } from "../schema/Session.ts"
import {
  addressOf,
  checkHost,
  deviceCookie,
  EdgeSettings,
  isSameOrigin,
  sessionCookie
} from "../services/access/incomingCall.ts"
import { type OpenedSession, Sessions, type SignInOrigin } from "../services/access/Sessions.ts"
import { factsOf } from "../services/support/RequestFacts.ts"
import { Api } from "./Api.ts"
import { group } from "./group.ts"
import { sessionCookies } from "./sessionCookies.ts"
import { respond } from "./wire.ts"

export const SessionsHandlers = group(
  Api,
  "sessions",
  Effect.fnUntraced(function* (handlers) {
    const sessions = yield* Sessions
    const settings = yield* EdgeSettings
    const cookies = sessionCookies(settings)

    // Another site must not sign a visitor in to an account of its choice.
    const fromOwnSite = Effect.tap(HttpServerRequest.HttpServerRequest, (request) => checkHost(request, settings)).pipe(
      Effect.filterOrFail(isSameOrigin, () => new CsrfRejected({ message: "Sign in from the site itself." }))
    )
    const originOf = (request: HttpServerRequest.HttpServerRequest): SignInOrigin => ({
      address: addressOf(request, settings.trustedProxies),
      device: request.cookies[deviceCookie]
    })
    const logged = <E extends ApiError>(
      request: HttpServerRequest.HttpServerRequest,
      method: "password" | "link",
      signIn: (origin: SignInOrigin) => Effect.Effect<OpenedSession, E>
    ) => {
      const origin = originOf(request)
      const { address } = origin
      return signIn(origin).pipe(
        Effect.tap(({ info }) => {
          const actor = `user ${info.user.email}`
          factsOf(request.source).actor = actor
          return Effect.annotateLogs(Effect.logInfo("Signed in."), { actor, method, address })
        }),
        Effect.tapError(({ spec: { code } }) =>
          Effect.annotateLogs(Effect.logWarning("Sign-in rejected."), { method, address, code })
        )
      )
    }
    const answer = (session: OpenedSession) =>
      Effect.map(respond(SessionInfo, session.info), (response) => cookies.opened(response, session))

    return handlers
      .handle("signIn", ({ payload }) =>
        Effect.flatMap(fromOwnSite, (request) =>
          Effect.flatMap(
            logged(request, "password", (origin) => sessions.signIn(payload, origin)),
            answer
          )
        )
      )
      .handle("useLink", ({ payload }) =>
        Effect.flatMap(fromOwnSite, (request) =>
          Effect.flatMap(
            logged(request, "link", (origin) => sessions.signInByLink(payload, origin)),
            answer
          )
        )
      )
      .handle("read", ({ request }) => sessions.read(request.cookies[sessionCookie] ?? ""))
      .handle("signOutElsewhere", () => sessions.signOutElsewhere())
      .handle("signOut", () => Effect.as(sessions.signOut(), cookies.ended(HttpServerResponse.empty({ status: 204 }))))
  })
)
