import { HttpApiBuilder, HttpApp, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import type { JSONRPCRequest } from "@modelcontextprotocol/sdk/types.js"
import { Effect } from "effect"
import type { ApiError } from "../schema/ApiError.ts"
import { BadRequest, InvalidApiKey, MethodNotAllowed, WorkspaceSuspended } from "../schema/Errors.ts"
import {
  credentialsOf,
  DoorSettings,
  isKnownHost,
  isSameOrigin,
  rateHeaders,
  rateHeadersOf
} from "../services/access/door.ts"
import { Guard, type Identity } from "../services/access/Guard.ts"
import { RequestId } from "../services/support/RequestId.ts"
import { type Called, McpMethods } from "./McpMethods.ts"
import { openHandler2026, revision2026, speaks2026 } from "./revision2026.ts"
import { openExchange2025, revisions2025 } from "./revisions2025.ts"

const endpointBucket = { name: "mcp", rpm: 60 }

/** JSON-RPC's own codes, and the SDK's for refusals of HTTP. */
const ParseError = -32700
const InvalidRequest = -32600
const InvalidParams = -32602
const InvalidHttp = -32000

/** `POST /mcp/`: stateless streamable HTTP, every answer one JSON document; all revisions on one endpoint. */
export const McpServer = HttpApiBuilder.Router.use((router) =>
  Effect.gen(function* () {
    const guard = yield* Guard
    const settings = yield* DoorSettings
    const methods = yield* McpMethods
    const exchanges = { in2025: yield* openExchange2025(methods), in2026: openHandler2026(methods) }

    const serve = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      if (request.method !== "POST") {
        return yield* new MethodNotAllowed({
          message: "Send JSON-RPC with POST; there is no stream here.",
          allow: ["POST"]
        })
      }
      if (!isKnownHost(request, settings)) {
        return refuse(403, InvalidRequest, "Host is not a name of this server; ASSAY_PUBLIC_URL gives it one.")
      }
      if (!isSameOrigin(request)) return refuse(403, InvalidRequest, "Origin is not allowed.")
      // A browser session is no credential here: agents bring keys.
      const identity = yield* guard
        .identify({ ...credentialsOf(request, settings.trustedProxies), sessionToken: undefined })
        .pipe(Effect.mapError(withoutSuspension))
      const rate = yield* guard
        .charge(identity, endpointBucket)
        .pipe(Effect.tapError((error) => withHeaders(rateHeadersOf(error))))
      yield* withHeaders(rateHeaders(rate))
      // Here ceilings stop every call, reads included.
      yield* guard.refuseWhenExhausted(identity)
      return yield* converse(exchanges, request, identity)
    })

    yield* router.all("/mcp/", serve)
    yield* router.all("/mcp", HttpServerResponse.redirect("/mcp/", { status: 307 }))
  })
)

interface Exchanges {
  readonly in2025: Effect.Effect.Success<ReturnType<typeof openExchange2025>>
  readonly in2026: ReturnType<typeof openHandler2026>
}

const withHeaders = (headers: Readonly<Record<string, string>>) =>
  HttpApp.appendPreResponseHandler((_, response) => Effect.succeed(HttpServerResponse.setHeaders(response, headers)))

// That a workspace is suspended is told on REST only.
const withoutSuspension = <E extends ApiError>(error: E) =>
  error instanceof WorkspaceSuspended ? new InvalidApiKey({ message: "This API key is not valid." }) : error

const converse = (exchanges: Exchanges, request: HttpServerRequest.HttpServerRequest, identity: Identity) =>
  Effect.gen(function* () {
    const { headers } = request
    const accept = headers.accept ?? ""
    if (!accept.includes("application/json") || !accept.includes("text/event-stream")) {
      return refuse(406, InvalidHttp, "Accept must name application/json and text/event-stream.")
    }
    if (!/^application\/json\s*(;|$)/i.test(headers["content-type"] ?? "")) {
      return refuse(415, InvalidHttp, "Content-Type must be application/json.")
    }
    // The edge's reader fails with our own errors, which the framework's type of `json` does not know.
    const body = yield* (request.json as unknown as Effect.Effect<unknown, ApiError>).pipe(
      Effect.catchIf(
        (error) => error instanceof BadRequest,
        (error) => Effect.succeed(error)
      )
    )
    if (body instanceof BadRequest) return refuse(400, ParseError, body.message)
    const called = { identity, requestId: yield* RequestId }
    if (speaks2026(headers, body)) {
      const { status, text } = yield* exchanges.in2026(headers, body, called)
      return HttpServerResponse.text(text, { status, contentType: "application/json" })
    }
    return yield* converseIn2025(exchanges, headers["mcp-protocol-version"], body, called)
  })

const converseIn2025 = (exchanges: Exchanges, version: string | undefined, body: unknown, called: Called) =>
  Effect.gen(function* () {
    if (version !== undefined && !revisions2025.includes(version)) {
      const supported = [revision2026, ...revisions2025].join(", ")
      return refuse(400, InvalidHttp, `Unsupported protocol version; supported: ${supported}.`)
    }
    const problem = messageProblem(body)
    if (problem !== null) return refuse(400, InvalidRequest, problem)
    const message = body as JSONRPCRequest
    if (message.id === undefined) return HttpServerResponse.empty({ status: 202 })
    const argumentsProblem = toolArgumentsProblem(message)
    if (argumentsProblem !== null) {
      return HttpServerResponse.unsafeJson(protocolError(InvalidParams, argumentsProblem, message.id))
    }
    return HttpServerResponse.unsafeJson(yield* exchanges.in2025(message, called))
  })

const protocolError = (code: number, message: string, id: JSONRPCRequest["id"] | null = null) => ({
  jsonrpc: "2.0",
  id,
  error: { code, message }
})

const refuse = (status: number, code: number, message: string) =>
  HttpServerResponse.unsafeJson(protocolError(code, message), { status })

const messageProblem = (body: unknown): string | null => {
  if (Array.isArray(body)) return "Batches are not supported; send one message per request."
  if (typeof body !== "object" || body === null) return "A JSON-RPC message is an object."
  const message = body as Record<string, unknown>
  if (message.jsonrpc !== "2.0") return 'A JSON-RPC message has "jsonrpc": "2.0".'
  if (typeof message.method !== "string") return "A JSON-RPC request has a method."
  if (message.id !== undefined && typeof message.id !== "string" && !Number.isInteger(message.id)) {
    return "The id of a request is a string or a whole number."
  }
  return null
}

// The SDK would answer these with an internal error that quotes its schema.
const toolArgumentsProblem = (message: JSONRPCRequest): string | null => {
  if (message.method !== "tools/call") return null
  const params = message.params as Record<string, unknown> | undefined
  if (typeof params?.name !== "string") return "tools/call needs the tool's name."
  const args = params.arguments
  if (args === undefined) return null
  return typeof args === "object" && args !== null && !Array.isArray(args) ? null : "arguments must be an object."
}
