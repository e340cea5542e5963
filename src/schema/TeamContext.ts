import { Schema } from "effect"
import { apiError } from "./ApiError.ts"
import { closed, record } from "./closed.ts"
import { pageQuery } from "./Page.ts"
import {
  booleanQuery,
  Count,
  described,
  Instant,
  integer,
  integerQuery,
  JsonObject,
  oneOf,
  optional,
  text,
  Uuid
} from "./Text.ts"

// Sizes are refused with codes of their own, so they are not on the fields.

/** Characters, unless the unit says otherwise. */
export const contextLimits = {
  key: { limit: 200, unit: "characters" },
  title: { limit: 200, unit: "characters" },
  summary: { limit: 500, unit: "characters" },
  tag: { limit: 64, unit: "characters" },
  reason: { limit: 2000, unit: "characters" },
  agent_label: { limit: 200, unit: "characters" },
  body_md: { limit: 64 * 1024, unit: "bytes" },
  data: { limit: 32 * 1024, unit: "bytes" }
} as const
export type ContextField = keyof typeof contextLimits

export const maxContextTags = 20
export const maxContextSearch = 400
export const defaultDigestLimit = 40
export const maxDigestLimit = 100
/** Changed by the workspace's guidance setting only. */
export const organizationContextKey = "organization-context"

export const ContextKind = oneOf("decision", "convention", "runbook", "warning", "note", "flag")
export type ContextKind = typeof ContextKind.Type
export const ContextStatus = oneOf("proposed", "live")
export type ContextStatus = typeof ContextStatus.Type
export const ContextScope = oneOf("project", "subtree")
export type ContextScope = typeof ContextScope.Type
export const ContextLevel = oneOf("own", "inherited", "workspace")
export type ContextLevel = typeof ContextLevel.Type

const ContextActorKey = record("ContextActorKey", {
  name: Schema.NullOr(Schema.String),
  prefix: Schema.NullOr(Schema.String)
})

export const ContextActor = record("ContextActor", {
  kind: Schema.String.annotations({ description: "`user` or `api_key`." }),
  api_key: Schema.NullOr(ContextActorKey),
  label: Schema.NullOr(Schema.String),
  label_verified: Schema.Boolean.annotations({ description: "False for a label that the writer chose." }),
  user_id: Schema.NullOr(Uuid)
})
export type ContextActor = typeof ContextActor.Type

const source = {
  source_hidden: Schema.Boolean.annotations({
    description: "Whether the level it lives at is hidden from the caller."
  }),
  source_project_slug: Schema.NullOr(Schema.String).annotations({
    description: "Slug of the level it lives at; null for the workspace."
  })
}

export const ContextReplaced = record("ContextReplaced", {
  entry_id: Uuid,
  version: Count,
  level: ContextLevel,
  ...source
})
export type ContextReplaced = typeof ContextReplaced.Type

export const ContextSecretWarning = record("ContextSecretWarning", {
  field: Schema.String,
  secret_kind: Schema.String.annotations({
    description: "A rule id, `generic-api-key` for a labelled value or `high-entropy-string` for a random-looking one."
  }),
  message: Schema.String
})
export type ContextSecretWarning = typeof ContextSecretWarning.Type

const etag = described(Schema.String, "Entry id and version: what `If-Match` and `expected_etag` take.")

const summaryFields = {
  id: Uuid,
  key: Schema.String,
  version: Count,
  etag,
  status: ContextStatus,
  kind: ContextKind,
  title: Schema.String,
  summary: Schema.String,
  scope: ContextScope,
  level: ContextLevel.annotations({
    description: "Where it lives, seen from the addressed level.",
    jsonSchema: { type: "string", enum: ["own", "inherited", "workspace"] }
  }),
  distance: Count,
  created_by: ContextActor,
  updated_by: ContextActor,
  created_at: Instant,
  updated_at: Instant,
  corroborated_at: Schema.NullOr(Instant),
  corroborated_by: Schema.NullOr(ContextActor),
  disabled_at: Schema.NullOr(Instant),
  disabled_reason: Schema.NullOr(Schema.String),
  labels: Schema.Array(Schema.String),
  last_confirmed_at: Schema.NullOr(Instant),
  last_confirmed_by_user_id: Schema.NullOr(Uuid),
  replaces: Schema.Array(ContextReplaced).annotations({ description: "Entries of levels above with the same key." }),
  tags: Schema.Array(Schema.String),
  ...source
}

