import { Schema } from "effect"
import { apiError } from "./ApiError.ts"
import { closed, record } from "./closed.ts"
import { Actor } from "./Job.ts"
import { pageQuery } from "./Page.ts"
import { Amount, booleanQuery, Count, described, Instant, InstantInput, oneOf, optional, text, Uuid } from "./Text.ts"

/** `OBS-N` */
export const ObservationRef = Schema.String.pipe(
  Schema.filter((s) => (/^OBS-[1-9]\d{0,9}$/.test(s) ? undefined : "must look like OBS-12"))
).annotations({ jsonSchema: { type: "string", pattern: "^OBS-[1-9][0-9]{0,9}$" } })
export const ObservationPath = Schema.Struct({ ref: ObservationRef })

export const Kind = oneOf("finding", "suggestion", "advisory")
export type Kind = typeof Kind.Type
export const ObservationStatus = oneOf("new", "closed")
export type ObservationStatus = typeof ObservationStatus.Type
export const Priority = oneOf("P0", "P1", "P2", "P3")
export type Priority = typeof Priority.Type
export const Category = oneOf("security", "correctness", "maintainability", "performance", "architecture", "operations")
export type Category = typeof Category.Type
export const CloseReason = oneOf("fixed", "dismissed", "completed", "expired")
export type CloseReason = typeof CloseReason.Type
export const Domain = oneOf("security", "code_quality", "reliability", "data_apis", "testing", "devops", "ux")
export type Domain = typeof Domain.Type
export const Effort = oneOf("small", "medium", "large")
export type Effort = typeof Effort.Type
export const Risk = oneOf("low", "medium", "high")
export type Risk = typeof Risk.Type

export const DismissalCategory = oneOf(
  "false_positive",
  "wont_fix",
  "out_of_scope",
  "stale",
  "exhausted_fix_attempts",
  "no_longer_found",
  "other"
)
export type DismissalCategory = typeof DismissalCategory.Type
/** Dismissals that stay closed when an audit finds the same thing again. */
export const stickyDismissals: ReadonlySet<DismissalCategory> = new Set(["false_positive", "wont_fix", "out_of_scope"])

export const Location = record("ObservationLocation", {
  file_path: Schema.String,
  symbol: Schema.NullOr(Schema.String),
  line_start: Count,
  line_end: Count
})
export type Location = typeof Location.Type

export const CitationCheck = record("CitationCheck", {
  checked_at_stage: Schema.NullOr(Schema.String),
  line_in_range: Schema.NullOr(Schema.Boolean),
  missing_identifiers: Schema.NullOr(Schema.Array(Schema.String)),
  path_resolved: Schema.NullOr(Schema.Boolean)
})
export type CitationCheck = typeof CitationCheck.Type

export const DetectionQueryCheck = record("DetectionQueryCheck", {
  absence_hint: Schema.NullOr(Schema.Boolean),
  match_count: Schema.NullOr(Count),
  status: Schema.NullOr(Schema.String)
})
export type DetectionQueryCheck = typeof DetectionQueryCheck.Type

const row = {
  ref: ObservationRef,
  id: Uuid,
  kind: Kind,
  status: ObservationStatus,
  priority: Priority,
  category: Category,
  title: Schema.String,
  description: Schema.String,
  repo_name: Schema.String,
  domain: Domain,
  tool: Schema.String,
  rule_id: Schema.String,
  cwe: Schema.Array(Count),
  confidence: Amount,
  effort: Effort,
  risk: Risk,
  evidence: Schema.Struct({
    citation: Schema.NullOr(CitationCheck),
    detection_query: Schema.NullOr(DetectionQueryCheck)
  }),
  snippet: Schema.NullOr(Schema.String),
  suggested_change: Schema.NullOr(Schema.String),
  close_reason: Schema.NullOr(CloseReason),
  dismissal_category: Schema.NullOr(DismissalCategory),
  dismissal_note: Schema.NullOr(Schema.String),
  closed_at: Schema.NullOr(Instant),
  closed_by: Schema.NullOr(Actor),
  completion_url: Schema.NullOr(Schema.String),
  completion_note: Schema.NullOr(Schema.String),
  acknowledged_at: Schema.NullOr(Instant),
  first_seen_at: Instant,
  last_seen_at: Instant,
  first_seen_job_id: Schema.NullOr(Uuid),
  times_seen: Count,
  fix_attempts: Count,
  has_fix_pr: Schema.Boolean,
  ticket_url: Schema.NullOr(Schema.String),
  created_at: Instant,
  updated_at: Instant
}

export const Observation = record("Observation", {
  ...row,
  locations: Schema.optionalWith(Schema.Array(Location), { exact: true })
})
export type Observation = typeof Observation.Type

