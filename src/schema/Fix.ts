import { Schema } from "effect"
import { apiError } from "./ApiError.ts"
import { closed, record } from "./closed.ts"
import { DismissalCategory, Observation, ObservationDetail, ObservationRef } from "./Observation.ts"
import { Count, described, Instant, oneOf, text, Uuid } from "./Text.ts"

/** Tries after which only somebody who asks for an extra one gets another. */
export const maxFixAttempts = 3

/** `in_review`, `revising` and `needs_attention`: the pull request is open. */
export const FixPrStatus = oneOf("in_review", "revising", "merged", "closed", "needs_attention", "abandoned")
export type FixPrStatus = typeof FixPrStatus.Type

export const FixOutcome = oneOf("started", "pr_merged", "pr_rejected", "cancelled", "failed", "declined", "withdrawn")
export type FixOutcome = typeof FixOutcome.Type

export const FixPrSummary = closed(
  {
    attempt_id: Uuid,
    observation_id: Uuid,
    ref: ObservationRef,
    title: Schema.String,
    pr_url: Schema.String,
    status: FixPrStatus,
    number: Schema.NullOr(Count),
    outcome: Schema.NullOr(FixOutcome),
    dismissal_category: Schema.NullOr(DismissalCategory),
    dismissal_note: Schema.NullOr(Schema.String),
    finished_at: Schema.NullOr(Instant),
    last_failure_reason: Schema.NullOr(Schema.String),
    started_at: Schema.NullOr(Instant)
  },
  "FixPrSummary"
)
export type FixPrSummary = typeof FixPrSummary.Type

/** One try to fix an observation, with or without a pull request. */
export const FixAttempt = record("FixAttempt", {
  attempt_id: Uuid,
  job_id: Schema.NullOr(Uuid),
  outcome: FixOutcome,
  status: Schema.NullOr(FixPrStatus),
  pr_url: Schema.NullOr(Schema.String),
  number: Schema.NullOr(Count),
  last_failure_reason: Schema.NullOr(Schema.String),
  started_at: Instant,
  finished_at: Schema.NullOr(Instant)
})
export type FixAttempt = typeof FixAttempt.Type

/** An observation with the tries to fix it, oldest first. */
export const FixableObservation = record("ObservationDetail", {
  ...ObservationDetail.fields,
  attempts: Schema.Array(FixAttempt),
  fix_available: Schema.Boolean.annotations({ description: "Whether a fix can be asked for here and now." })
})

export const FixRequest = closed(
  {
    extra_attempt: Schema.optionalWith(
      Schema.Boolean.annotations({ description: "Try again although the automatic attempts are used up." }),
      { exact: true }
    )
  },
  "FixRequest"
)
export type FixRequest = typeof FixRequest.Type

export const FixObservationResponse = closed(
  { observation: Observation, attempt_id: Uuid, job_id: Uuid },
  "FixObservationResponse"
)

/** How often one pull request can be sent back. */
export const maxRevisions = 5

export const RequestFix = closed({ job_id: Uuid }, "RequestFixRequest")
export const fixInstructions = described(text(1, 4000), "What should be different, for whoever revises it.")
export const ReviseFix = closed({ instructions: fixInstructions }, "ReviseFixRequest")

export class NoOpenFixPr extends apiError("NoOpenFixPr", { status: 409, type: "conflict", code: "no_open_fix_pr" }) {}
export class RevisionLimitReached extends apiError("RevisionLimitReached", {
  status: 409,
  type: "conflict",
  code: "revision_limit_reached"
}) {}

/** `details.reason` says why: kind, closed, in_flight, open_fix_pr, attempts_exhausted, other_job or job_ended. */
export class ObservationNotFixable extends apiError("ObservationNotFixable", {
  status: 422,
  type: "invalid_request_error",
  code: "observation_not_fixable"
}) {}
/** The code host lets no app push there. */
export class FixTargetsWorkflowFile extends apiError("FixTargetsWorkflowFile", {
  status: 422,
  type: "invalid_request_error",
  code: "observation_fix_targets_workflow_file"
}) {}
export class NoTicketIntegration extends apiError("NoTicketIntegration", {
  status: 422,
  type: "invalid_request_error",
  code: "no_ticket_integration"
}) {}
