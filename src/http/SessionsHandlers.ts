import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Duration, Effect } from "effect"
import type { ApiError } from "../schema/ApiError.ts"
import { CsrfRejected } from "../schema/Errors.ts"
import { SessionInfo } from "../schema/Session.ts"
import { addressOf, EdgeSettings, isSameOrigin, sessionCookie } from "../services/access/incomingCall.ts"
import { type OpenedSession, Sessions, sessionLifetime } from "../services/access/Sessions.ts"
import { factsOf } from "../services/support/RequestFacts.ts"
import { Api } from "./Api.ts"
import { group } from "./group.ts"
import { respond } from "./wire.ts"

export const SessionsHandlers = group(
  Api,
  "sessions",
  Effect.fnUntraced(function* (handlers) {
    const sessions = yield* Sessions
    const settings = yield* EdgeSettings
    const cookie = { httpOnly: true, sameSite: "lax", path: "/", secure: settings.secureCookies } as const

    // Another site must not sign a visitor in to an account of its choice.
    const fromOwnSite = Effect.filterOrFail(
      HttpServerRequest.HttpServerRequest,
      isSameOrigin,
      () => new CsrfRejected({ message: "Sign in from the site itself." })
    )
    const logged = <E extends ApiError>(
      request: HttpServerRequest.HttpServerRequest,
      method: "password" | "link",
      signIn: (address: string | null) => Effect.Effect<OpenedSession, E>
    ) => {
      const address = addressOf(request, settings.trustedProxies)
      return signIn(address).pipe(
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
    const answer = ({ token, info }: OpenedSession) =>
      Effect.map(
        respond(SessionInfo, info),
        HttpServerResponse.unsafeSetCookie(sessionCookie, token, {
          ...cookie,
          maxAge: Duration.seconds(Duration.toSeconds(sessionLifetime))
        })
      )

    return handlers
      .handle("signIn", ({ payload }) =>
        Effect.flatMap(fromOwnSite, (request) =>
          Effect.flatMap(
            logged(request, "password", (address) => sessions.signIn(payload, address)),
            answer
          )
        )
      )
      .handle("useLink", ({ payload }) =>
        Effect.flatMap(fromOwnSite, (request) =>
          Effect.flatMap(
            logged(request, "link", (address) => sessions.signInByLink(payload, address)),
            answer
          )
        )
      )
      .handle("read", ({ request }) => sessions.read(request.cookies[sessionCookie] ?? ""))
      .handle("signOut", () =>
        Effect.as(
          sessions.signOut(),
          HttpServerResponse.unsafeSetCookie(HttpServerResponse.empty({ status: 204 }), sessionCookie, "", {
            ...cookie,
            maxAge: 0
          })
        )
      )
  })
)