export const ContextEntrySummary = record("ContextEntrySummary", summaryFields)
export type ContextEntrySummary = typeof ContextEntrySummary.Type

export const ContextEntry = record("ContextEntry", {
  ...summaryFields,
  body_md: Schema.String,
  data: JsonObject,
  project: Schema.NullOr(Schema.String).annotations({
    description: "Slug of the addressed level; null: the workspace."
  }),
  secret_warnings: optional(
    Schema.Array(ContextSecretWarning).annotations({ description: "Only in the answer to a write." })
  )
})
export type ContextEntry = typeof ContextEntry.Type

export const ContextEntryWriteAck = record("ContextEntryWriteAck", {
  id: Uuid,
  key: Schema.String,
  version: Count,
  etag,
  status: ContextStatus,
  secret_warnings: optional(Schema.Array(ContextSecretWarning))
})
export type ContextEntryWriteAck = typeof ContextEntryWriteAck.Type

/** What a write answers: the whole entry, or the acknowledgement for callers who may not read. */
export const ContextWritten = Schema.Union(ContextEntry, ContextEntryWriteAck)
export type ContextWritten = typeof ContextWritten.Type

export const ContextEntriesPage = record("ContextEntriesPage", {
  data: Schema.Array(ContextEntrySummary),
  head_etag: Schema.String.annotations({ description: "Changes whenever anything in the effective set does." }),
  chain_ok: Schema.Boolean.annotations({ description: "Whether every level above could be read." }),
  proposed_count: Count.annotations({ description: "This level's own proposed entries." }),
  has_more: Schema.Boolean,
  next_cursor: Schema.NullOr(Schema.String)
})
export type ContextEntriesPage = typeof ContextEntriesPage.Type

export const ContextDigestRow = record("ContextDigestRow", {
  key: Schema.String,
  kind: ContextKind,
  summary: Schema.String,
  status: ContextStatus,
  level: ContextLevel,
  distance: Count,
  etag,
  labels: Schema.Array(Schema.String),
  tags: Schema.Array(Schema.String),
  ...source
})
export type ContextDigestRow = typeof ContextDigestRow.Type

export const DigestResolution = record("DigestResolution", {
  repo: Schema.String,
  ambiguous: Schema.Boolean,
  fell_back_to_workspace: Schema.Boolean,
  candidates: Schema.Array(Schema.String)
})

export const ContextDigest = record("ContextDigest", {
  chain_ok: Schema.Boolean,
  ancestry_fingerprint: Schema.String,
  head_etag: Schema.String,
  truncated: Schema.Boolean.annotations({ description: "Whether more entries apply than are listed." }),
  entries: Schema.Array(ContextDigestRow),
  project: Schema.NullOr(Schema.String),
  resolved_from: Schema.NullOr(DigestResolution)
})
export type ContextDigest = typeof ContextDigest.Type

export const ContextEventPrev = record("ContextEventPrev", {
  body_md: Schema.NullOr(Schema.String),
  data: Schema.NullOr(JsonObject),
  kind: Schema.NullOr(ContextKind),
  scope: Schema.NullOr(ContextScope),
  status: Schema.NullOr(ContextStatus),
  summary: Schema.NullOr(Schema.String),
  tags: Schema.NullOr(Schema.Array(Schema.String)),
  title: Schema.NullOr(Schema.String)
})
export type ContextEventPrev = typeof ContextEventPrev.Type

export const ContextEventName = oneOf("created", "updated", "deleted", "restored", "confirmed", "corroborated")
export type ContextEventName = typeof ContextEventName.Type

export const ContextEvent = record("ContextEvent", {
  id: Uuid,
  version: Count,
  event: ContextEventName,
  actor: ContextActor,
  prev: ContextEventPrev,
  detail: Schema.NullOr(JsonObject),
  created_at: Instant
})
export type ContextEvent = typeof ContextEvent.Type

export const ContextHistoryPage = record("ContextHistoryPage", {
  data: Schema.Array(ContextEvent),
  entry_id: Uuid,
  has_more: Schema.Boolean,
  next_cursor: Schema.NullOr(Schema.String)
})
export type ContextHistoryPage = typeof ContextHistoryPage.Type

// Requests.

/** Text that is there; whether it is blank is told apart. */
export const filled = Schema.String.pipe(
  Schema.filter((s) => (s.length === 0 ? "must have at least 1 character" : undefined))
).annotations({ jsonSchema: { type: "string", minLength: 1 } })

