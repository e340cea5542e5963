import { Schema } from "effect"
import { apiError, badRequest, conflict, forbidden, notFound, unprocessable } from "./ApiError.ts"
import { closed, record } from "./closed.ts"
import { EntryId, UserId } from "./Ids.ts"
import { pageEnd, pageQuery } from "./Page.ts"
import { ProjectPath } from "./Project.ts"
import {
  booleanQuery,
  Count,
  described,
  field,
  Instant,
  integer,
  integerQuery,
  JsonObject,
  nullable,
  oneOf,
  optional,
  optionalOrNull,
  text,
  Uuid
} from "./Text.ts"

/** Characters, unless the unit says otherwise. */
export const contextLimits = {
  key: { limit: 200, unit: "characters" },
  title: { limit: 200, unit: "characters" },
  summary: { limit: 500, unit: "characters" },
  tag: { limit: 64, unit: "characters" },
  label: { limit: 64, unit: "characters" },
  reason: { limit: 2000, unit: "characters" },
  agent_label: { limit: 200, unit: "characters" },
  body_md: { limit: 64 * 1024, unit: "bytes" },
  data: { limit: 32 * 1024, unit: "bytes" }
} as const
export type ContextField = keyof typeof contextLimits

export const maxContextTags = 20
export const maxContextLabels = 20
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
  name: nullable(Schema.String, "Name of the key."),
  prefix: nullable(Schema.String, "First characters of the key.")
})

export const ContextActor = record("ContextActor", {
  kind: field(Schema.String, "`user` or `api_key`."),
  api_key: nullable(ContextActorKey, "The API key; null for a user."),
  label: nullable(Schema.String, "Name to show."),
  label_verified: field(Schema.Boolean, "Whether the label is verified; false for one that the writer chose."),
  user_id: nullable(UserId, "ID of the user; null for an API key.")
})
export type ContextActor = typeof ContextActor.Type

const source = {
  source_hidden: field(Schema.Boolean, "Whether the level it lives at is hidden from the caller."),
  source_project_slug: nullable(
    Schema.String,
    "Slug of the level it lives at; null for the workspace, and where that level is hidden."
  )
}

const level = field(ContextLevel, "Where it lives, relative to the addressed level.")
const distance = field(Count, "Levels between the addressed level and the one it lives at; 0 for its own.")
const version = field(Count, "Version, counted from 1; every change adds one.")

export const ContextReplaced = record("ContextReplaced", {
  entry_id: field(EntryId, "ID of the overridden entry."),
  version,
  level,
  ...source
})
export type ContextReplaced = typeof ContextReplaced.Type

export const ContextSecretWarning = record("ContextSecretWarning", {
  field: field(Schema.String, "Field that looks like it holds a credential, such as `body_md`."),
  secret_kind: field(
    Schema.String,
    "A rule ID, `generic-api-key` for a labelled value or `high-entropy-string` for a random-looking one."
  ),
  message: field(Schema.String, "What was noticed, without the value.")
})
export type ContextSecretWarning = typeof ContextSecretWarning.Type

const etag = described(Schema.String, "Entry ID and version: the value for `If-Match` and `expected_etag`.")
const key = field(Schema.String, "Key of the entry, unique at its level.")
const kind = field(ContextKind, "Kind of entry.")
const status = field(ContextStatus, "`proposed` until a person confirms it, then `live`.")
const summary = field(Schema.String, "One or two sentences for lists and digests.")
const labels = field(Schema.Array(Schema.String), "Labels that people set; levels below inherit them with the entry.")
const tags = field(Schema.Array(Schema.String), "Tags that the writer chose.")

const summaryFields = {
  id: field(EntryId, "ID of the entry."),
  key,
  version,
  etag,
  status,
  kind,
  title: field(Schema.String, "Title of the entry."),
  summary,
  scope: field(ContextScope, "`project`: applies to this level only; `subtree`: also to all levels below."),
  level,
  distance,
  created_by: field(ContextActor, "Who created it."),
  updated_by: field(ContextActor, "Who changed it last."),
  created_at: field(Instant, "When it was created."),
  updated_at: field(Instant, "When it last changed."),
  corroborated_at: nullable(Instant, "When another key corroborated it; null if none did since the last change."),
  corroborated_by: nullable(ContextActor, "The key that corroborated it; null if none did since the last change."),
  disabled_at: nullable(Instant, "When it was disabled; null while it is enabled."),
  disabled_reason: nullable(Schema.String, "Why it was disabled; null while it is enabled."),
  labels,
  last_confirmed_at: nullable(Instant, "When a person last confirmed it; null if none did."),
  last_confirmed_by_user_id: nullable(UserId, "ID of the user who confirmed it last; null if none did."),
  replaces: field(Schema.Array(ContextReplaced), "Entries of levels above that it overrides (same key)."),
  tags,
  ...source
}

