import { Schema } from "effect"
import { conflict, notFound, unprocessable } from "./ApiError.ts"
import { AuditActor } from "./AuditLog.ts"
import { record } from "./closed.ts"
import { IssueCriterionId, UserId } from "./Ids.ts"
import { ObservationRef, Priority } from "./Observation.ts"
import { page } from "./Page.ts"
import { Count, described, field, Instant, JsonObject, nullable, oneOf, optional, Uuid } from "./Text.ts"

const refPattern = /^ISS-[1-9][0-9]{0,9}$/

/** `ISS-N` */
export const IssueRef = described(
  Schema.String.pipe(Schema.filter((s) => (refPattern.test(s) ? undefined : "must look like ISS-12"))).annotations({
    jsonSchema: { type: "string", pattern: refPattern.source }
  }),
  "Reference of an issue, such as `ISS-12`."
)

/** The number that a reference has, unique in its workspace. It may be greater than what the column holds: no issue has it then. */
export const IssueNumber = Schema.Int.pipe(Schema.brand("IssueNumber"))
export type IssueNumber = typeof IssueNumber.Type

/** A reference that a client sends, decoded to its number; records carry the reference. */
export const IssueNumberFromRef = Schema.transform(IssueRef, IssueNumber, {
  decode: (ref) => Number(ref.slice("ISS-".length)),
  encode: (number) => `ISS-${number}`
})
/** The reference of a number. */
export const issueRefOf = Schema.encodeSync(IssueNumberFromRef)

export const issueStatuses = ["open", "in_progress", "in_review", "blocked", "done", "cancelled"] as const
export const IssueStatus = oneOf(...issueStatuses)
export type IssueStatus = typeof IssueStatus.Type

export const IssueCloseReason = oneOf("completed", "cancelled", "duplicate")
export type IssueCloseReason = typeof IssueCloseReason.Type

export const relationKinds = ["blocks", "relates_to", "duplicates", "parent_of", "discovered_from"] as const
export const RelationKind = oneOf(...relationKinds)
export type RelationKind = typeof RelationKind.Type

export const PullRequestState = oneOf("open", "merged", "closed", "unknown")
export type PullRequestState = typeof PullRequestState.Type

export const IssueAssignee = record("IssueAssignee", {
  kind: field(oneOf("user", "api_key"), "`user` for a person, `api_key` for an API key."),
  user_id: nullable(UserId, "ID of the person; null for a key."),
  email: nullable(Schema.String, "E-mail address of the person; null for a key."),
  api_key: nullable(
    Schema.Struct({
      name: field(Schema.String, "Name of the key."),
      prefix: field(Schema.String, "First characters of the key.")
    }),
    "The API key; null for a person."
  )
})
export type IssueAssignee = typeof IssueAssignee.Type

export const IssueClaim = record("IssueClaim", {
  holder: field(AuditActor, "Who holds the claim."),
  fence: field(Count, "Fencing number of the claim: the holder's writes carry it."),
  claimed_at: field(Instant, "When the issue was claimed."),
  lease_expires_at: field(Instant, "When the claim ends unless it is renewed.")
})
export type IssueClaim = typeof IssueClaim.Type

export const IssueCriterion = record("IssueCriterion", {
  id: field(IssueCriterionId, "ID of the acceptance criterion."),
  text: field(Schema.String, "What must hold for the issue to be done."),
  met: field(Schema.Boolean, "Whether it holds."),
  met_by: nullable(AuditActor, "Who marked it as met; null while it is not."),
  met_at: nullable(Instant, "When it was marked as met; null while it is not.")
})
export type IssueCriterion = typeof IssueCriterion.Type

export const IssueRelation = record("IssueRelation", {
  kind: field(RelationKind, "Kind of relation."),
  ref: field(IssueRef, "The other issue."),
  direction: field(oneOf("out", "in"), "`out`: from this issue to the other one; `in`: the other way.")
})
export type IssueRelation = typeof IssueRelation.Type

export const IssuePullRequest = record("IssuePullRequest", {
  url: field(Schema.String, "URL of the pull request."),
  state: field(PullRequestState, "State at the code host; `unknown` where no code host reports it.")
})
export type IssuePullRequest = typeof IssuePullRequest.Type

const etag = described(Schema.String, "Issue and version: the value for `If-Match` and `expected_etag`.")

/** What lists show of an issue: everything but its text. */
export const issueSummaryFields = {
  ref: field(IssueRef, "Reference of the issue."),
  title: field(Schema.String, "Title of the issue."),
  status: field(IssueStatus, "State of the issue; `done` and `cancelled` are closed."),
  priority: field(Priority, "Urgency, from P0 (most urgent) to P3."),
  labels: field(Schema.Array(Schema.String), "Labels, in alphabetical order."),
  project: field(Schema.String, "Slug of the area, space or project that it belongs to."),
  repos: field(Schema.Array(Schema.String), "Repository branches that it is about: `owner/repo@branch`."),
  assignee: nullable(IssueAssignee, "Who is to do it; null for no one."),
  claim: nullable(IssueClaim, "Who works on it now; null while it is free."),
  blocked_by: field(Schema.Array(IssueRef), "Open issues that block it."),
  acceptance_criteria: field(Schema.Array(IssueCriterion), "What must hold for it to be done, in order."),
  relations: field(Schema.Array(IssueRelation), "Relations to other issues."),
  observations: field(Schema.Array(ObservationRef), "Observations that it is about."),
  pull_requests: field(Schema.Array(IssuePullRequest), "Pull requests that were attached to it."),
  created_by: field(AuditActor, "Who filed it."),
  updated_by: field(AuditActor, "Who changed it last."),
  created_at: field(Instant, "When it was filed."),
  updated_at: field(Instant, "When it last changed."),
  closed_at: nullable(Instant, "When it was closed; null while it is open."),
  close_reason: nullable(IssueCloseReason, "Why it was closed; null while it is open."),
  version: field(Count, "Version, counted from 1; every change adds one."),
  etag
}

