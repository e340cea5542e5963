import { Schema } from "effect"
import { conflict, notFound } from "./ApiError.ts"
import { closed, record } from "./closed.ts"
import { completedObservation, openObservation } from "./examples/observations.ts"
import { JobId, ObservationId } from "./Ids.ts"
import { Actor } from "./Job.ts"
import { pageQuery } from "./Page.ts"
import { RepoName } from "./Repository.ts"
import {
  Amount,
  booleanQuery,
  Count,
  described,
  field,
  Instant,
  InstantInput,
  nullable,
  oneOf,
  optional,
  optionalOrNull,
  someIds,
  someOf,
  text
} from "./Text.ts"

const refPattern = /^OBS-[1-9][0-9]{0,9}$/

/** `OBS-N` */
export const ObservationRef = described(
  Schema.String.pipe(Schema.filter((s) => (refPattern.test(s) ? undefined : "must look like OBS-12"))).annotations({
    jsonSchema: { type: "string", pattern: refPattern.source }
  }),
  "Reference of an observation, such as `OBS-12`."
)

/** The number that a reference has, unique in its workspace. It may be greater than what the column holds: no observation has it then. */
export const ObservationNumber = Schema.Int.pipe(Schema.brand("ObservationNumber"))
export type ObservationNumber = typeof ObservationNumber.Type

/** A reference that a client sends, decoded to its number; records carry the reference. */
export const ObservationNumberFromRef = Schema.transform(ObservationRef, ObservationNumber, {
  decode: (ref) => Number(ref.slice("OBS-".length)),
  encode: (number) => `OBS-${number}`
})
/** The reference of a number. */
export const refOf = Schema.encodeSync(ObservationNumberFromRef)

export const ObservationPath = Schema.Struct({ ref: ObservationNumberFromRef })

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
  file_path: field(Schema.String, "Path from the repository's root."),
  symbol: nullable(Schema.String, "Function, class or other symbol around the lines; null where there is none."),
  line_start: field(Count, "First line, counted from 1."),
  line_end: field(Count, "Last line, included.")
})
export type Location = typeof Location.Type

/** One step from the source to the sink. */
export const Step = record("ObservationStep", {
  file_path: field(Schema.String, "Path from the repository's root."),
  line: nullable(Count, "Line, counted from 1; null where the step is in another file and only that file is known."),
  note: field(Schema.String, "What happens in this step.")
})
export type Step = typeof Step.Type

export const CitationCheck = record("CitationCheck", {
  checked_at_stage: nullable(Schema.String, "Stage of the job that checked the cited location."),
  line_in_range: nullable(Schema.Boolean, "Whether the cited lines exist in the file."),
  missing_identifiers: nullable(Schema.Array(Schema.String), "Cited identifiers that the cited lines do not contain."),
  path_resolved: nullable(Schema.Boolean, "Whether the cited file exists in the audited commit.")
})
export type CitationCheck = typeof CitationCheck.Type

export const DetectionQueryCheck = record("DetectionQueryCheck", {
  absence_hint: nullable(Schema.Boolean, "Whether the second run suggests that the finding is absent."),
  match_count: nullable(Count, "How many matches the second run reported."),
  status: nullable(Schema.String, "Result of the second run: `confirmed`, `absent` or `inconclusive`.")
})
export type DetectionQueryCheck = typeof DetectionQueryCheck.Type

export const EvidenceItem = record("EvidenceItem", {
  looked_for: field(Schema.String, "What the rule looked for, beyond the code that it matched."),
  found: field(Schema.Boolean, "Whether it is there."),
  detail: optional(Schema.String, "What was found, or what the search covered.")
})
export type EvidenceItem = typeof EvidenceItem.Type

