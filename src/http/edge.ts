import type { IncomingMessage } from "node:http"
import { HttpApiBuilder, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Cause, Chunk, Effect, FiberRef, HashMap, Layer } from "effect"
import { type ApiError, isApiError } from "../schema/ApiError.ts"
import {
  BadRequest,
  DatabaseUnavailable,
  InternalError,
  LoneSurrogate,
  MethodNotAllowed,
  NulByte,
  RouteNotFound
} from "../schema/Errors.ts"
import { addressOf, EdgeSettings } from "../services/access/incomingCall.ts"
import { enterRequestReach } from "../services/access/Reach.ts"
import { type Call, CurrentCall } from "../services/support/CurrentCall.ts"
import { isDatabaseUnavailable } from "../services/support/DatabaseFailure.ts"
import { factsOf, type RequestFacts } from "../services/support/RequestFacts.ts"
import { RequestId } from "../services/support/RequestId.ts"
import { enter } from "../services/support/requestStatements.ts"
import { compressedJson } from "./compression.ts"
import { middleware } from "./leanContext.ts"
import { type RouteTable, routeTable } from "./routeTable.ts"
import { dataHeaders, envelope, strictTransport } from "./wire.ts"

/** Every unsuccessful request ends here: one envelope, one request ID in body and header. */
export const edge = middleware(
  Effect.gen(function* () {
    const { router } = yield* HttpApiBuilder.Router
    const { trustedProxies, secureCookies } = yield* EdgeSettings
    const headers = secureCookies ? { ...dataHeaders, ...strictTransport } : dataHeaders
    // Called late: layers that are built after this one add their routes, too.
    const routes = yield* Effect.cached(Effect.map(router, routeTable))
    return (app) =>
      Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
        const facts = factsOf(request.source)
        const { requestId } = facts
        const call: Call = { requestId, operation: null, address: addressOf(request, trustedProxies) }
        return enterRequestReach.pipe(
          Effect.zipRight(enter(RequestId, requestId)),
          Effect.zipRight(enter(CurrentCall, call)),
          Effect.zipRight(
            FiberRef.update(FiberRef.currentLogAnnotations, HashMap.set("request_id", requestId as unknown))
          ),
          Effect.zipRight(requestProblem(request)),
          Effect.zipRight(app),
          Effect.catchAllCause((cause) => {
            if (Cause.isInterruptedOnly(cause)) return Effect.failCause(cause as Cause.Cause<never>)
            return Effect.flatMap(routes, (table) => errorResponse(cause, request, table, requestId))
          }),
          Effect.tap((response) => noteRoute(request, response, facts, routes)),
          Effect.map((response) =>
            HttpServerResponse.setHeaders(response, {
              ...headers,
              ...response.headers,
              ...facts.headers,
              "x-request-id": requestId
            })
          ),
          Effect.flatMap(compressedJson)
        )
      })
  })
).pipe(Layer.provide(HttpApiBuilder.Router.Live))

/** The guard notes the routes of its operations; others, such as sign-ins and pages, are looked up here. */
const noteRoute = (
  request: HttpServerRequest.HttpServerRequest,
  response: HttpServerResponse.HttpServerResponse,
  facts: RequestFacts,
  routes: Effect.Effect<RouteTable>
) => {
  facts.isStream = response.body._tag === "Stream"
  if (facts.route !== null) return Effect.void
  return Effect.map(routes, ({ patternOf }) => {
    // Names of assets change with their content.
    facts.route = patternOf(request.url)?.replace(/^\/assets\/.+/, "/assets/:name") ?? null
  })
}

const errorResponse = (
  cause: Cause.Cause<unknown>,
  request: HttpServerRequest.HttpServerRequest,
  table: RouteTable,
  requestId: string
) => {
  const error = errorOf(cause, request, table)
  const response = envelope(error, requestId)
  // Declared errors are not logged, whatever their status: a remote that is down is not our defect.
  const isDeclared = Chunk.some(Cause.failures(cause), isApiError)
  return error.spec.status >= 500 && !isDeclared
    ? Effect.as(Effect.logError("request failed", cause), response)
    : Effect.succeed(response)
}

const requestProblem = ({
  source,
  url
}: HttpServerRequest.HttpServerRequest): Effect.Effect<void, BadRequest | NulByte | LoneSurrogate> => {
  const { headers, httpVersion } = source as IncomingMessage
  if (headers.host === undefined && httpVersion === "1.1") {
    return Effect.fail(new BadRequest({ message: "A request needs the header Host." }))
  }
  return urlProblem(url)
}

// Text that PostgreSQL cannot store is rejected in URLs, too; the router would turn it into odd 404s.
const urlProblem = (url: string): Effect.Effect<void, NulByte | LoneSurrogate> => {
  if (/%00/.test(url)) return Effect.fail(new NulByte({ message: "NUL (U+0000) is not allowed in the address." }))
  if (/%ed%[ab]/i.test(url)) {
    return Effect.fail(new LoneSurrogate({ message: "An unpaired surrogate is not allowed in the address." }))
  }
  return Effect.void
}

const errorOf = (
  cause: Cause.Cause<unknown>,
  request: HttpServerRequest.HttpServerRequest,
  table: RouteTable
): ApiError => {
  const errors = [...Chunk.toReadonlyArray(Cause.failures(cause)), ...Chunk.toReadonlyArray(Cause.defects(cause))]
  const known = errors.find(isApiError)
  if (known !== undefined) return known
  for (const error of errors) {
    if (isTagged(error, "RouteNotFound")) return unknownRoute(request, table)
  }
  if (errors.some(isDatabaseUnavailable)) {
    return new DatabaseUnavailable({ message: "The database cannot be reached right now.", retryAfterSeconds: 5 })
  }
  return new InternalError({ message: "Something went wrong on our side; the request id finds it in the log." })
}

const unknownRoute = (request: HttpServerRequest.HttpServerRequest, table: RouteTable): ApiError => {
  const allow = table.methodsOf(request.url)
  // The router also finds no route for a name that is too long or badly escaped.
  return allow.length === 0 || allow.some((method) => method === request.method)
    ? new RouteNotFound({ message: "Not found." })
    : new MethodNotAllowed({ message: `${request.method} is not served here.`, allow })
}

const isTagged = (u: unknown, tag: string): boolean =>
  typeof u === "object" && u !== null && "_tag" in u && u._tag === tag
