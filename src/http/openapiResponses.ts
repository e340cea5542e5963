import { Option, SchemaAST } from "effect"
import { errorTypes } from "../schema/ApiError.ts"
import type { Operation } from "../schema/Operation.ts"
import { Authorization } from "./Authorization.ts"
import { statusNames } from "./openapiProse.ts"
import { type Json, ref } from "./openapiSchemas.ts"

interface ErrorKind {
  readonly type: string
  readonly code: string
}

/** The shared parts of answers: one error schema, the headers, one response for each set of codes. */
export const responseComponents = (fieldProblem: Json) => ({
  responses: {} as Record<string, Json>,
  headers: structuredClone(headers) as Record<string, Json>,
  schemas: { Error: errorSchema, FieldProblem: fieldProblem }
})
export type ResponseComponents = ReturnType<typeof responseComponents>

const errorSchema = {
  type: "object",
  required: ["type", "code", "message", "request_id"],
  properties: {
    type: { type: "string", enum: Object.keys(errorTypes) },
    code: { type: "string", description: "Stable; branch on this." },
    message: { type: "string", description: "For a person." },
    param: { type: "string", description: "Dotted path of the first field at fault." },
    request_id: { type: "string", pattern: "^req_[0-9a-f]{32}$" },
    errors: { type: "array", items: ref("schemas", "FieldProblem"), description: "One entry per field at fault." },
    details: { type: "object" },
    required_features: { type: "array", items: { type: "string" } }
  }
}

const headers = {
  "X-Request-Id": { description: "Finds the request in the log.", schema: { type: "string" } },
  "RateLimit-Policy": { description: "The tightest limit that applies.", schema: { type: "string" } },
  RateLimit: { description: "What is left of it (r), and for how many seconds (t).", schema: { type: "string" } },
  "Retry-After": { description: "Waiting so many seconds is enough.", schema: { type: "integer", minimum: 0 } },
  "WWW-Authenticate": { description: "The scheme to authenticate with.", schema: { type: "string" } },
  ETag: { description: "The version of what is answered, for If-Match and If-None-Match.", schema: { type: "string" } },
  "Set-Cookie": { description: "The session.", schema: { type: "string" } }
}

const identifiers = (ast: SchemaAST.AST): ReadonlyArray<string> =>
  (ast._tag === "Union" ? ast.types : [ast]).flatMap((member) =>
    Option.toArray(SchemaAST.getIdentifierAnnotation(member))
  )

const admission = new Set(identifiers(Authorization.failure.ast))

/** Names of the errors that an endpoint declares itself, rather than through its middleware. */
export const ownErrors = ({ ast }: { readonly ast: SchemaAST.AST }): ReadonlySet<string> => {
  const names = new Set(identifiers(ast))
  const hasMiddleware = [...admission].every((name) => names.has(name))
  return hasMiddleware ? new Set([...names].filter((name) => !admission.has(name))) : names
}

// The middleware declares whatever any operation may be refused for; this says what applies to one.
const applies = (name: string, operation: Operation, method: string, hasBody: boolean): boolean => {
  switch (name) {
    case "HttpApiDecodeError":
    case "MethodNotAllowedError":
      return false
    case "BadRequestError":
    case "PayloadTooLargeError":
    case "UnsupportedMediaTypeError":
      return hasBody
    case "MissingApiKeyError":
      return operation.only !== "session"
    case "KeyRequiredError":
      return operation.only === "key"
    case "SessionRequiredError":
      return operation.only === "session"
    case "InsufficientScopeError":
      return operation.scopes.length > 0
    case "CsrfRefusedError":
      return method !== "GET" && operation.only !== "key"
    case "FeatureNotEnabledError":
      return operation.beta !== undefined
    case "SpendCeilingReachedError":
      return operation.access === "spend"
    default:
      return true
  }
}

