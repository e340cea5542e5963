import type { HttpApi } from "@effect/platform"
import { Option, type SchemaAST } from "effect"
import type { ApiErrorClass } from "../schema/ApiError.ts"
import {
  BadRequest,
  CsrfRejected,
  FeatureNotEnabled,
  InsufficientScope,
  KeyRequired,
  MethodNotAllowed,
  MissingApiKey,
  PayloadTooLarge,
  PlanRestricted,
  SessionRequired,
  UnsupportedMediaType
} from "../schema/Errors.ts"
import type { Operation } from "../schema/Operation.ts"
import { SpendCeilingReached } from "../schema/Spend.ts"
import { Api } from "./Api.ts"
import { AdmissionErrors } from "./errors.ts"
import { type Json, ref } from "./openapiSchemas.ts"
import { errorClassOf } from "./wire.ts"

type Errors = Parameters<Parameters<typeof HttpApi.reflect>[1]["onEndpoint"]>[0]["errors"]
type AnyErrorClass = ApiErrorClass<string>

/** An endpoint as its responses depend on it. */
export interface Described {
  readonly operation: Operation
  readonly method: string
  readonly hasBody: boolean
}

/** Response headers; schemas of responses have no place for them. */
export const headers = {
  "X-Request-Id": { description: "ID of the request; the log has it, too.", schema: { type: "string" } },
  "RateLimit-Policy": { description: "The tightest limit that applies.", schema: { type: "string" } },
  RateLimit: { description: "Calls left of it (r) and seconds until they refill (t).", schema: { type: "string" } },
  "Retry-After": { description: "Seconds to wait before the next try.", schema: { type: "integer", minimum: 0 } },
  "WWW-Authenticate": { description: "Authentication scheme.", schema: { type: "string" } },
  ETag: { description: "Version of the resource, for If-Match and If-None-Match.", schema: { type: "string" } },
  Location: { description: "Where the browser goes.", schema: { type: "string" } },
  "Set-Cookie": { description: "The session.", schema: { type: "string" } }
}

const statuses: Readonly<Record<string, readonly [name: string, description: string]>> = {
  200: ["Ok", "OK"],
  201: ["Created", "Created"],
  204: ["NoContent", "No content"],
  302: ["Found", "Redirect"],
  304: ["NotModified", "Not modified"],
  400: ["BadRequest", "Bad request"],
  401: ["Unauthorized", "No valid credentials"],
  402: ["PaymentRequired", "Billing or plan"],
  403: ["Forbidden", "Permission denied"],
  404: ["NotFound", "Not found"],
  409: ["Conflict", "The resource has changed"],
  412: ["PreconditionFailed", "The resource has changed"],
  413: ["PayloadTooLarge", "The body has more than 1 MiB"],
  415: ["UnsupportedMediaType", "The body is not application/json"],
  422: ["Unprocessable", "Validation failed"],
  428: ["PreconditionRequired", "A precondition header is missing"],
  429: ["TooManyRequests", "Too many calls or too much spent; see Retry-After"],
  500: ["InternalError", "Internal error; the log has the request ID"],
  503: ["Unavailable", "Temporarily unavailable; see Retry-After"]
}

// The API and its middleware declare for every endpoint what only some can return.
const conditions = new Map<AnyErrorClass, (endpoint: Described) => boolean>([
  [MethodNotAllowed, () => false],
  [BadRequest, ({ hasBody }) => hasBody],
  [PayloadTooLarge, ({ hasBody }) => hasBody],
  [UnsupportedMediaType, ({ hasBody }) => hasBody],
  [MissingApiKey, ({ operation }) => operation.only !== "session"],
  [KeyRequired, ({ operation }) => operation.only === "key"],
  [SessionRequired, ({ operation }) => operation.only === "session"],
  [InsufficientScope, ({ operation }) => operation.scopes.length > 0],
  [CsrfRejected, ({ operation, method }) => method !== "GET" && operation.only !== "key"],
  [PlanRestricted, ({ operation }) => operation.beta !== undefined],
  [FeatureNotEnabled, ({ operation }) => operation.beta !== undefined],
  [SpendCeilingReached, ({ operation }) => operation.access === "spend"]
])

const membersOf = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.AST> =>
  ast._tag === "Union" ? ast.types.flatMap(membersOf) : [ast]

const shared: ReadonlySet<SchemaAST.AST> = new Set([Api.errorSchema.ast, AdmissionErrors.ast].flatMap(membersOf))