export const ObservationEvent = record("ObservationEvent", {
  at: Instant,
  actor: Actor,
  event: oneOf(
    "found",
    "seen_again",
    "resurfaced",
    "acknowledged",
    "dismissed",
    "completed",
    "reopened",
    "fixed",
    "expired"
  ),
  from_status: Schema.NullOr(ObservationStatus),
  to_status: ObservationStatus,
  reason: Schema.NullOr(Schema.String)
})
export type ObservationEvent = typeof ObservationEvent.Type

export const ObservationDetail = record("ObservationDetail", {
  ...row,
  locations: Schema.Array(Location),
  events: Schema.Array(ObservationEvent)
})
export type ObservationDetail = typeof ObservationDetail.Type

export const order = ["recency", "display_rank", "resolved"] as const
export type Order = (typeof order)[number]

export const defaultObservationPageSize = 100

export const observationFilters = {
  kind: optional(Kind),
  status: optional(ObservationStatus),
  priority: optional(Priority),
  category: optional(Category),
  repo: optional(text(1, 400)),
  since: optional(InstantInput),
  close_reason: optional(CloseReason),
  domain: optional(Domain),
  order: optional(oneOf(...order))
}
export const ObservationsQuery = closed({
  ...observationFilters,
  has_fix_pr: optional(booleanQuery),
  easy_wins: optional(booleanQuery),
  needs_review: optional(booleanQuery),
  include: optional(oneOf("locations")),
  ...pageQuery
})
export type ObservationsQuery = typeof ObservationsQuery.Type

export const maxSearch = 400
const { kind: _kind, ...findingFilters } = observationFilters
export const searchFilters = {
  q: described(text(1, maxSearch), "Words to search for; quoted phrases, `or` and `-word` work as on the web."),
  ...findingFilters
}
export const SearchQuery = closed({
  ...searchFilters,
  has_fix_pr: optional(booleanQuery),
  easy_wins: optional(booleanQuery),
  needs_review: optional(booleanQuery),
  include: optional(oneOf("locations")),
  ...pageQuery
})
export type SearchQuery = typeof SearchQuery.Type

export const filePath = described(text(1, 4096), "Path from the repository's root, such as src/index.ts.")
export const RecentQuery = closed({ file_path: filePath, include: optional(oneOf("locations")), ...pageQuery })
export type RecentQuery = typeof RecentQuery.Type

export const PendingMigrationsQuery = closed({
  repo: observationFilters.repo,
  include: optional(oneOf("locations")),
  ...pageQuery
})
export type PendingMigrationsQuery = typeof PendingMigrationsQuery.Type

const SimilarObservation = record("SimilarObservation", {
  ref: ObservationRef,
  title: Schema.String,
  status: ObservationStatus,
  priority: Priority,
  file_path: Schema.String
})
export type SimilarObservation = typeof SimilarObservation.Type

/** An observation in words, for a person or an agent that has to decide on it. */
export const ObservationExplanation = record("ObservationExplanation", {
  ref: ObservationRef,
  repo_name: Schema.String,
  title: Schema.String,
  summary: Schema.String.annotations({ description: "What it is and how it stands, in a few sentences." }),
  what: Schema.String.annotations({ description: "What is wrong here." }),
  how_it_comes_about: Schema.NullOr(Schema.String),
  why_and_how_to_fix: Schema.NullOr(Schema.String),
  suggested_change: Schema.NullOr(Schema.String),
  snippet: Schema.NullOr(Schema.String),
  locations: Schema.Array(Location),
  evidence: Schema.String.annotations({ description: "What was checked before it was recorded." }),
  similar: Schema.Array(SimilarObservation).annotations({
    description: "Others of the same rule in the repository, open ones first; at most ten."
  }),
  history: Schema.Array(Schema.String).annotations({ description: "A sentence an event, oldest first." }),
  next_steps: Schema.Array(Schema.String)
})
export type ObservationExplanation = typeof ObservationExplanation.Type

export const dismissalNote = text(10, 500)
export const reopenReason = text(1, 2000)
export const completionText = text(0, 2000)

export const Dismiss = closed(
  { dismissal_category: DismissalCategory, dismissal_note: dismissalNote },
  "DismissRequest"
)
export type Dismiss = typeof Dismiss.Type
export const Reopen = closed({ reopen_reason: reopenReason }, "ReopenRequest")
export type Reopen = typeof Reopen.Type
export const Complete = closed(
  { note: optional(Schema.NullOr(completionText)), url: optional(Schema.NullOr(completionText)) },
  "CompleteObservationRequest"
)
export type Complete = typeof Complete.Type

export class ObservationNotFound extends apiError("ObservationNotFound", {
  status: 404,
  type: "not_found",
  code: "not_found"
}) {}
export class ObservationClosed extends apiError("ObservationClosed", {
  status: 409,
  type: "conflict",
  code: "observation_closed"
}) {}
export class ObservationOpen extends apiError("ObservationOpen", {
  status: 409,
  type: "conflict",
  code: "observation_open"
}) {}