/** Rewrites the answers of one operation: what it can really be refused for, headers, shared parts. */
export const tidyResponses = (
  described: Json,
  about: {
    readonly operation: Operation
    readonly method: string
    readonly own: ReadonlySet<string>
    readonly schemas: Readonly<Record<string, Json>>
    readonly components: ResponseComponents
  }
) => {
  const responses = described.responses as Record<string, Json>
  for (const [status, response] of Object.entries(responses)) {
    if (Number(status) < 400) {
      response.description = statusNames[status]?.[1] ?? "Success"
      response.headers = headersOf(status, about.operation, response)
      continue
    }
    const kinds = errorNames(response)
      .filter(
        (name) =>
          about.own.has(name) || applies(name, about.operation, about.method, described.requestBody !== undefined)
      )
      .flatMap((name) => (about.schemas[name] === undefined ? [] : [kindOf(about.schemas[name])]))
    if (kinds.length === 0) delete responses[status]
    else responses[status] = shared(status, kinds, about.components)
  }
}

const errorNames = (response: Json): ReadonlyArray<string> => {
  const { schema } = (response.content as Record<string, Json>)["application/json"] as { schema: Json }
  const members = (Array.isArray(schema.anyOf) ? schema.anyOf : [schema]) as ReadonlyArray<Json>
  return members.map(({ $ref }) => String($ref).replace(/.*\//, ""))
}

const kindOf = (schema: Json): ErrorKind => {
  const { error } = schema.properties as Record<string, { properties: Record<string, { enum: [string] }> }>
  return { type: error!.properties.type!.enum[0], code: error!.properties.code!.enum[0] }
}

const shared = (status: string, kinds: ReadonlyArray<ErrorKind>, components: ResponseComponents): Json => {
  const codes = [...new Set(kinds.map(({ code }) => code))].sort()
  const types = [...new Set(kinds.map(({ type }) => type))].sort()
  const name = nameOf(status, codes)
  components.responses[name] = {
    description: `${statusNames[status]?.[1] ?? "Refused"}: ${codes.map((code) => `\`${code}\``).join(", ")}.`,
    headers: headersOf(status),
    content: {
      "application/json": {
        schema: {
          type: "object",
          required: ["error"],
          properties: {
            error: {
              allOf: [
                ref("schemas", "Error"),
                { properties: { type: { type: "string", enum: types }, code: { type: "string", enum: codes } } }
              ]
            }
          }
        },
        ...(exampleErrors[name] === undefined ? {} : { example: { error: exampleErrors[name] } })
      }
    }
  }
  return ref("responses", name)
}

const pascal = (code: string) =>
  code
    .split("_")
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("")

// What most operations answer has the plain name of its status; the others are named by their codes.
const usual: Readonly<Record<string, string>> = {
  401: "address_not_allowed expired_api_key invalid_api_key invalid_session missing_api_key revoked_api_key workspace_suspended",
  404: "not_found",
  413: "payload_too_large",
  415: "unsupported_media_type",
  422: "invalid_payload lone_surrogate nul_byte",
  429: "rate_limit_qps",
  500: "internal_error",
  503: "database_unavailable"
}
const signedOut =
  "address_not_allowed expired_api_key invalid_api_key invalid_session revoked_api_key workspace_suspended"

const nameOf = (status: string, codes: ReadonlyArray<string>): string => {
  const base = statusNames[status]?.[0] ?? `Status${status}`
  if (codes.join(" ") === usual[status]) return base
  if (codes.join(" ") === signedOut) return "SignedOut"
  const common = new Set(usual[status]?.split(" "))
  const rest = codes.filter((code) => !common.has(code))
  const isUsualAndMore = common.size > 0 && rest.length === codes.length - common.size
  return `${base}${(isUsualAndMore ? rest : codes).map(pascal).join("")}`
}

const headersOf = (status: string, operation?: Operation, response?: Json): Json => {
  const names = ["X-Request-Id"]
  if (status === "401") names.push("WWW-Authenticate")
  if (status === "429" || status === "503") names.push("Retry-After")
  if (status === "429" || (operation !== undefined && operation.only !== "anyone")) {
    names.push("RateLimit-Policy", "RateLimit")
  }
  if (status === "304") names.push("ETag")
  if (operation?.only === "anyone" && response !== undefined) names.push("Set-Cookie")
  return Object.fromEntries(names.map((name) => [name, ref("headers", name)]))
}

const exampleErrors: Readonly<Record<string, Json>> = {
  Unauthorized: {
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
