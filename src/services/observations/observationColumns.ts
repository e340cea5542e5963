import { Schema } from "effect"
import { Location, Observation } from "../../schema/Observation.ts"

/** The columns of an `Observation`, of the table `observations AS o`; `locations` are only read where they are asked for. */
export const observationColumns = `'OBS-' || o.number AS ref, o.id, o.kind, o.status, o.priority, o.category, o.title,
  o.description, (SELECT r.repo_name FROM repositories r WHERE r.id = o.repository_id) AS repo_name, o.domain, o.tool,
  o.rule_id, o.cwe, o.confidence, o.effort, o.risk, o.evidence, o.snippet, o.suggested_change, o.close_reason,
  o.dismissal_category, o.dismissal_note, o.closed_at, o.closed_by, o.completion_url, o.completion_note,
  o.acknowledged_at, o.first_seen_at, o.last_seen_at, o.first_seen_job_id, o.times_seen, o.fix_attempts, o.has_fix_pr,
  o.ticket_url, o.created_at, o.updated_at`

/** An observation as these columns and its locations give it. */
export const LocatedObservation = Schema.Struct({ ...Observation.fields, locations: Schema.Array(Location) })