export const ContextEntrySummary = record("ContextEntrySummary", summaryFields)
export type ContextEntrySummary = typeof ContextEntrySummary.Type

const secretWarnings = optional(
  Schema.Array(ContextSecretWarning),
  "Values that look like credentials; only in the response to a write."
)

export const ContextEntry = record("ContextEntry", {
  ...summaryFields,
  body_md: field(Schema.String, "Full text, in Markdown."),
  data: field(JsonObject, "Structured data of the entry."),
  project: nullable(Schema.String, "Slug of the addressed level; null for the workspace."),
  secret_warnings: secretWarnings
})
export type ContextEntry = typeof ContextEntry.Type

export const ContextEntryWriteAck = record("ContextEntryWriteAck", {
  id: field(EntryId, "ID of the entry."),
  key,
  version,
  etag,
  status,
  secret_warnings: secretWarnings
})
export type ContextEntryWriteAck = typeof ContextEntryWriteAck.Type

/** Response to a write: the whole entry, or the acknowledgement for callers who may not read. */
export const ContextWritten = Schema.Union(ContextEntry, ContextEntryWriteAck)
export type ContextWritten = typeof ContextWritten.Type

const headEtag = field(Schema.String, "Changes whenever an entry that applies here changes.")
const chainOk = field(
  Schema.Boolean,
  "Whether every level above could be read; false where one is hidden from the caller."
)

export const ContextEntriesPage = record("ContextEntriesPage", {
  data: field(Schema.Array(ContextEntrySummary), "Entries of this page."),
  head_etag: headEtag,
  chain_ok: chainOk,
  proposed_count: field(Count, "Number of this level's own proposed entries."),
  ...pageEnd
})
export type ContextEntriesPage = typeof ContextEntriesPage.Type

export const ContextDigestRow = record("ContextDigestRow", {
  key,
  kind,
  summary,
  status,
  level,
  distance,
  etag,
  labels,
  tags,
  ...source
})
export type ContextDigestRow = typeof ContextDigestRow.Type

export const DigestResolution = record("DigestResolution", {
  repo: field(Schema.String, "Slug of the repository branch: `repo@branch`."),
  ambiguous: field(Schema.Boolean, "Whether several levels hold the repository equally closely."),
  fell_back_to_workspace: field(Schema.Boolean, "Whether the workspace's digest was returned instead."),
  candidates: field(Schema.Array(Schema.String), "Slugs of those levels when it is ambiguous.")
})

export const ContextDigest = record("ContextDigest", {
  chain_ok: chainOk,
  ancestry_fingerprint: field(Schema.String, "Fingerprint of the addressed level and the levels above."),
  head_etag: headEtag,
  truncated: field(Schema.Boolean, "Whether more entries apply than are listed."),
  entries: field(Schema.Array(ContextDigestRow), "Entries in reading order."),
  project: nullable(Schema.String, "Slug of the level of the digest; null for the workspace."),
  resolved_from: nullable(DigestResolution, "How the level was found from a repository; null if it was addressed.")
})
export type ContextDigest = typeof ContextDigest.Type

export const ContextEventPrev = record("ContextEventPrev", {
  body_md: nullable(Schema.String, "Text before the change; null when the entry was created."),
  data: nullable(JsonObject, "Data before the change; null when the entry was created."),
  kind: nullable(ContextKind, "Kind before the change; null when the entry was created."),
  scope: nullable(ContextScope, "Scope before the change; null when the entry was created."),
  status: nullable(ContextStatus, "Status before the change; null when the entry was created."),
  summary: nullable(Schema.String, "Summary before the change; null when the entry was created."),
  tags: nullable(Schema.Array(Schema.String), "Tags before the change; null when the entry was created."),
  title: nullable(Schema.String, "Title before the change; null when the entry was created."),
  labels: nullable(Schema.Array(Schema.String), "Labels before the change; null when there is no record of them.")
})
export type ContextEventPrev = typeof ContextEventPrev.Type

