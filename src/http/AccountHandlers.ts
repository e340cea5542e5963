import type { HttpServerRequest } from "@effect/platform"
import { Effect, Option } from "effect"
import { CsrfRejected } from "../schema/Errors.ts"
import { cookieNames, EdgeSettings } from "../services/access/incomingCall.ts"
import { Sessions } from "../services/access/Sessions.ts"
import { Account } from "../services/people/Account.ts"
import { Invitations } from "../services/people/Invitations.ts"
import { LinkRequests } from "../services/people/LinkRequests.ts"
import { Api } from "./Api.ts"
import { group } from "./group.ts"
import { signIns } from "./signIns.ts"

type Request = HttpServerRequest.HttpServerRequest

export const AccountHandlers = group(
  Api,
  "account",
  Effect.fnUntraced(function* (handlers) {
    const account = yield* Account
    const sessions = yield* Sessions
    const invitations = yield* Invitations
    const links = yield* LinkRequests
    const { session: sessionCookie } = cookieNames(yield* EdgeSettings)
    const { fromOwnSite, originOf, logged, answer } = yield* signIns

    const infoOf = (request: Request) => sessions.read(request.cookies[sessionCookie] ?? "")

    // Someone signed in joins with that account: like any other change it needs the token of the session.
    const signedInAs = (request: Request) =>
      sessions.resolve(request.cookies[sessionCookie] ?? "").pipe(
        Effect.option,
        Effect.tap((session) =>
          Option.isSome(session) && request.headers["x-assay-csrf"] !== session.value.csrf_token
            ? Effect.fail(
                new CsrfRejected({ message: "Signed in, this needs the header X-Assay-CSRF of the session." })
              )
            : Effect.void
        ),
        Effect.map(Option.getOrNull)
      )

    return handlers
      .handle("acceptInvitation", ({ payload }) =>
        Effect.gen(function* () {
          const request = yield* fromOwnSite
          const session = yield* signedInAs(request)
          const accept = logged(request, "invitation", (origin) => invitations.accept(payload, origin, session))
          return yield* Effect.flatMap(accept, answer)
        })
      )
      .handle("requestLink", ({ payload }) =>
        Effect.flatMap(fromOwnSite, (request) => links.request(payload, originOf(request)))
      )
      .handle("workspaces", () => account.workspaces())
      .handle("switchWorkspace", ({ payload, request }) =>
        Effect.zipRight(account.switchTo(payload), Effect.orDie(infoOf(request)))
      )
      .handle("sessions", () => account.list())
      .handle("endSession", ({ path }) => account.end(path.session_id))
      .handle("changePassword", ({ payload, request }) => account.changePassword(payload, originOf(request)))
      .handle("updateProfile", ({ payload, request }) =>
        Effect.zipRight(account.updateProfile(payload), Effect.orDie(infoOf(request)))
      )
  })
)
