import { type HttpApiEndpoint, HttpApiSchema, HttpServerResponse } from "@effect/platform"
import { Context, Effect, Schema } from "effect"
import { type ApiError, type ApiErrorClass, type ErrorBody, toBody } from "../schema/ApiError.ts"
import type { Operation } from "../schema/Operation.ts"
import { optional } from "../schema/Text.ts"
import { printJson } from "../services/support/jsonPrinter.ts"
import { RequestId } from "../services/support/RequestId.ts"

/** The operation an endpoint serves: the guard enforces it, the OpenAPI document shows it. */
export class ServedOperation extends Context.Tag("ServedOperation")<ServedOperation, Operation>() {}

export const serves = (operation: Operation) => Context.make(ServedOperation, operation)

/** For groups that are made for several paths: that a path is text can be checked where the schema is known only. */
export const asPath = <S extends Schema.Schema.Any>(schema: S) =>
  schema as S & HttpApiEndpoint.HttpApiEndpoint.ValidatePath<S>

const FieldProblem = Schema.Struct({
  loc: Schema.Array(Schema.Union(Schema.String, Schema.Number)),
  msg: Schema.String,
  type: Schema.String
}).annotations({ identifier: "FieldProblem" })

const anyJson = Schema.Record({ key: Schema.String, value: Schema.Unknown }).annotations({
  jsonSchema: { type: "object" }
})

/** An error as the contract knows it: its envelope on the wire, its class in the typed client. */
export const onWire = <Tag extends string, C extends ApiErrorClass<Tag>>(errorClass: C) => {
  const Envelope = Schema.Struct({
    error: Schema.Struct({
      type: Schema.Literal(errorClass.spec.type),
      code: Schema.Literal(errorClass.spec.code),
      message: Schema.String,
      param: optional(Schema.String),
      request_id: Schema.String,
      errors: optional(Schema.Array(FieldProblem)),
      details: optional(anyJson),
      required_features: optional(Schema.Array(Schema.String))
    })
  })
  const Instance = Schema.declare((u): u is InstanceType<C> => u instanceof errorClass)
  return Schema.transformOrFail(Envelope, Instance, {
    strict: false,
    decode: ({ error: { type: _type, code: _code, request_id: _id, ...fields } }) =>
      Effect.succeed(new errorClass(fields)),
    encode: (_, __, ___, error) => Effect.map(RequestId, (id) => ({ error: toBody(error as unknown as ApiError, id) }))
  }).annotations(HttpApiSchema.annotations({ identifier: `${errorClass.tag}Error`, status: errorClass.spec.status }))
}

/** The only renderer of errors at run time. */
export const envelope = (error: ApiError, requestId: string): HttpServerResponse.HttpServerResponse => {
  const body: { readonly error: ErrorBody } = { error: toBody(error, requestId) }
  return jsonText(JSON.stringify(body), {
    status: error.spec.status,
    headers: {
      ...(error.retryAfterSeconds === undefined ? {} : { "retry-after": String(error.retryAfterSeconds) }),
      ...(error.allow === undefined ? {} : { allow: error.allow.join(", ") }),
      ...(error.spec.status === 401 ? { "www-authenticate": "Bearer" } : {}),
      // The rest of such a body is not read: nothing can follow it.
      ...(error.spec.status === 413 ? { connection: "close" } : {})
    }
  })
}

const jsonText = (
  text: string,
  options: { readonly status: number; readonly headers?: Readonly<Record<string, string>> }
) =>
  HttpServerResponse.raw(text, {
    status: options.status,
    headers: {
      ...options.headers,
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(text))
    }
  })

/** Answers a value through its schema with a status or headers of its own. */
export const respond = <A, I>(
  schema: Schema.Schema<A, I>,
  value: A,
  options: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> } = {}
): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  Effect.sync(() =>
    jsonText(printJson(schema, value), { status: options.status ?? 200, headers: options.headers ?? {} })
  )

/** 200 with a value through its schema. What a handler merely returns is encoded by the framework, field by field. */
export const ok =
  <A, I>(schema: Schema.Schema<A, I>) =>
  (value: A) =>
    respond(schema, value)

/** 201 for what this call made, 200 for what was there already. */
export const created =
  <A, I>(schema: Schema.Schema<A, I>, isNew: boolean) =>
  (value: A) =>
    respond(schema, value, { status: isNew ? 201 : 200 })
