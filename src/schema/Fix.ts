import { Schema } from "effect"
import { conflict, notFound, unprocessable } from "./ApiError.ts"
import { closed, record } from "./closed.ts"
import { AttemptId, JobId, ObservationId } from "./Ids.ts"
import {
  DismissalCategory,
  Observation,
  ObservationDetail,
  type ObservationNumber,
  ObservationRef,
  observationFilters
} from "./Observation.ts"
import { pageQuery } from "./Page.ts"
import { RepoName, repositoryPath } from "./Repository.ts"
import { Count, described, field, Instant, nullable, oneOf, optional, someOf, text } from "./Text.ts"

/** Automatic attempts; after these a caller has to request an extra one. */
export const maxFixAttempts = 3

/** `in_review`, `revising` and `needs_attention`: the pull request is open. */
const fixPrStatuses = ["in_review", "revising", "merged", "closed", "needs_attention", "abandoned"] as const
export const FixPrStatus = oneOf(...fixPrStatuses)
export type FixPrStatus = typeof FixPrStatus.Type

export const FixOutcome = oneOf("started", "pr_merged", "pr_rejected", "cancelled", "failed", "declined", "withdrawn")
export type FixOutcome = typeof FixOutcome.Type

export const FixPrSummary = closed(
  {
    attempt_id: field(AttemptId, "ID of the fix attempt."),
    observation_id: field(ObservationId, "ID of the observation that it fixes."),
    ref: ObservationRef,
    title: field(Schema.String, "Title of the observation."),
    pr_url: field(Schema.String, "URL of the pull request."),
    status: field(FixPrStatus, "State of the pull request; `in_review`, `revising` and `needs_attention` are open."),
    number: nullable(Count, "Number of the pull request."),
    outcome: nullable(FixOutcome, "Outcome of the attempt."),
    dismissal_category: nullable(DismissalCategory, "Category of the observation's dismissal; null unless dismissed."),
    dismissal_note: nullable(Schema.String, "Note of the observation's dismissal."),
    finished_at: nullable(Instant, "When the attempt ended; null until then."),
    last_failure_reason: nullable(Schema.String, "Why the last try failed; null if none did."),
    started_at: nullable(Instant, "When the attempt started.")
  },
  "FixPrSummary"
)
export type FixPrSummary = typeof FixPrSummary.Type

/** In a list over several repositories. */
export const WorkspaceFixPr = record("WorkspaceFixPr", {
  ...FixPrSummary.fields,
  ...repositoryPath,
  repo_name: RepoName
})

export const FixPrsQuery = closed({
  status: optional(someOf(fixPrStatuses), "Only this status, or several, separated by commas."),
  repo: observationFilters.repo,
  ...pageQuery
})
export type FixPrsQuery = typeof FixPrsQuery.Type

/** What a fix must pass, in the order in which they are evaluated. */
export const gateNames = [
  "still_present",
  "edit",
  "scope",
  "size",
  "parse",
  "finding_gone",
  "no_new_findings",
  "format",
  "build",
  "lint",
  "test",
  "push",
  "pull_request"
] as const
export const GateName = oneOf(...gateNames)
export type GateName = typeof GateName.Type
export const GateResult = oneOf("passed", "failed", "warned", "skipped")
export type GateResult = typeof GateResult.Type

export const FixGate = record("FixGate", {
  name: field(GateName, "Name of the gate."),
  result: field(GateResult, "Result of the gate."),
  reason: nullable(Schema.String, "Why the gate has this result; null where there is nothing to add.")
})
export type FixGate = typeof FixGate.Type

/** The branch that the commits of an attempt are pushed to. */
export const fixBranchOf = (observation: ObservationNumber, attempt: number): string =>
  `assay/fix-obs-${observation}${attempt > 1 ? `-${attempt}` : ""}`

/** Bytes of a diff that are kept. */
export const maxDiffBytes = 256_000

