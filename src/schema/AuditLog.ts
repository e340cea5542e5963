import { Schema } from "effect"
import { closed, record } from "./closed.ts"
import { UserId } from "./Ids.ts"
import { pageQuery } from "./Page.ts"
import { field, Instant, InstantInput, JsonObject, nullable, oneOf, optional, text, Uuid } from "./Text.ts"

const AuditActorKey = record("AuditActorKey", {
  name: field(Schema.String, "Name of the key."),
  prefix: field(Schema.String, "First characters of the key.")
})

export const AuditActor = record("AuditActor", {
  kind: field(oneOf("user", "api_key", "job", "system"), "Kind of actor."),
  user_id: nullable(UserId, "ID of the person; null for others."),
  api_key: nullable(AuditActorKey, "The API key; null for others."),
  label: nullable(Schema.String, "Name to show, such as the person's e-mail address.")
})
export type AuditActor = typeof AuditActor.Type

/** What changes: kinds of objects that an audit record names. */
export const auditObjectKinds = [
  "api_key",
  "bulk_operation",
  "change_review",
  "context_entry",
  "credential",
  "fix_pull_request",
  "invitation",
  "issue",
  "job",
  "member",
  "mission",
  "notices",
  "observation",
  "project",
  "project_role",
  "repository",
  "rule_setting",
  "session",
  "setting",
  "tracker",
  "user",
  "view",
  "webhook",
  "workspace"
] as const
export type AuditObjectKind = (typeof auditObjectKinds)[number]

export const AuditObject = record("AuditObject", {
  kind: field(Schema.String, "Kind of object, such as `observation`, `api_key` or `setting`."),
  ref: field(Schema.String, "What the object is known by: its ref, name, slug or ID.")
})

export const AuditRecord = record("AuditRecord", {
  id: field(Uuid, "ID of the record."),
  at: field(Instant, "When the change was made."),
  actor: field(AuditActor, "Who made it."),
  action: field(Schema.String, "Name of the operation, such as `observations.dismiss`."),
  object: field(AuditObject, "What was changed."),
  before: nullable(JsonObject, "The fields that changed, as they were; null for what did not exist. Without secrets."),
  after: nullable(JsonObject, "The fields that changed, as they are now; null for what was deleted. Without secrets."),
  address: nullable(Schema.String, "IP address of the client; null for background work."),
  request_id: nullable(Schema.String, "ID of the request; null for background work.")
})
export type AuditRecord = typeof AuditRecord.Type

const maxFilter = 500

/** Which records: all that are given must match. */
const auditFilters = {
  actor: optional(text(1, maxFilter), "A person's ID or e-mail address, a key's prefix, a job's ID, or `system`."),
  action: optional(text(1, maxFilter), "Name of an operation, such as `keys.create`."),
  object: optional(text(1, maxFilter), "A ref, such as `OBS-12`, a kind, or both as `kind:ref`."),
  since: optional(InstantInput, "Only changes at or after this time."),
  until: optional(InstantInput, "Only changes before this time.")
}

export const AuditLogQuery = closed({ ...pageQuery, ...auditFilters })
export type AuditLogQuery = typeof AuditLogQuery.Type
export type AuditFilters = Omit<AuditLogQuery, keyof typeof pageQuery>