export const IssueSummary = record("IssueSummary", issueSummaryFields)
export type IssueSummary = typeof IssueSummary.Type

export const Issue = record("IssueDetail", {
  ...issueSummaryFields,
  body_md: field(Schema.String, "Text of the issue, in Markdown; empty if there is none.")
})
export type Issue = typeof Issue.Type

/** Response to closing an issue. */
export const ClosedIssue = record("ClosedIssue", {
  ...Issue.fields,
  unblocked: field(Schema.Array(IssueRef), "Issues that nothing blocks any more, now that this one is closed.")
})
export type ClosedIssue = typeof ClosedIssue.Type

export const ClaimedIssue = record("ClaimedIssue", {
  issue: field(Issue, "The issue, with the claim."),
  fence: IssueClaim.fields.fence,
  lease_expires_at: IssueClaim.fields.lease_expires_at
})
export type ClaimedIssue = typeof ClaimedIssue.Type

export const issueEventNames = [
  "created",
  "updated",
  "moved",
  "repository_added",
  "repository_removed",
  "status_changed",
  "closed",
  "reopened",
  "claimed",
  "claim_renewed",
  "released",
  "lease_ended",
  "noted",
  "related",
  "unrelated",
  "criterion_added",
  "criterion_met",
  "criterion_unmet",
  "pull_request_attached",
  "pull_request_changed",
  "observation_linked",
  "observation_closed",
  "observation_reopened"
] as const
export const IssueEventName = oneOf(...issueEventNames)
export type IssueEventName = typeof IssueEventName.Type

export const IssueEvent = record("IssueEvent", {
  id: field(Uuid, "ID of the event."),
  event: field(IssueEventName, "What happened."),
  actor: field(AuditActor, "Who caused it."),
  at: field(Instant, "When it happened."),
  detail: nullable(JsonObject, "Details, such as `from`, `to` and `note`; null where there are none."),
  fence: nullable(Count, "Fencing number that the change carried; null for one without.")
})
export type IssueEvent = typeof IssueEvent.Type

export const FiledFinding = record("FiledFinding", {
  ref: field(ObservationRef, "The observation."),
  issue: field(IssueRef, "The open issue that it is filed as.")
})

export const SkippedFinding = record("SkippedFinding", {
  ref: field(ObservationRef, "The observation."),
  reason: field(Schema.String, "Why no issue was filed, such as `closed` or `not_found`.")
})

/** Titles that a preview shows. */
export const previewTitles = 10

const FilingPreview = record("FilingPreview", {
  count: field(Count, "How many issues would be filed."),
  titles: field(Schema.Array(Schema.String), `Titles of the most severe of them, at most ${previewTitles}.`)
})

/** What became of observations from which issues were to be filed. */
export const filedIssues = {
  created: field(Schema.Array(Issue), "Issues that were filed."),
  existing: field(Schema.Array(FiledFinding), "Observations that have an open issue already."),
  skipped: field(Schema.Array(SkippedFinding), "Observations without an issue, and why.")
}
export const FiledIssues = record("FiledIssues", {
  ...filedIssues,
  preview: optional(FilingPreview, "Only with `preview`: what would be filed. Nothing was.")
})
export type FiledIssues = typeof FiledIssues.Type

export const IssuesPage = page("IssuesPage", IssueSummary)
export const IssueEventsPage = page("IssueEventsPage", IssueEvent)

export const IssuePath = Schema.Struct({ ref: IssueNumberFromRef })
export const IssueRelationPath = Schema.Struct({
  ref: IssueNumberFromRef,
  kind: field(RelationKind, "Kind of relation."),
  other: field(IssueNumberFromRef, "The other issue.")
})
export const IssueCriterionPath = Schema.Struct({
  ref: IssueNumberFromRef,
  id: field(IssueCriterionId, "ID of the acceptance criterion.")
})

export class IssueNotFound extends notFound("IssueNotFound", "not_found") {}
export class CriterionNotFound extends notFound("CriterionNotFound", "not_found") {}
export class RelationNotFound extends notFound("RelationNotFound", "not_found") {}
export class IllegalTransition extends conflict("IllegalTransition", "illegal_transition") {}
export class AlreadyClaimed extends conflict("AlreadyClaimed", "already_claimed") {}
export class IssueBlocked extends conflict("IssueBlocked", "issue_blocked") {}
export class IssueClosed extends conflict("IssueClosed", "issue_closed") {}
export class ClaimLost extends conflict("ClaimLost", "claim_lost") {}
export class RelationCycle extends conflict("RelationCycle", "relation_cycle") {}
export class RelationInvalid extends unprocessable("RelationInvalid", "relation_invalid") {}
