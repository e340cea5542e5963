import { Data } from "effect"
import type * as Cause from "effect/Cause"

export const errorTypes = {
  validation_error: [422],
  invalid_request_error: [400, 404, 405, 408, 413, 415, 417, 422, 431],
  authentication_error: [401],
  permission_error: [403],
  not_found: [404],
  billing_error: [402],
  rate_limit_error: [429],
  conflict: [409],
  server_error: [500, 503]
} as const
export type ErrorType = keyof typeof errorTypes

/** One field at fault: where, what is wrong, and the kind of check that failed. */
export interface FieldProblem {
  readonly loc: ReadonlyArray<string | number>
  readonly msg: string
  readonly type: string
}

export interface ErrorFields {
  /** For a person; without internals or the rejected value. */
  readonly message: string
  /** Dotted path of the first field at fault. */
  readonly param?: string
  readonly errors?: ReadonlyArray<FieldProblem>
  readonly details?: Readonly<Record<string, unknown>>
  readonly required_features?: ReadonlyArray<string>
  /** Sent as the header `Retry-After`, and as `details.retry_after_seconds`: MCP clients see no headers. */
  readonly retryAfterSeconds?: number
  /** Sent as the header `Allow`, never in the body. */
  readonly allow?: ReadonlyArray<string>
}

export interface ErrorSpec {
  readonly status: number
  readonly type: ErrorType
  readonly code: string
}

export interface ApiError extends Cause.YieldableError, ErrorFields {
  readonly message: string
  readonly spec: ErrorSpec
}

export interface ApiErrorClass<Tag extends string> {
  new (fields: ErrorFields): ApiError & { readonly _tag: Tag }
  readonly spec: ErrorSpec
  readonly tag: Tag
}

/** One thing the product can return instead of a result. */
export const apiError = <const Tag extends string>(tag: Tag, spec: ErrorSpec): ApiErrorClass<Tag> => {
  class Tagged extends Data.TaggedError(tag)<ErrorFields> {
    static readonly spec = spec
    static readonly tag = tag
    readonly spec = spec
  }
  // The framework's class type hides its fields behind generics; the interface above is what it is.
  return Tagged as unknown as ApiErrorClass<Tag>
}

const family =
  (status: number, type: ErrorType) =>
  <const Tag extends string>(tag: Tag, code: string) =>
    apiError(tag, { status, type, code })

export const badRequest = family(400, "invalid_request_error")
export const unauthenticated = family(401, "authentication_error")
export const billing = family(402, "billing_error")
export const forbidden = family(403, "permission_error")
export const notFound = family(404, "not_found")
export const conflict = family(409, "conflict")
export const unprocessable = family(422, "invalid_request_error")
export const rateLimited = family(429, "rate_limit_error")

export const isApiError = (u: unknown): u is ApiError =>
  u instanceof Error && "spec" in u && typeof u.spec === "object" && u.spec !== null && "code" in u.spec

/** The wire's error object. */
export interface ErrorBody {
  readonly type: ErrorType
  readonly code: string
  readonly message: string
  readonly param?: string
  readonly request_id: string
  readonly errors?: ReadonlyArray<FieldProblem>
  readonly details?: Readonly<Record<string, unknown>>
  readonly required_features?: ReadonlyArray<string>
}

export const toBody = (error: ApiError, requestId: string): ErrorBody => {
  const { spec, message, param, errors, retryAfterSeconds, required_features } = error
  const details =
    retryAfterSeconds === undefined ? error.details : { ...error.details, retry_after_seconds: retryAfterSeconds }
  return {
    type: spec.type,
    code: spec.code,
    message,
    ...(param === undefined ? {} : { param }),
    request_id: requestId,
    ...(errors === undefined ? {} : { errors }),
    ...(details === undefined ? {} : { details }),
    ...(required_features === undefined ? {} : { required_features })
  }
}
