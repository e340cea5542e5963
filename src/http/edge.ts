import type { HttpApi, HttpApiGroup } from "@effect/platform"
import {
  HttpApiBuilder,
  HttpApiError,
  HttpApi as HttpApiModule,
  HttpServerRequest,
  HttpServerResponse
} from "@effect/platform"
import { Cause, Chunk, Effect } from "effect"
import { v7 } from "uuid"
import { type ApiError, isApiError } from "../schema/ApiError.ts"
import {
  DatabaseUnavailable,
  InternalError,
  LoneSurrogate,
  MethodNotAllowed,
  NulByte,
  RouteNotFound
} from "../schema/Errors.ts"
import { isDatabaseUnavailable } from "../services/support/DatabaseFailure.ts"
import { invalidPayload } from "../services/support/invalidPayload.ts"
import { RequestId } from "../services/support/RequestId.ts"
import { withJsonReader } from "./requestBody.ts"
import { envelope } from "./wire.ts"

const newRequestId = () => `req_${v7().replaceAll("-", "")}`

/** Every unsuccessful request ends here: one envelope, one request ID in body and header. */
export const edge = <Id extends string, Groups extends HttpApiGroup.HttpApiGroup.Any, E, R>(
  api: HttpApi.HttpApi<Id, Groups, E, R>
) => {
  const methods = routesOf(api)
  return HttpApiBuilder.middleware((app) =>
    Effect.suspend(() => {
      const requestId = newRequestId()
      return Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
        urlProblem(request.url).pipe(
          Effect.zipRight(Effect.updateService(app, HttpServerRequest.HttpServerRequest, withJsonReader)),
          Effect.catchAllCause((cause) => {
            if (Cause.isInterruptedOnly(cause)) return Effect.failCause(cause as Cause.Cause<never>)
            const error = errorOf(cause, request, methods)
            const response = envelope(error, requestId)
            // Declared errors are not logged, whatever their status: a remote that is down is not our defect.
            const isDeclared = Chunk.some(Cause.failures(cause), isApiError)
            return error.spec.status >= 500 && !isDeclared
              ? Effect.as(Effect.logError("request failed", cause), response)
              : Effect.succeed(response)
          }),
          Effect.provideService(RequestId, requestId),
          Effect.annotateLogs({ request_id: requestId }),
          Effect.map(HttpServerResponse.setHeader("x-request-id", requestId))
        )
      )
    })
  )
}

// Text that PostgreSQL cannot store is rejected in URLs, too; the router would turn it into odd 404s.
const urlProblem = (url: string): Effect.Effect<void, NulByte | LoneSurrogate> => {
  if (/%00/.test(url)) return Effect.fail(new NulByte({ message: "NUL (U+0000) is not allowed in the address." }))
  if (/%ed%[ab]/i.test(url)) {
    return Effect.fail(new LoneSurrogate({ message: "An unpaired surrogate is not allowed in the address." }))
  }
  return Effect.void
}

type Routes = ReadonlyArray<{ readonly method: string; readonly pattern: RegExp }>

const routesOf = <Id extends string, Groups extends HttpApiGroup.HttpApiGroup.Any, E, R>(
  api: HttpApi.HttpApi<Id, Groups, E, R>
): Routes => {
  const routes: Array<{ readonly method: string; readonly pattern: RegExp }> = []
  HttpApiModule.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => {
      routes.push({ method: endpoint.method, pattern: new RegExp(`^${endpoint.path.replace(/:\w+/g, "[^/]+")}$`) })
    }
  })
  return routes
}

const errorOf = (
  cause: Cause.Cause<unknown>,
  request: HttpServerRequest.HttpServerRequest,
  routes: Routes
): ApiError => {
  const errors = [...Chunk.toReadonlyArray(Cause.failures(cause)), ...Chunk.toReadonlyArray(Cause.defects(cause))]
  const known = errors.find(isApiError)
  if (known !== undefined) return known
  for (const error of errors) {
    if (error instanceof HttpApiError.HttpApiDecodeError) return invalidPayload(error.issues)
    if (isTagged(error, "RouteNotFound")) return unknownRoute(request, routes)
  }
  if (errors.some(isDatabaseUnavailable)) {
    return new DatabaseUnavailable({ message: "The database cannot be reached right now.", retryAfterSeconds: 5 })
  }
  return new InternalError({ message: "Something went wrong on our side; the request id finds it in the log." })
}

const unknownRoute = (request: HttpServerRequest.HttpServerRequest, routes: Routes): ApiError => {
  const path = request.url.split("?")[0] ?? ""
  const allow = [...new Set(routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))]
  // The router also finds no route for a name that is too long or badly escaped.
  return allow.length === 0 || allow.some((method) => method === request.method)
    ? new RouteNotFound({ message: "Not found." })
    : new MethodNotAllowed({ message: `${request.method} is not served here.`, allow })
}

const isTagged = (u: unknown, tag: string): boolean =>
  typeof u === "object" && u !== null && "_tag" in u && u._tag === tag
