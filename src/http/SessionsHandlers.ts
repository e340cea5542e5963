import { HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { cookieNames, EdgeSettings } from "../services/access/incomingCall.ts"
import { Sessions } from "../services/access/Sessions.ts"
import { Api } from "./Api.ts"
import { group } from "./group.ts"
import { signIns } from "./signIns.ts"

export const SessionsHandlers = group(
  Api,
  "sessions",
  Effect.fnUntraced(function* (handlers) {
    const sessions = yield* Sessions
    const { session: sessionCookie } = cookieNames(yield* EdgeSettings)
    const { cookies, fromOwnSite, logged, answer } = yield* signIns

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