/** The error responses of one endpoint by status; responses with the same codes are one component. */
export const errorResponses = (errors: Errors, endpoint: Described, components: Record<string, Json>): Json =>
  Object.fromEntries(
    [...errors].flatMap(([status, { ast }]) => {
      const classes = Option.match(ast, { onNone: () => [], onSome: membersOf }).flatMap((member) =>
        Option.toArray(errorClassOf(member)).filter(
          (errorClass) => !shared.has(member) || (conditions.get(errorClass)?.(endpoint) ?? true)
        )
      )
      if (classes.length === 0) return []
      const [name, response] = errorResponse(String(status), classes)
      components[name] = response
      return [[status, ref("responses", name)]]
    })
  )

const distinct = (words: ReadonlyArray<string>) => [...new Set(words)].sort()

const errorResponse = (status: string, classes: ReadonlyArray<AnyErrorClass>): readonly [string, Json] => {
  const codes = distinct(classes.map(({ spec }) => spec.code))
  const types = distinct(classes.map(({ spec }) => spec.type))
  const name = nameOf(status, codes)
  const error = exampleErrors[name]
  const narrowed = {
    type: { type: "string", enum: types, description: "Family of the error." },
    code: { type: "string", enum: codes, description: "Stable code; branch on this." }
  }
  const schema = {
    type: "object",
    required: ["error"],
    properties: {
      error: { description: "What went wrong.", allOf: [ref("schemas", "Error"), { properties: narrowed }] }
    }
  }
  const response = {
    description: `${statuses[status]?.[1] ?? "Error"}: ${codes.map((code) => `\`${code}\``).join(", ")}.`,
    headers: headersOf(status),
    content: { "application/json": { schema, ...(error === undefined ? {} : { example: { error } }) } }
  }
  return [name, response]
}

/** Description and headers of a successful response. */
export const successResponse = (status: string, { operation }: Described): Json => ({
  description: `${statuses[status]?.[1] ?? "Success"}.`,
  headers: headersOf(status, operation)
})

const headersOf = (status: string, operation?: Operation): Json => {
  const names = [
    "X-Request-Id",
    ...(status === "401" ? ["WWW-Authenticate"] : []),
    ...(status === "429" || status === "503" ? ["Retry-After"] : []),
    ...(status === "429" || (operation !== undefined && operation.only !== "anyone")
      ? ["RateLimit-Policy", "RateLimit"]
      : []),
    ...(status === "304" ? ["ETag"] : []),
    ...(status === "302" ? ["Location"] : []),
    ...(operation?.only === "anyone" && (operation.access === "write" || status === "302") ? ["Set-Cookie"] : [])
  ]
  return Object.fromEntries(names.map((name) => [name, ref("headers", name)]))
}

// Codes that most operations return have the plain name of their status; others are named by their codes.
const usual: Readonly<Record<string, string>> = {
  401: "address_not_allowed expired_api_key invalid_api_key invalid_session revoked_api_key workspace_suspended",
  403: "unknown_host",
  404: "not_found",
  413: "payload_too_large",
  415: "unsupported_media_type",
  422: "invalid_payload lone_surrogate nul_byte",
  429: "rate_limit_qps",
  500: "internal_error",
  503: "database_unavailable server_busy"
}

const nameOf = (status: string, codes: ReadonlyArray<string>): string => {
  const base = statuses[status]?.[0] ?? `Status${status}`
  const common = new Set(usual[status]?.split(" "))
  const rest = codes.filter((code) => !common.has(code))
  const isUsualAndMore = common.size > 0 && rest.length === codes.length - common.size
  return `${base}${(isUsualAndMore ? rest : codes).map(pascal).join("")}`
}

const pascal = (code: string) => code.replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase())

const exampleErrors: Readonly<Record<string, Json>> = {
  UnauthorizedMissingApiKey: {
    type: "authentication_error",
    code: "missing_api_key",
    message: "Send an API key as `Authorization: Bearer <key>`.",
    request_id: "req_01a1f7f884147221b439deed3cb5b810"
  },
  NotFound: {
    type: "not_found",
    code: "not_found",
    message: "No repository acme/none@main.",
    request_id: "req_01a1f7f8840d717cbf2e9d7812d8645c"
  },
  Unprocessable: {
    type: "validation_error",
    code: "invalid_payload",
    message: "limit: must be at most 200",
    param: "limit",
    request_id: "req_01a1f7f883f9720ea41f2a7fff32fb11",
    errors: [{ loc: ["limit"], msg: "must be at most 200", type: "value_error" }]
  }
}
