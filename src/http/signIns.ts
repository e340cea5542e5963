import { HttpServerRequest } from "@effect/platform"
import { Effect } from "effect"
import type { ApiError } from "../schema/ApiError.ts"
import { CsrfRejected } from "../schema/Errors.ts"
import { SessionInfo } from "../schema/Session.ts"
import { addressOf, checkHost, cookieNames, EdgeSettings, isSameOrigin } from "../services/access/incomingCall.ts"
import type { OpenedSession, SignInOrigin } from "../services/access/Sessions.ts"
import { factsOf } from "../services/support/RequestFacts.ts"
import { sessionCookies } from "./sessionCookies.ts"
import { respond } from "./wire.ts"

type Request = HttpServerRequest.HttpServerRequest

/** What all ways to sign in share: where from, the record in the log, and the response with the session's cookies. */
export const signIns = Effect.map(EdgeSettings, (settings) => {
  const cookies = sessionCookies(settings)

  // Another site must not sign a visitor in to an account of its choice.
  const fromOwnSite = Effect.tap(HttpServerRequest.HttpServerRequest, (request) => checkHost(request, settings)).pipe(
    Effect.filterOrFail(isSameOrigin, () => new CsrfRejected({ message: "Sign in from the site itself." }))
  )

  const originOf = (request: Request): SignInOrigin => ({
    address: addressOf(request, settings.trustedProxies),
    device: request.cookies[cookieNames(settings).device]
  })

  const logged = <E extends ApiError>(
    request: Request,
    method: "password" | "link" | "invitation",
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

  return { cookies, fromOwnSite, originOf, logged, answer }
})