export const ContextEventName = oneOf("created", "updated", "deleted", "restored", "confirmed", "corroborated")
export type ContextEventName = typeof ContextEventName.Type

export const ContextEvent = record("ContextEvent", {
  id: field(Uuid, "ID of the event."),
  version: field(Count, "Version of the entry after the event."),
  event: field(ContextEventName, "What happened; `deleted` is recorded when an entry is disabled."),
  actor: field(ContextActor, "Who caused the event."),
  prev: field(ContextEventPrev, "Values before the change."),
  detail: nullable(JsonObject, "Details of the event; null where there are none."),
  created_at: field(Instant, "When it happened.")
})
export type ContextEvent = typeof ContextEvent.Type

export const ContextHistoryPage = record("ContextHistoryPage", {
  data: field(Schema.Array(ContextEvent), "Events of this page, newest first."),
  entry_id: field(EntryId, "ID of the entry."),
  ...pageEnd
})
export type ContextHistoryPage = typeof ContextHistoryPage.Type

// Requests.

// The service checks the sizes and rejects them with codes of their own; the document and the tools show them.

const sizeSchema = (name: ContextField) => ({ type: "string", maxLength: contextLimits[name].limit }) as const

/** Text that may be empty. */
const sized = (name: ContextField) => Schema.String.annotations({ jsonSchema: sizeSchema(name) })

/** Text that is not empty; one that is blank is rejected with a code of its own. */
const filled = (name: ContextField) =>
  Schema.String.pipe(Schema.filter((s) => (s.length === 0 ? "must have at least 1 character" : undefined))).annotations(
    { jsonSchema: { ...sizeSchema(name), minLength: 1 } }
  )

const words = (name: "tag" | "label", maxItems: number) =>
  Schema.Array(Schema.String.annotations({ jsonSchema: { ...sizeSchema(name), minLength: 1 } })).annotations({
    jsonSchema: { maxItems, uniqueItems: true }
  })

const size = (name: ContextField) => `at most ${contextLimits[name].limit} ${contextLimits[name].unit}`

const shared = {
  data: optionalOrNull(
    JsonObject,
    `Structured data, ${size("data")} of JSON. In a replacement null clears it; left out, it stays.`
  ),
  scope: optionalOrNull(
    ContextScope,
    "`project`: this level only, the default of a new entry; `subtree`: also all levels below, and the workspace's always."
  ),
  tags: optionalOrNull(words("tag", maxContextTags), `At most ${maxContextTags} tags of ${size("tag")} each.`),
  agent_label: optionalOrNull(
    sized("agent_label"),
    `Name of the writing agent, ${size("agent_label")}; default: the key's name and prefix.`
  )
}

const titleText = `Title, ${size("title")}.`
const summaryText = `One or two sentences for lists and digests, ${size("summary")}.`
const bodyText = `Full text in Markdown, ${size("body_md")}.`

export const putFields = {
  kind,
  title: field(filled("title"), titleText),
  summary: field(filled("summary"), summaryText),
  body_md: optional(sized("body_md"), bodyText),
  ...shared
}
export const createFields = { key: field(filled("key"), `Key of the entry, ${size("key")}.`), ...putFields }
export const patchFields = {
  body_md: optionalOrNull(sized("body_md"), bodyText),
  kind: optionalOrNull(ContextKind, "Kind of entry."),
  summary: optionalOrNull(filled("summary"), summaryText),
  title: optionalOrNull(filled("title"), titleText),
  ...shared,
  data: optionalOrNull(JsonObject, "JSON merge patch of the structured data: null removes a key.")
}

// Not among the arguments of tools: keys set no labels.
const labelled = {
  labels: optionalOrNull(
    words("label", maxContextLabels),
    `At most ${maxContextLabels} labels of ${size("label")} each, by a signed-in person only. Left out or null, they stay.`
  )
}

