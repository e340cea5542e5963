import { Schema } from "effect"
import { apiError } from "./ApiError.ts"
import { closed, record } from "./closed.ts"
import { Amount, Instant, InstantInput, integer, oneOf, text, Uuid } from "./Text.ts"

export const scopes = [
  "view_repositories",
  "view_jobs",
  "view_observations",
  "submit_audit_jobs",
  "submit_fix_jobs",
  "register_repo",
  "manage_repos",
  "triage_observations",
  "manage_tenant_settings",
  "view_context",
  "manage_context",
  "corroborate_context",
  "view_issues",
  "manage_issues",
  "manage_projects",
  "submit_program_jobs",
  "cancel_running_jobs",
  "delete_repo"
] as const
export const Scope = oneOf(...scopes)
export type Scope = typeof Scope.Type

export const KeyPath = Schema.Struct({ key_id: Uuid })

export const KeyRecord = record("ApiKey", {
  id: Uuid,
  name: Schema.String,
  prefix: Schema.String.annotations({ description: "The key's first 12 characters; all that can be shown again." }),
  scopes: Schema.Array(Scope),
  requests_per_minute: Schema.NullOr(integer(1)),
  dollars_per_hour: Schema.NullOr(Amount),
  allowed_cidrs: Schema.NullOr(Schema.Array(Schema.String)),
  agent_label: Schema.NullOr(Schema.String),
  created_by: Uuid,
  created_at: Instant,
  expires_at: Schema.NullOr(Instant),
  last_used_at: Schema.NullOr(Instant),
  last_used_ip: Schema.NullOr(Schema.String),
  revoked_at: Schema.NullOr(Instant)
})
export type KeyRecord = typeof KeyRecord.Type

export const maxLiveKeys = 25
export const maxAgentLabel = 200

const positive = Schema.Number.pipe(
  Schema.filter((n) => (n > 0 && Number.isFinite(n) ? undefined : "must be greater than 0"))
).annotations({ jsonSchema: { type: "number", exclusiveMinimum: 0 } })

export const CreateKey = closed(
  {
    name: text(1, 200),
    scopes: Schema.Array(Scope).pipe(Schema.minItems(1, { message: () => "must name at least one scope" })),
    requests_per_minute: Schema.optionalWith(Schema.NullOr(integer(1, 1_000_000)), { exact: true }),
    dollars_per_hour: Schema.optionalWith(Schema.NullOr(positive), { exact: true }),
    expires_at: Schema.optionalWith(Schema.NullOr(InstantInput), { exact: true }),
    agent_label: Schema.optionalWith(Schema.NullOr(text(1, maxAgentLabel)), { exact: true }),
    allowed_cidrs: Schema.optionalWith(Schema.NullOr(Schema.Array(text(1, 64)).pipe(Schema.maxItems(100))), {
      exact: true
    })
  },
  "CreateKeyRequest"
)
export type CreateKey = typeof CreateKey.Type

export const UpdateKey = closed(
  {
    name: Schema.optionalWith(text(1, 200), { exact: true }),
    agent_label: Schema.optionalWith(Schema.NullOr(text(1, maxAgentLabel)), { exact: true }),
    requests_per_minute: Schema.optionalWith(Schema.NullOr(integer(1, 1_000_000)), { exact: true }),
    dollars_per_hour: Schema.optionalWith(Schema.NullOr(positive), { exact: true }),
    scopes: Schema.optionalWith(Schema.Array(Scope), { exact: true })
  },
  "UpdateKeyRequest"
)
export type UpdateKey = typeof UpdateKey.Type

export const CreatedKey = record("CreatedApiKey", {
  key: KeyRecord,
  api_key: Schema.String.annotations({ description: "The full key. It is never shown again." })
})
export type CreatedKey = typeof CreatedKey.Type

export class KeyNotFound extends apiError("KeyNotFound", { status: 404, type: "not_found", code: "not_found" }) {}
export class KeyLimitReached extends apiError("KeyLimitReached", {
  status: 409,
  type: "conflict",
  code: "key_limit_reached"
}) {}
/** A limit was raised or cleared, or a scope added, after mint. */
export class KeyOnlyTightens extends apiError("KeyOnlyTightens", {
  status: 400,
  type: "invalid_request_error",
  code: "bad_request"
}) {}