/** One attempt to fix an observation, with or without a pull request. */
export const FixAttempt = record("FixAttempt", {
  attempt_id: field(AttemptId, "ID of the fix attempt."),
  number: nullable(Count, "Number of the attempt, from 1 for each observation; never null."),
  job_ids: field(Schema.Array(JobId), "IDs of its jobs, oldest first: its own, those run again and its revisions."),
  job_id: nullable(JobId, "ID of its first job; null once all of its jobs are deleted."),
  outcome: field(FixOutcome, "Outcome of the attempt; `started` while it runs."),
  status: nullable(FixPrStatus, "State of its pull request; null while there is none."),
  pr_url: nullable(Schema.String, "URL of its pull request; null while there is none."),
  pr_number: nullable(Count, "Number of its pull request; null while there is none, and on hosts that number none."),
  branch: nullable(Schema.String, "Branch that its commits are pushed to."),
  runner: nullable(Schema.String, "What made its changes: `rules` or `agent`; null until there are any."),
  gates: field(Schema.Array(FixGate), "Gates of its newest job, in order; of several rounds the last one."),
  last_failure_reason: nullable(Schema.String, "Why the last try failed; null if none did."),
  started_at: field(Instant, "When the attempt started."),
  finished_at: nullable(Instant, "When the attempt ended; null until then.")
})
export type FixAttempt = typeof FixAttempt.Type

/** An observation with the attempts to fix it, oldest first. */
export const FixableObservation = record("ObservationDetail", {
  ...ObservationDetail.fields,
  attempts: field(Schema.Array(FixAttempt), "Attempts to fix it, oldest first."),
  fix_available: field(Schema.Boolean, "Whether a fix can be requested now.")
})

export const FixRequest = closed(
  {
    extra_attempt: optional(
      Schema.Boolean,
      "Start another attempt although the automatic ones are used up; default false."
    )
  },
  "FixRequest",
  { extra_attempt: false }
)
export type FixRequest = typeof FixRequest.Type

export const FixObservationResponse = closed(
  {
    observation: field(Observation, "The observation to fix."),
    attempt_id: field(AttemptId, "ID of the fix attempt."),
    job_id: field(JobId, "ID of the fix job.")
  },
  "FixObservationResponse"
)

/** The change that the newest attempt with a diff makes. */
export const FixDiff = record("FixDiff", {
  attempt_id: field(AttemptId, "ID of the fix attempt."),
  base_commit: nullable(Schema.String, "Commit that the change starts from."),
  head_commit: nullable(Schema.String, "Commit that has the change; null where none was made."),
  diff: field(Schema.String, "Unified diff, at most 256 kB."),
  truncated: field(Schema.Boolean, "Whether the diff is longer than shown.")
})
export type FixDiff = typeof FixDiff.Type

/** How often one pull request can be sent back. */
export const maxRevisions = 5

export const RequestFix = closed({ job_id: field(JobId, "ID of the queued fix job.") }, "RequestFixRequest", {
  job_id: JobId.make("01a1f7f8-633b-765c-ab36-2777cf1f608a")
})
export const fixInstructions = described(text(1, 4000), "What the revision should change, 1 to 4000 characters.")
export const ReviseFix = closed({ instructions: fixInstructions }, "ReviseFixRequest", {
  instructions: "Keep the old name exported, marked as deprecated."
})

export class NoFixDiff extends notFound("NoFixDiff", "not_found") {}
export class NoOpenFixPr extends conflict("NoOpenFixPr", "no_open_fix_pr") {}
export class RevisionLimitReached extends conflict("RevisionLimitReached", "revision_limit_reached") {}

/** `details.reason` says why: kind, closed, in_flight, open_fix_pr, attempts_exhausted, other_job or job_ended. */
export class ObservationNotFixable extends unprocessable("ObservationNotFixable", "observation_not_fixable") {}
/** The code host rejects pushes of apps to workflow files. */
export class FixTargetsWorkflowFile extends unprocessable(
  "FixTargetsWorkflowFile",
  "observation_fix_targets_workflow_file"
) {}
