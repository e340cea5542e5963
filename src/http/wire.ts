import { type HttpApiEndpoint, HttpApiSchema, HttpServerResponse, OpenApi } from "@effect/platform"
import { Context, Effect, type Option, Schema, SchemaAST } from "effect"
import {
  type ApiError,
  type ApiErrorClass,
  type ErrorBody,
  type ErrorType,
  errorTypes,
  toBody
} from "../schema/ApiError.ts"
import { record } from "../schema/closed.ts"
import type { Operation } from "../schema/Operation.ts"
import { field, JsonObject, oneOf, optional } from "../schema/Text.ts"
import { printJson } from "../services/support/jsonPrinter.ts"
import { RequestId } from "../services/support/RequestId.ts"

/** The operation an endpoint serves: the guard enforces it, the OpenAPI document shows it. */
export class ServedOperation extends Context.Tag("ServedOperation")<ServedOperation, Operation>() {}

/** Binds an endpoint to its operation; `details` describe the route where the summary is not enough. */
export const serves = (operation: Operation, details: string = operation.summary) => {
  const { name, summary, scopes, bucket } = operation
  const needs = scopes.length === 0 ? [] : [`Needs ${scopes.map((scope) => `\`${scope}\``).join(" and ")}.`]
  return Context.merge(
    Context.make(ServedOperation, operation),
    OpenApi.annotations({
      identifier: name,
      summary,
      description: [details, ...needs].join(" "),
      ...(bucket === undefined ? {} : { override: { "x-rate-limit": { rpm: bucket.rpm } } })
    })
  )
}

/** For groups that are made for several paths: that a path is text can be checked where the schema is known only. */
export const asPath = <S extends Schema.Schema.Any>(schema: S) =>
  schema as S & HttpApiEndpoint.HttpApiEndpoint.ValidatePath<S>

const FieldProblem = record("FieldProblem", {
  loc: field(Schema.Array(Schema.Union(Schema.String, Schema.Number)), "Path of the field, one item for each level."),
  msg: field(Schema.String, "What is wrong with it, for a person."),
  type: field(Schema.String, "Kind of check that failed.")
})

/** What other frameworks call the `detail` of an `HTTPValidationError`. */
const HTTPValidationError = Schema.Array(FieldProblem).annotations({
  identifier: "HTTPValidationError",
  description: "What is wrong with a request, one entry for each field at fault; the first 20."
})

const errorFields = {
  message: field(Schema.String, "What went wrong, for a person."),
  param: optional(Schema.String, "Dotted path of the first field at fault."),
  request_id: field(
    Schema.String.annotations({ jsonSchema: { type: "string", pattern: "^req_[0-9a-f]{32}$" } }),
    "ID of the request; the log has it, too."
  ),
  errors: optional(
    HTTPValidationError,
    "One entry for each field at fault, the first 20; `details.errors_omitted` counts the others."
  ),
  details: optional(JsonObject, "Values that belong to the code."),
  required_features: optional(Schema.Array(Schema.String), "Features that the workspace lacks.")
}

/** The error object of every error response, as the document shows it. */
export const ErrorObject = record("Error", {
  type: field(oneOf(...(Object.keys(errorTypes) as [ErrorType, ...Array<ErrorType>])), "Family of the error."),
  code: field(Schema.String, "Stable code; branch on this."),
  ...errorFields
})

const ErrorClass: unique symbol = Symbol.for("assay/http/ErrorClass")

/** The error class of a schema that `onWire` created; none for errors of the framework. */
export const errorClassOf = (ast: SchemaAST.AST): Option.Option<ApiErrorClass<string>> =>
  SchemaAST.getAnnotation<ApiErrorClass<string>>(ErrorClass)(ast)

const wireSchema = <C extends ApiErrorClass<string>>(errorClass: C) => {
  const Envelope = Schema.Struct({
    error: Schema.Struct({
      type: Schema.Literal(errorClass.spec.type),
      code: Schema.Literal(errorClass.spec.code),
      ...errorFields
    })
  })
  const Instance = Schema.declare((u): u is InstanceType<C> => u instanceof errorClass)
  return Schema.transformOrFail(Envelope, Instance, {
    strict: false,
    decode: ({ error: { type: _type, code: _code, request_id: _id, ...fields } }) =>
      Effect.succeed(new errorClass(fields)),
    encode: (_, __, ___, error) => Effect.map(RequestId, (id) => ({ error: toBody(error as unknown as ApiError, id) }))
  }).annotations({
    ...HttpApiSchema.annotations({ status: errorClass.spec.status }),
    [ErrorClass]: errorClass,
    // The document shows one shape for all of them: see openapiResponses.ts.
    jsonSchema: { type: "object" }
  })
}

/** Errors as the contract knows them: their envelope on the wire, their classes in the typed client. */
export const onWire = <const Classes extends readonly [ApiErrorClass<string>, ...ReadonlyArray<ApiErrorClass<string>>]>(
  ...classes: Classes
) => Schema.Union(...classes.map((errorClass: Classes[number]) => wireSchema(errorClass)))

/** Of every response with data: no cache keeps it, and no browser takes it for something else or runs or frames it. */
export const dataHeaders = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff"
}

/** Behind TLS: browsers come back over TLS only, for a year. */
export const strictTransport = { "strict-transport-security": "max-age=31536000; includeSubDomains" }

/** A response as Node sends it. */
export interface ErrorResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** The only renderer of errors at run time. */
export const errorResponse = (error: ApiError, requestId: string): ErrorResponse => {
  const body: { readonly error: ErrorBody } = { error: toBody(error, requestId) }
  const text = JSON.stringify(body)
  return {
    status: error.spec.status,
    text,
    headers: {
      ...dataHeaders,
      ...jsonHeaders(text),
      "x-request-id": requestId,
      ...(error.retryAfterSeconds === undefined ? {} : { "retry-after": String(error.retryAfterSeconds) }),
      ...(error.allow === undefined ? {} : { allow: error.allow.join(", ") }),
      ...(error.spec.status === 401 ? { "www-authenticate": "Bearer" } : {}),
      // The rest of such a body is not read: nothing can follow it.
      ...(error.spec.status === 413 ? { connection: "close" } : {})
    }
  }
}

export const envelope = (error: ApiError, requestId: string): HttpServerResponse.HttpServerResponse => {
  const { text, ...options } = errorResponse(error, requestId)
  return HttpServerResponse.raw(text, options)
}

const jsonHeaders = (text: string) => ({
  "content-type": "application/json",
  "content-length": String(Buffer.byteLength(text))
})

/** A response with a value printed through its schema, and a status or headers of its own. */
export const respond = <A, I>(
  schema: Schema.Schema<A, I>,
  value: A,
  options: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> } = {}
): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  Effect.sync(() => {
    const text = printJson(schema, value)
    return HttpServerResponse.raw(text, {
      status: options.status ?? 200,
      headers: { ...options.headers, ...jsonHeaders(text) }
    })
  })

/** A response with JSON that was printed elsewhere; a test compares it with the schema of its endpoint. */
export const printed = (text: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.raw(text, { headers: jsonHeaders(text) })

/** 201 for what this call created, 200 for what existed before. */
export const created =
  <A, I>(schema: Schema.Schema<A, I>, isNew: boolean) =>
  (value: A) =>
    respond(schema, value, { status: isNew ? 201 : 200 })