const row = {
  ref: ObservationRef,
  id: field(ObservationId, "ID of the observation."),
  kind: field(
    Kind,
    "`finding`: a defect; `suggestion`: an improvement; `advisory`: less sure than a finding, or about a dependency."
  ),
  status: field(ObservationStatus, "`new` while it is open."),
  priority: field(Priority, "Severity, from P0 (most severe) to P3."),
  category: field(Category, "Quality of the code that is at risk."),
  title: field(Schema.String, "Standard name of the problem and the specific case."),
  description: field(Schema.String, "What is wrong, why it matters and how to fix it, in Markdown."),
  repo_name: RepoName,
  domain: field(Domain, "Domain of the tool that found it."),
  tool: field(Schema.String, "ID of the tool that found it."),
  rule_id: field(Schema.String, "ID of the rule: `tool.rule`."),
  cwe: field(Schema.Array(Count), "Numbers of the Common Weakness Enumeration (CWE)."),
  confidence: field(
    Amount,
    "Share of such findings that are right, from 0 to 1, as measured on code that the rule was not written for."
  ),
  effort: field(Effort, "Estimated effort of a fix."),
  risk: field(Risk, "Estimated risk of a fix."),
  evidence: field(
    Schema.Struct({
      citation: nullable(CitationCheck, "Check of the cited location; null if there was none."),
      detection_query: nullable(DetectionQueryCheck, "Result of running the rule again; null if it was not run."),
      checks: optional(
        Schema.Array(EvidenceItem),
        "What was looked for and found or not found: the source, a validation, a guard, a pinned version."
      ),
      priority_reason: optional(Schema.String, "Why the priority is what it is.")
    }),
    "Checks that the finding passed before it was recorded, and what speaks for it."
  ),
  snippet: nullable(Schema.String, "Lines of code around the first location, secrets redacted."),
  suggested_change: nullable(Schema.String, "A proposed change, as a unified diff or as text."),
  close_reason: nullable(CloseReason, "Why it is closed; null while it is open."),
  dismissal_category: nullable(DismissalCategory, "Category of the dismissal; null unless it was dismissed."),
  dismissal_note: nullable(Schema.String, "Note of the dismissal."),
  closed_at: nullable(Instant, "When it was closed; null while it is open."),
  closed_by: nullable(Actor, "Who closed it; null while it is open."),
  completion_url: nullable(Schema.String, "Link to the proof, given on completion."),
  completion_note: nullable(Schema.String, "Note given on completion."),
  acknowledged_at: nullable(Instant, "When it was acknowledged; null if it was not."),
  first_seen_at: field(Instant, "When an audit found it for the first time."),
  last_seen_at: field(Instant, "When an audit found it for the last time."),
  first_seen_job_id: nullable(JobId, "ID of the job that found it first; null once that job is deleted."),
  times_seen: field(Count, "How many audits found it."),
  fix_attempts: field(Count, "How many fixes were attempted."),
  has_fix_pr: field(Schema.Boolean, "Whether it ever had a fix pull request."),
  ticket_url: nullable(Schema.String, "Address of the published ticket; null if none was published."),
  created_at: field(Instant, "When it was recorded."),
  updated_at: field(Instant, "When it last changed.")
}

export const Observation = record(
  "Observation",
  {
    ...row,
    locations: optional(
      Schema.Array(Location),
      "Where the observation is in the code, the main location first; lists have it with `include=locations` only."
    )
  },
  openObservation
)
export type Observation = typeof Observation.Type

/** An observation as closing it returns it. */
export const ClosedObservation = Observation.annotations({ examples: [completedObservation] })

/** What happens to attempts to fix an observation. */
const fixHistory = [
  "fix_started",
  "fix_retried",
  "fix_failed",
  "fix_declined",
  "fix_cancelled",
  "fix_pr_opened",
  "fix_pr_updated",
  "fix_pr_conflicted",
  "fix_pr_conflict_resolved",
  "fix_pr_merged",
  "fix_pr_closed",
  "fix_pr_reopened",
  "fix_pr_abandoned",
  "fix_pr_withdrawn",
  "fix_revision_requested"
] as const

export const ObservationEvent = record("ObservationEvent", {
  at: field(Instant, "When it happened."),
  actor: field(Actor, "Who caused the event."),
  event: field(
    oneOf(
      "found",
      "seen_again",
      "resurfaced",
      "acknowledged",
      "dismissed",
      "completed",
      "reopened",
      "fixed",
      "expired",
      "undone",
      ...fixHistory
    ),
    "What happened; `undone`: a change of many observations was undone; `fix_…`: an attempt to fix it changed."
  ),
  from_status: nullable(ObservationStatus, "Status before the event; null for the first one."),
  to_status: field(ObservationStatus, "Status after the event."),
  reason: nullable(Schema.String, "Reason given for the event.")
})
export type ObservationEvent = typeof ObservationEvent.Type

export const ObservationDetail = record("ObservationDetail", {
  ...row,
  locations: field(Schema.Array(Location), "Where the observation is in the code, the main location first."),
  steps: field(
    Schema.Array(Step),
    "How it comes about, from the source to the sink; empty where one location shows it, and for observations that no audit has found since steps are stored."
  ),
  suggested_diff: nullable(
    Schema.String,
    "What the rule's fixer would change, as a unified diff, secrets redacted; null where no fixer makes a proposal."
  ),
  events: field(Schema.Array(ObservationEvent), "History of the observation, oldest event first.")
})
export type ObservationDetail = typeof ObservationDetail.Type

export const order = ["recency", "display_rank", "resolved"] as const
export type Order = (typeof order)[number]

export const defaultObservationPageSize = 100

const maxPath = 4096

