import {
  apiError,
  badRequest,
  billing,
  forbidden,
  notFound,
  rateLimited,
  unauthenticated,
  unprocessable
} from "./ApiError.ts"

// Errors that belong to no area.

export class InvalidPayload extends apiError("InvalidPayload", {
  status: 422,
  type: "validation_error",
  code: "invalid_payload"
}) {}
export class NulByte extends unprocessable("NulByte", "nul_byte") {}
export class LoneSurrogate extends unprocessable("LoneSurrogate", "lone_surrogate") {}
export class BadRequest extends badRequest("BadRequest", "bad_request") {}
export class InvalidCursor extends badRequest("InvalidCursor", "invalid_cursor") {}
export class PayloadTooLarge extends apiError("PayloadTooLarge", {
  status: 413,
  type: "invalid_request_error",
  code: "payload_too_large"
}) {}
export class UnsupportedMediaType extends apiError("UnsupportedMediaType", {
  status: 415,
  type: "invalid_request_error",
  code: "unsupported_media_type"
}) {}
export class MethodNotAllowed extends apiError("MethodNotAllowed", {
  status: 405,
  type: "invalid_request_error",
  code: "method_not_allowed"
}) {}
export class RequestTimeout extends apiError("RequestTimeout", {
  status: 408,
  type: "invalid_request_error",
  code: "request_timeout"
}) {}
export class ExpectationFailed extends apiError("ExpectationFailed", {
  status: 417,
  type: "invalid_request_error",
  code: "expectation_failed"
}) {}
export class HeadersTooLarge extends apiError("HeadersTooLarge", {
  status: 431,
  type: "invalid_request_error",
  code: "headers_too_large"
}) {}
export class RouteNotFound extends notFound("RouteNotFound", "not_found") {}
export class InternalError extends apiError("InternalError", {
  status: 500,
  type: "server_error",
  code: "internal_error"
}) {}
export class DatabaseUnavailable extends apiError("DatabaseUnavailable", {
  status: 503,
  type: "server_error",
  code: "database_unavailable"
}) {}
/** As many requests are being worked on as this process takes on at once. */
export class ServerBusy extends apiError("ServerBusy", {
  status: 503,
  type: "server_error",
  code: "server_busy"
}) {}

// Errors of the guard.

export class MissingApiKey extends unauthenticated("MissingApiKey", "missing_api_key") {}
export class InvalidApiKey extends unauthenticated("InvalidApiKey", "invalid_api_key") {}
export class ExpiredApiKey extends unauthenticated("ExpiredApiKey", "expired_api_key") {}
export class RevokedApiKey extends unauthenticated("RevokedApiKey", "revoked_api_key") {}
export class AddressNotAllowed extends unauthenticated("AddressNotAllowed", "address_not_allowed") {}
export class WorkspaceSuspended extends unauthenticated("WorkspaceSuspended", "workspace_suspended") {}
/** A delivery of a code host that is not signed with the secret of its webhook. */
export class InvalidSignature extends unauthenticated("InvalidSignature", "invalid_signature") {}
export class InvalidSession extends unauthenticated("InvalidSession", "invalid_session") {}
export class KeyRequired extends unauthenticated("KeyRequired", "api_key_required") {}

export class SessionRequired extends forbidden("SessionRequired", "session_required") {}
export class InsufficientScope extends forbidden("InsufficientScope", "insufficient_scope") {}
export class UnknownHost extends forbidden("UnknownHost", "unknown_host") {}
export class CsrfRejected extends forbidden("CsrfRejected", "csrf_refused") {}
export class FeatureNotEnabled extends forbidden("FeatureNotEnabled", "feature_not_enabled") {}
export class PlanRestricted extends billing("PlanRestricted", "plan_restricted") {}
export class RateLimited extends rateLimited("RateLimited", "rate_limit_qps") {}
