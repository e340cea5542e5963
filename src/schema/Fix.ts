import { Schema } from "effect"
import { conflict, unprocessable } from "./ApiError.ts"
import { closed, record } from "./closed.ts"
import { AttemptId, JobId, ObservationId } from "./Ids.ts"
import { DismissalCategory, Observation, ObservationDetail, ObservationRef } from "./Observation.ts"
import { Count, described, field, Instant, nullable, oneOf, optional, text } from "./Text.ts"

/** Automatic attempts; after these a caller has to request an extra one. */
export const maxFixAttempts = 3

/** `in_review`, `revising` and `needs_attention`: the pull request is open. */
export const FixPrStatus = oneOf("in_review", "revising", "merged", "closed", "needs_attention", "abandoned")
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

/** One attempt to fix an observation, with or without a pull request. */
export const FixAttempt = record("FixAttempt", {
  attempt_id: field(AttemptId, "ID of the fix attempt."),
  job_id: nullable(JobId, "ID of its fix job; null once the job is deleted."),
  outcome: field(FixOutcome, "Outcome of the attempt; `started` while it runs."),
  status: nullable(FixPrStatus, "State of its pull request; null while there is none."),
  pr_url: nullable(Schema.String, "URL of its pull request; null while there is none."),
  number: nullable(Count, "Number of its pull request; null while there is none."),
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

/** How often one pull request can be sent back. */
export const maxRevisions = 5

export const RequestFix = closed({ job_id: field(JobId, "ID of the queued fix job.") }, "RequestFixRequest", {
  job_id: JobId.make("01a1f7f8-633b-765c-ab36-2777cf1f608a")
})
export const fixInstructions = described(text(1, 4000), "What the revision should change, 1 to 4000 characters.")
export const ReviseFix = closed({ instructions: fixInstructions }, "ReviseFixRequest", {
  instructions: "Keep the old name exported, marked as deprecated."
})

export class NoOpenFixPr extends conflict("NoOpenFixPr", "no_open_fix_pr") {}
export class RevisionLimitReached extends conflict("RevisionLimitReached", "revision_limit_reached") {}

/** `details.reason` says why: kind, closed, in_flight, open_fix_pr, attempts_exhausted, other_job or job_ended. */
export class ObservationNotFixable extends unprocessable("ObservationNotFixable", "observation_not_fixable") {}
/** The code host rejects pushes of apps to workflow files. */
export class FixTargetsWorkflowFile extends unprocessable(
  "FixTargetsWorkflowFile",
  "observation_fix_targets_workflow_file"
) {}
export class NoTicketIntegration extends unprocessable("NoTicketIntegration", "no_ticket_integration") {}
