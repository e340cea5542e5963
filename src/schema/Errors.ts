import { apiError } from "./ApiError.ts"

// Errors that belong to no area.

export class InvalidPayload extends apiError("InvalidPayload", {
  status: 422,
  type: "validation_error",
  code: "invalid_payload"
}) {}
export class NulByte extends apiError("NulByte", { status: 422, type: "invalid_request_error", code: "nul_byte" }) {}
export class LoneSurrogate extends apiError("LoneSurrogate", {
  status: 422,
  type: "invalid_request_error",
  code: "lone_surrogate"
}) {}
export class BadRequest extends apiError("BadRequest", {
  status: 400,
  type: "invalid_request_error",
  code: "bad_request"
}) {}
export class InvalidCursor extends apiError("InvalidCursor", {
  status: 400,
  type: "invalid_request_error",
  code: "invalid_cursor"
}) {}
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
export class RouteNotFound extends apiError("RouteNotFound", {
  status: 404,
  type: "not_found",
  code: "not_found"
}) {}
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

// What the guard says.

const unauthenticated = <const Tag extends string, const Code extends string>(tag: Tag, code: Code) =>
  apiError(tag, { status: 401, type: "authentication_error", code })

export class MissingApiKey extends unauthenticated("MissingApiKey", "missing_api_key") {}
export class InvalidApiKey extends unauthenticated("InvalidApiKey", "invalid_api_key") {}
export class ExpiredApiKey extends unauthenticated("ExpiredApiKey", "expired_api_key") {}
export class RevokedApiKey extends unauthenticated("RevokedApiKey", "revoked_api_key") {}
export class AddressNotAllowed extends unauthenticated("AddressNotAllowed", "address_not_allowed") {}
export class WorkspaceSuspended extends unauthenticated("WorkspaceSuspended", "workspace_suspended") {}
export class InvalidSession extends unauthenticated("InvalidSession", "invalid_session") {}
export class KeyRequired extends unauthenticated("KeyRequired", "api_key_required") {}

export class SessionRequired extends apiError("SessionRequired", {
  status: 403,
  type: "permission_error",
  code: "session_required"
}) {}
export class InsufficientScope extends apiError("InsufficientScope", {
  status: 403,
  type: "permission_error",
  code: "insufficient_scope"
}) {}
export class CsrfRefused extends apiError("CsrfRefused", {
  status: 403,
  type: "permission_error",
  code: "csrf_refused"
}) {}
export class FeatureNotEnabled extends apiError("FeatureNotEnabled", {
  status: 403,
  type: "permission_error",
  code: "feature_not_enabled"
}) {}
export class PlanRestricted extends apiError("PlanRestricted", {
  status: 402,
  type: "billing_error",
  code: "plan_restricted"
}) {}
export class RateLimited extends apiError("RateLimited", {
  status: 429,
  type: "rate_limit_error",
  code: "rate_limit_qps"
}) {}