const exampleEntry = {
  kind: "warning",
  title: "Payments are frozen in December",
  summary: "Nothing that touches payments is merged between 1 December and 6 January.",
  body_md: "Exceptions go through the on-call lead.",
  tags: ["payments", "freeze"]
} as const

export const CreateContextEntry = closed({ ...createFields, ...labelled }, "CreateContextEntryRequest", {
  key: "payments/freeze",
  ...exampleEntry
})
export type CreateContextEntry = typeof CreateContextEntry.Type
export const PutContextEntry = closed({ ...putFields, ...labelled }, "PutContextEntryRequest", exampleEntry)
export type PutContextEntry = typeof PutContextEntry.Type
export const PatchContextEntry = closed({ ...patchFields, ...labelled }, "PatchContextEntryRequest", {
  summary: "Payments: nothing is merged in December.",
  data: { until: "2027-01-06" }
})
export type PatchContextEntry = typeof PatchContextEntry.Type
export const DisableContextEntry = closed(
  { reason: field(filled("reason"), `Why the entry is disabled, ${size("reason")}.`) },
  "DisableContextEntryRequest",
  { reason: "The freeze is over." }
)

export const contextFilters = {
  kind: optional(ContextKind, "Only entries of this kind."),
  status: optional(ContextStatus, "Only entries with this status; `proposed` until a person confirms one."),
  tag: optional(Schema.String, "Only entries with exactly this tag."),
  q: optional(
    text(1, maxContextSearch),
    "Search words in title, summary and text; quoted phrases, `or` and `-word` work as in web search."
  )
}
export const ContextEntriesQuery = closed({
  ...contextFilters,
  include_disabled: optional(booleanQuery, "Also list this level's own disabled entries."),
  ...pageQuery
})
export interface ContextEntriesRequest {
  readonly kind?: ContextKind
  readonly status?: ContextStatus
  readonly tag?: string
  readonly q?: string
  readonly include_disabled?: boolean
  readonly limit?: number
  readonly cursor?: string
}

const digestSize = `Default ${defaultDigestLimit}.`
export const DigestQuery = closed({
  limit: optional(integerQuery(1, maxDigestLimit), `Number of entries, at most ${maxDigestLimit}. ${digestSize}`)
})
export const digestLimit = optional(integer(1, maxDigestLimit), `Number of entries; default ${defaultDigestLimit}.`)

const keySegment = field(Schema.String, "Key of the entry; in a URL, `/` in it is sent as `%2F`.")
export const ContextKeyPath = Schema.Struct({ key: keySegment })
export const ProjectContextPath = ProjectPath
export const ProjectContextKeyPath = Schema.Struct({ ...ProjectPath.fields, key: keySegment })

// Errors.

export class MalformedEtag extends badRequest("MalformedEtag", "malformed_etag") {}
export class ContextEntryNotFound extends notFound("ContextEntryNotFound", "not_found") {}
export class ContextKeyTaken extends conflict("ContextKeyTaken", "key_taken") {}
export class VersionConflict extends conflict("VersionConflict", "version_conflict") {}
export class NotProposed extends conflict("NotProposed", "not_proposed") {}
export class AlreadyCorroborated extends conflict("AlreadyCorroborated", "already_corroborated") {}
export class SelfCorroboration extends forbidden("SelfCorroboration", "self_corroboration") {}
export class PreconditionRequired extends apiError("PreconditionRequired", {
  status: 428,
  type: "invalid_request_error",
  code: "precondition_required"
}) {}

export class FieldTooLarge extends unprocessable("FieldTooLarge", "field_too_large") {}
export class KeyTooLong extends unprocessable("KeyTooLong", "key_too_long") {}
export class SecretDetected extends unprocessable("SecretDetected", "secret_detected") {}
export class KeyReserved extends unprocessable("KeyReserved", "key_reserved") {}
export class KeyNotAddressable extends unprocessable("KeyNotAddressable", "key_not_addressable") {}
export class KeyPadded extends unprocessable("KeyPadded", "key_padded") {}
export class ScopeInvalid extends unprocessable("ScopeInvalid", "scope_invalid") {}
export class TagsInvalid extends unprocessable("TagsInvalid", "tags_invalid") {}
export class LabelsInvalid extends unprocessable("LabelsInvalid", "labels_invalid") {}
export class BlankField extends unprocessable("BlankField", "blank_field") {}