const orNull = <A, I, R>(schema: Schema.Schema<A, I, R>) => optional(Schema.NullOr(schema))

const shared = {
  data: orNull(JsonObject),
  scope: orNull(ContextScope),
  tags: orNull(Schema.Array(Schema.String)),
  agent_label: orNull(Schema.String)
}

export const putFields = {
  kind: ContextKind,
  title: filled,
  summary: filled,
  body_md: optional(Schema.String),
  ...shared
}
export const createFields = { key: filled, ...putFields }
export const patchFields = {
  body_md: orNull(Schema.String),
  kind: orNull(ContextKind),
  summary: orNull(filled),
  title: orNull(filled),
  ...shared
}

export const CreateContextEntry = closed(createFields, "CreateContextEntryRequest")
export type CreateContextEntry = typeof CreateContextEntry.Type
export const PutContextEntry = closed(putFields, "PutContextEntryRequest")
export type PutContextEntry = typeof PutContextEntry.Type
export const PatchContextEntry = closed(patchFields, "PatchContextEntryRequest")
export type PatchContextEntry = typeof PatchContextEntry.Type
export const DisableContextEntry = closed({ reason: filled }, "DisableContextEntryRequest")

export const contextFilters = {
  kind: optional(ContextKind),
  status: optional(ContextStatus),
  tag: optional(Schema.String.annotations({ description: "Entries with exactly this tag." })),
  q: optional(
    described(text(1, maxContextSearch), "Words to search for; quoted phrases, `or` and `-word` work as on the web.")
  )
}
export const ContextEntriesQuery = closed({ ...contextFilters, include_disabled: optional(booleanQuery), ...pageQuery })
export interface ContextEntriesRequest {
  readonly kind?: ContextKind
  readonly status?: ContextStatus
  readonly tag?: string
  readonly q?: string
  readonly include_disabled?: boolean
  readonly limit?: number
  readonly cursor?: string
}

export const DigestQuery = closed({ limit: optional(integerQuery(1, maxDigestLimit)) })
export const digestLimit = optional(described(integer(1, maxDigestLimit), `Default ${defaultDigestLimit}.`))

export const ContextKeyPath = Schema.Struct({ key: Schema.String })
export const ProjectContextPath = Schema.Struct({ slug: Schema.String })
export const ProjectContextKeyPath = Schema.Struct({ slug: Schema.String, key: Schema.String })

// Refusals.

export class MalformedEtag extends apiError("MalformedEtag", {
  status: 400,
  type: "invalid_request_error",
  code: "malformed_etag"
}) {}
export class ContextEntryNotFound extends apiError("ContextEntryNotFound", {
  status: 404,
  type: "not_found",
  code: "not_found"
}) {}
export class ContextKeyTaken extends apiError("ContextKeyTaken", {
  status: 409,
  type: "conflict",
  code: "key_taken"
}) {}
export class VersionConflict extends apiError("VersionConflict", {
  status: 409,
  type: "conflict",
  code: "version_conflict"
}) {}
export class NotProposed extends apiError("NotProposed", { status: 409, type: "conflict", code: "not_proposed" }) {}
export class AlreadyCorroborated extends apiError("AlreadyCorroborated", {
  status: 409,
  type: "conflict",
  code: "already_corroborated"
}) {}
export class SelfCorroboration extends apiError("SelfCorroboration", {
  status: 403,
  type: "permission_error",
  code: "self_corroboration"
}) {}
export class PreconditionRequired extends apiError("PreconditionRequired", {
  status: 428,
  type: "invalid_request_error",
  code: "precondition_required"
}) {}

const refused = <const Tag extends string, const Code extends string>(tag: Tag, code: Code) =>
  apiError(tag, { status: 422, type: "invalid_request_error", code })

export class FieldTooLarge extends refused("FieldTooLarge", "field_too_large") {}
export class KeyTooLong extends refused("KeyTooLong", "key_too_long") {}
export class SecretDetected extends refused("SecretDetected", "secret_detected") {}
export class KeyReserved extends refused("KeyReserved", "key_reserved") {}
export class KeyNotAddressable extends refused("KeyNotAddressable", "key_not_addressable") {}
export class KeyPadded extends refused("KeyPadded", "key_padded") {}
export class ScopeInvalid extends refused("ScopeInvalid", "scope_invalid") {}
export class TagsInvalid extends refused("TagsInvalid", "tags_invalid") {}
export class BlankField extends refused("BlankField", "blank_field") {}
