import { Schema } from "effect"
import { badRequest, conflict, notFound } from "./ApiError.ts"
import { closed, record } from "./closed.ts"
import { KeyId, UserId } from "./Ids.ts"
import {
  Amount,
  field,
  Instant,
  InstantInput,
  integer,
  list,
  nullable,
  oneOf,
  optional,
  optionalOrNull,
  text
} from "./Text.ts"

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

/** More than there are: naming one twice is no error. */
const maxScopes = 100

export const KeyPath = Schema.Struct({ key_id: field(KeyId, "ID of the key (not the key itself).") })

export const KeyRecord = record("ApiKey", {
  id: field(KeyId, "ID of the key."),
  name: field(Schema.String, "Name of the key."),
  prefix: field(Schema.String, "First 12 characters of the key; the rest is never shown again."),
  scopes: field(Schema.Array(Scope), "Scopes of the key: the most that it may do."),
  requests_per_minute: nullable(integer(1), "The key's own request limit; null for the plan's."),
  dollars_per_hour: nullable(Amount, "The key's own spend ceiling in US dollars per hour; null for the workspace's."),
  allowed_cidrs: nullable(Schema.Array(Schema.String), "IP ranges and hosts that may use the key; null for any."),
  agent_label: nullable(Schema.String, "Name of the agent that uses the key; null for other keys."),
  created_by: field(UserId, "ID of the user who created the key."),
  created_at: field(Instant, "When the key was created."),
  expires_at: nullable(Instant, "When the key expires; null for never."),
  last_used_at: nullable(Instant, "When the key was last used; null if it was not."),
  last_used_ip: nullable(Schema.String, "IP address that used the key last."),
  revoked_at: nullable(Instant, "When the key was revoked; null while it is valid.")
})
export type KeyRecord = typeof KeyRecord.Type

export const maxLiveKeys = 25
export const maxAgentLabel = 200

/** A ceiling that no call could ever keep within would lock its key out for ever. */
export const minDollarsPerHour = 0.01

const dollarsPerHour = Schema.Number.pipe(
  Schema.filter((n) =>
    n >= minDollarsPerHour && Number.isFinite(n) ? undefined : `must be at least ${minDollarsPerHour} (one cent)`
  )
).annotations({ jsonSchema: { type: "number", exclusiveMinimum: 0, minimum: minDollarsPerHour } })

const limits = {
  name: "nightly audit",
  scopes: ["view_repositories", "view_jobs", "view_observations", "submit_audit_jobs", "register_repo"],
  requests_per_minute: 120,
  dollars_per_hour: 2.5,
  allowed_cidrs: ["203.0.113.0/24", "2001:db8::/32"]
} as const

const keyName = text(1, 200)
const agentLabel = text(1, maxAgentLabel)

export const CreateKey = closed(
  {
    name: field(keyName, "Name of the key, at most 200 characters."),
    scopes: field(list(Scope, 1, maxScopes), "Scopes of the key, within the creator's own permissions."),
    requests_per_minute: optionalOrNull(integer(1, 1_000_000), "Request limit of the key; null for the plan's."),
    dollars_per_hour: optionalOrNull(
      dollarsPerHour,
      "Spend ceiling in US dollars per hour, at least 0.01 (one cent); null for the workspace's."
    ),
    expires_at: optionalOrNull(
      InstantInput,
      "When the key expires; null for never. Default: never, or after 7 days with `agent_label`."
    ),
    agent_label: optionalOrNull(
      agentLabel,
      `Name of the agent that uses the key, at most ${maxAgentLabel} characters.`
    ),
    allowed_cidrs: optionalOrNull(
      list(text(1, 64), 0, 100),
      "CIDR ranges or hosts (IPv4, IPv6) that may use the key, at most 100; null for any."
    )
  },
  "CreateKeyRequest",
  limits
)
export type CreateKey = typeof CreateKey.Type

export const UpdateKey = closed(
  {
    name: optional(keyName, "Name of the key, at most 200 characters."),
    agent_label: optionalOrNull(agentLabel, "Name of the agent that uses the key; null removes it."),
    requests_per_minute: optionalOrNull(integer(1, 1_000_000), "Request limit; it can only be set or lowered."),
    dollars_per_hour: optionalOrNull(
      dollarsPerHour,
      "Spend ceiling in US dollars per hour, at least 0.01 (one cent); it can only be set or lowered."
    ),
    scopes: optional(list(Scope, 0, maxScopes), "Scopes that the key keeps; none can be added.")
  },
  "UpdateKeyRequest",
  { requests_per_minute: 60 }
)
export type UpdateKey = typeof UpdateKey.Type

export const CreatedKey = record(
  "CreatedApiKey",
  {
    key: field(KeyRecord, "Record of the created key."),
    api_key: field(Schema.String, "The full key. It is never shown again.")
  },
  {
    key: {
      id: KeyId.make("01a1f7f8-5f1a-73c0-98e4-85bccc698068"),
      ...limits,
      prefix: "asy_g3Toyycw",
      agent_label: null,
      created_by: UserId.make("01a1f7f4-6852-7074-af98-e15869b1df63"),
      created_at: "2026-11-20T08:00:12.044Z",
      expires_at: null,
      last_used_at: null,
      last_used_ip: null,
      revoked_at: null
    },
    api_key: "asy_g3Toyycwexample0example0example0example0"
  }
)
export type CreatedKey = typeof CreatedKey.Type

export class KeyNotFound extends notFound("KeyNotFound", "not_found") {}
export class KeyLimitReached extends conflict("KeyLimitReached", "key_limit_reached") {}
/** A limit was raised or cleared, or a scope added, after creation. */
export class KeyOnlyTightens extends badRequest("KeyOnlyTightens", "bad_request") {}
