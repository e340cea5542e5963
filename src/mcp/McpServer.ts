import type { IncomingMessage } from "node:http"
import { HttpApiBuilder, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import type { ApiError } from "../schema/ApiError.ts"
import { InvalidApiKey, MethodNotAllowed, WorkspaceSuspended } from "../schema/Errors.ts"
import { nameOf } from "../services/access/Caller.ts"
import { Guard, type Identity } from "../services/access/Guard.ts"
import {
  credentialsOf,
  EdgeSettings,
  isKnownHost,
  isSameOrigin,
  rateHeaders,
  rateHeadersOf
} from "../services/access/incomingCall.ts"
import { readJson } from "../services/support/jsonBody.ts"
import { factsOf, noteHeaders } from "../services/support/RequestFacts.ts"
import {
  errorCodes,
  errorResponseOf,
  type JsonText,
  type Message,
  RpcError,
  readMessage,
  responseOf
} from "./JsonRpc.ts"
import { McpMethods } from "./McpMethods.ts"
import type { Headers, Revision } from "./Revision.ts"
import { revision2026, speaks2026 } from "./revision2026.ts"
import { revisions2025 } from "./revisions2025.ts"

const path = "/mcp/"

const endpointBucket = { name: "mcp", rpm: 60 }

/** `POST /mcp/`: stateless streamable HTTP, every response one JSON document; all revisions on one endpoint. */
export const McpServer = HttpApiBuilder.Router.use((router) =>
  Effect.gen(function* () {
    const guard = yield* Guard
    const settings = yield* EdgeSettings
    const methods = yield* McpMethods
    const revisions = { in2025: revisions2025(methods), in2026: revision2026(methods) }

    const admit = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
      // Agents use API keys; a browser session is not accepted.
      const identity = yield* guard
        .identify({ ...credentialsOf(request, settings), sessionToken: undefined })
        .pipe(Effect.mapError(withoutSuspension))
      const facts = factsOf(request.source)
      facts.actor = nameOf(identity.caller)
      facts.workspace = identity.caller.workspace_id
      const rate = yield* guard
        .charge(identity, endpointBucket)
        .pipe(Effect.tapError((error) => noteHeaders(facts, rateHeadersOf(error))))
      facts.headers = rateHeaders(rate)
      // A used-up ceiling rejects every call, reads included.
      yield* guard.rejectWhenExhausted(identity)
      return identity
    })

    const serve = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      factsOf(request.source).route = path
      if (request.method !== "POST") {
        return yield* new MethodNotAllowed({
          message: "Send JSON-RPC with POST; streams are not served.",
          allow: ["POST"]
        })
      }
      if (!isKnownHost(request, settings)) return rejected(unknownHost)
      if (!isSameOrigin(request)) return rejected(foreignOrigin)
      const identity = yield* admit(request)
      return yield* respond(revisions, request, identity)
    })

    yield* router.all(path, serve)
    yield* router.all("/mcp", HttpServerResponse.redirect(path, { status: 307 }))
  })
)

// Only the REST API reports that a workspace is suspended.
const withoutSuspension = <E extends ApiError>(error: E) =>
  error instanceof WorkspaceSuspended ? new InvalidApiKey({ message: "This API key is not valid." }) : error

const httpError = (status: number, code: number, message: string) => new RpcError({ status, code, message })

const unknownHost = httpError(
  403,
  errorCodes.invalidRequest,
  "Host is not a name of this server; set ASSAY_PUBLIC_URL or ASSAY_ALLOWED_HOSTS to add one."
)
const foreignOrigin = httpError(403, errorCodes.invalidRequest, "Origin is not allowed.")
const notAcceptable = httpError(406, errorCodes.invalidHttp, "Accept must name application/json and text/event-stream.")
const notJson = httpError(415, errorCodes.invalidHttp, "Content-Type must be application/json.")

interface Revisions {
  readonly in2025: Revision
  readonly in2026: Revision
}

const respond = (revisions: Revisions, request: HttpServerRequest.HttpServerRequest, identity: Identity) =>
  bodyOf(request).pipe(
    Effect.flatMap(readMessage),
    Effect.matchEffect({
      onFailure: (error) => (error instanceof RpcError ? Effect.succeed(rejected(error)) : Effect.fail(error)),
      onSuccess: (message) => {
        const { in2025, in2026 } = revisions
        const revision = speaks2026(request.headers, message) ? in2026 : in2025
        return dispatch(revision, request.headers, message, identity)
      }
    })
  )

const bodyOf = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<unknown, ApiError | RpcError> => {
  const { accept = "", "content-type": contentType = "" } = request.headers
  if (!accept.includes("application/json") || !accept.includes("text/event-stream")) return Effect.fail(notAcceptable)
  if (!/^application\/json\s*(;|$)/i.test(contentType)) return Effect.fail(notJson)
  return Effect.catchTag(readJson(request.source as IncomingMessage), "BadRequest", ({ message }) =>
    Effect.fail(httpError(400, errorCodes.parseError, message))
  )
}

const dispatch = (revision: Revision, headers: Headers, message: Message, identity: Identity) => {
  const { id, method: name, params } = message
  const problem = revision.problemOf(headers, message)
  if (problem !== null) return Effect.succeed(rejected(problem, id))
  if (id === undefined) return Effect.succeed(HttpServerResponse.empty({ status: 202 }))
  const method = revision.methods.get(name)
  if (method === undefined) {
    const error = httpError(revision.statusOfUnknownMethod, errorCodes.methodNotFound, "Method not found")
    return Effect.succeed(rejected(error, id))
  }
  return Effect.match(method(params, identity), {
    onFailure: (error) => rejected(error, id),
    onSuccess: (result) => json(responseOf(id, result), 200)
  })
}

const rejected = (error: RpcError, id: Message["id"] | null = null) =>
  json(errorResponseOf(id ?? null, error), error.status ?? 200)

const json = (text: JsonText, status: number) =>
  HttpServerResponse.raw(text, {
    status,
    headers: { "content-type": "application/json", "content-length": String(Buffer.byteLength(text)) }
  })