export const observationFilters = {
  kind: optional(
    someOf(Kind.literals),
    "Only `finding` (a defect), `suggestion` (an improvement) or `advisory` (less sure, or about a dependency), or several, separated by commas."
  ),
  status: optional(ObservationStatus, "Only this status; `new` leaves out what has an open fix pull request."),
  priority: optional(someOf(Priority.literals), "Only this priority, or several, separated by commas."),
  category: optional(someOf(Category.literals), "Only this category, or several, separated by commas."),
  repo: optional(
    text(1, 400),
    "Only this repository: `repo@branch`, or `owner/repo@branch` where two owners share a name."
  ),
  since: optional(InstantInput, "Only observations that changed after this ISO 8601 time."),
  close_reason: optional(CloseReason, "Only closed observations, and of these only those closed for this reason."),
  domain: optional(
    someOf(Domain.literals),
    "Only observations of this domain's tools, or of several, separated by commas; another axis than `category`."
  ),
  tool: optional(someIds, "Only observations of this tool, or of several, separated by commas."),
  rule: optional(someIds, "Only observations of this rule (`tool.rule`), or of several, separated by commas."),
  path: optional(
    text(1, maxPath),
    "Only observations whose main location is this file, or below this folder, given from the repository's root."
  ),
  first_seen_since: optional(InstantInput, "Only observations that were first seen at or after this ISO 8601 time."),
  first_seen_until: optional(InstantInput, "Only observations that were first seen before this ISO 8601 time.")
}

const orderOption = {
  order: optional(
    oneOf(...order),
    "`recency`: newest first (default); `display_rank`: most severe first; `resolved`: last closed first, then the open ones."
  )
}
/** What narrows a list, and its order. */
export const observationListing = { ...observationFilters, ...orderOption }

/** The filters that are true or false: text in a query string, a boolean in a tool's arguments. */
export const observationFlags = <A, I>(flag: Schema.Schema<A, I>) => ({
  has_fix_pr: optional(flag, "Only observations that ever had a fix pull request (true) or never had one (false)."),
  easy_wins: optional(flag, "True: only open P0 and P1 findings with a small, low-risk fix. False filters nothing."),
  needs_review: optional(flag, "True: only findings that used up their automatic fix attempts. False filters nothing.")
})
const include = optional(oneOf("locations"), "`locations` adds the locations of each observation.")
const listOptions = { ...observationFlags(booleanQuery), include, ...pageQuery }

export const ObservationsQuery = closed({ ...observationListing, ...listOptions })
export type ObservationsQuery = typeof ObservationsQuery.Type

export const maxSearch = 400
const { kind: _kind, ...findingFilters } = observationListing
export const searchFilters = {
  q: field(text(1, maxSearch), "Search words; quoted phrases, `or` and `-word` work as in web search."),
  ...findingFilters
}
export const SearchQuery = closed({ ...searchFilters, ...listOptions })
export type SearchQuery = typeof SearchQuery.Type

const pathInRepository = text(1, maxPath)
export const filePath = described(pathInRepository, "Path from the repository's root, such as src/index.ts.")
/** Path of a file that exists or is to be created. */
export const futureFilePath = described(
  pathInRepository,
  "Path from the repository's root, such as src/index.ts; the file need not exist yet."
)
/** Beside what is reported of a file: nothing reported of an unknown one says nothing about it. */
export const pathKnown = nullable(
  Schema.Boolean,
  "Whether the file was in the commit that the last audit or discovery read; null before the first one."
)
export const RecentQuery = closed({ file_path: filePath, include, ...pageQuery })
export type RecentQuery = typeof RecentQuery.Type

export const PendingMigrationsQuery = closed({ repo: observationFilters.repo, include, ...pageQuery })
export type PendingMigrationsQuery = typeof PendingMigrationsQuery.Type

export const dismissalNote = described(text(10, 500), "Why it is dismissed, 10 to 500 characters.")
export const reopenReason = described(text(1, 2000), "Why it is reopened, 1 to 2000 characters.")
export const completionText = text(0, 2000)

export const dismissFields = {
  dismissal_category: field(
    DismissalCategory,
    "`false_positive`, `wont_fix` and `out_of_scope` stay closed when an audit finds it again; the others reopen."
  ),
  dismissal_note: dismissalNote
}
export const Dismiss = closed(dismissFields, "DismissRequest", {
  dismissal_category: "wont_fix",
  dismissal_note: "The digest is no secret; nothing depends on it."
})
export type Dismiss = typeof Dismiss.Type
export const Reopen = closed({ reopen_reason: reopenReason }, "ReopenRequest", {
  reopen_reason: "It is used for passwords after all."
})
export type Reopen = typeof Reopen.Type
export const Complete = closed(
  {
    note: optionalOrNull(completionText, "What was done, at most 2000 characters."),
    url: optionalOrNull(completionText, "Link to the proof, such as a commit or a ticket; at most 2000 characters.")
  },
  "CompleteObservationRequest",
  { note: "The report is generated without a shell.", url: "https://tickets.example.org/SEC-12" }
)
export type Complete = typeof Complete.Type

export class ObservationNotFound extends notFound("ObservationNotFound", "not_found") {}
export class ObservationClosed extends conflict("ObservationClosed", "observation_closed") {}
export class ObservationOpen extends conflict("ObservationOpen", "observation_open") {}
