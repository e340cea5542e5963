import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { checkHost, cookieNames, EdgeSettings } from "../services/access/incomingCall.ts"
import type { SingleSignOnRejected } from "../services/people/ProviderAccounts.ts"
import { roundTrip, SingleSignOn } from "../services/people/SingleSignOn.ts"
import { factsOf } from "../services/support/RequestFacts.ts"
import { Api } from "./Api.ts"
import { group } from "./group.ts"
import { cookieOptions } from "./sessionCookies.ts"
import { signIns } from "./signIns.ts"

const redirect = (location: string) => HttpServerResponse.empty({ status: 302, headers: { location } })

export const SingleSignOnHandlers = group(
  Api,
  "single-sign-on",
  Effect.fnUntraced(function* (handlers) {
    const singleSignOn = yield* SingleSignOn
    const settings = yield* EdgeSettings
    const { cookies, originOf } = yield* signIns
    const { signOn: pendingCookie } = cookieNames(settings)
    const cookie = cookieOptions(settings, "/api/session/oidc")

    const fromOwnHost = Effect.tap(HttpServerRequest.HttpServerRequest, (request) => checkHost(request, settings))

    /** The person learns the code, the log why. */
    const rejectedPage = ({ code, reason }: SingleSignOnRejected) =>
      Effect.gen(function* () {
        const { address } = originOf(yield* HttpServerRequest.HttpServerRequest)
        yield* Effect.annotateLogs(Effect.logWarning("Sign-in rejected."), { method: "oidc", address, code, reason })
        return redirect(`/sign-in?error=${code}`)
      })

    return handlers
      .handle("read", () => singleSignOn.options)
      .handle("start", ({ urlParams }) =>
        Effect.gen(function* () {
          yield* fromOwnHost
          const { url, sealed } = yield* singleSignOn.start(urlParams.return_to)
          return HttpServerResponse.unsafeSetCookie(redirect(url), pendingCookie, sealed, {
            ...cookie,
            maxAge: roundTrip
          })
        }).pipe(Effect.catchTag("SingleSignOnRejected", rejectedPage))
      )
      .handle("finish", () =>
        Effect.gen(function* () {
          const request = yield* fromOwnHost
          const origin = originOf(request)
          const { searchParams } = new URL(request.url, "http://host.invalid")
          const { session, return_to } = yield* singleSignOn.finish(
            searchParams,
            request.cookies[pendingCookie],
            origin
          )
          const actor = `user ${session.info.user.email}`
          factsOf(request.source).actor = actor
          yield* Effect.annotateLogs(Effect.logInfo("Signed in."), { actor, method: "oidc", address: origin.address })
          return cookies
            .opened(redirect(return_to), session)
            .pipe(HttpServerResponse.unsafeSetCookie(pendingCookie, "", { ...cookie, maxAge: 0 }))
        }).pipe(Effect.catchTag("SingleSignOnRejected", rejectedPage))
      )
  })
)
