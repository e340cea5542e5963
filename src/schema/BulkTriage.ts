import { Schema } from "effect"
import { conflict, notFound, unprocessable } from "./ApiError.ts"
import { closed, record } from "./closed.ts"
import {
  Complete,
  DismissalCategory,
  dismissalNote,
  Kind,
  ObservationNumberFromRef,
  ObservationRef,
  ObservationStatus,
  observationFilters,
  observationFlags,
  Priority,
  reopenReason
} from "./Observation.ts"
import { RepoName } from "./Repository.ts"
import { Count, field, Instant, list, oneOf, optional, Uuid } from "./Text.ts"

/** Observations that one call may change. */
export const maxBulk = 1000
/** How long a change of many observations can be undone. */
export const undoMinutes = 10

export const TriageAction = oneOf("dismiss", "acknowledge", "complete", "reopen")
export type TriageAction = typeof TriageAction.Type

/** The filters of the list of observations, as JSON. */
export const TriageFilter = closed({ ...observationFilters, ...observationFlags(Schema.Boolean) })

export const bulkTriageFields = {
  action: field(TriageAction, "What to do with each of them, by the rules of the call for a single observation."),
  refs: optional(
    list(ObservationNumberFromRef, 1, maxBulk),
    `References of the observations, at most ${maxBulk}; a repeated one counts once.`
  ),
  filter: optional(
    TriageFilter,
    "Instead of `refs`: the observations that match all of these filters of the list; an empty object means all of them."
  ),
  dismissal_category: optional(
    DismissalCategory,
    "With `dismiss`, required: `false_positive`, `wont_fix` and `out_of_scope` stay closed when an audit finds it again; the others reopen."
  ),
  dismissal_note: optional(dismissalNote, "With `dismiss`, required: a note of 10 to 500 characters."),
  reopen_reason: optional(reopenReason, "With `reopen`, required: a reason of 1 to 2000 characters."),
  ...Complete.fields,
  preview: optional(
    Schema.Boolean,
    "True: change nothing, and return how many observations it is about and the first ones. Needs no reason or note."
  )
}

export const BulkTriage = closed(bulkTriageFields, "BulkTriageRequest", {
  action: "dismiss",
  filter: { status: "new", rule: ["weak_cryptography.weak_hash"], repo: "shop@main" },
  dismissal_category: "wont_fix",
  dismissal_note: "The digests are no secrets; nothing depends on them."
})
export type BulkTriage = typeof BulkTriage.Type

/** How many observations a preview shows. */
export const previewSample = 10

export const TriagePreviewRow = record("TriagePreviewRow", {
  ref: ObservationRef,
  kind: field(Kind, "`finding`, `suggestion` or `advisory`."),
  status: field(ObservationStatus, "`new` while it is open."),
  priority: field(Priority, "Severity, from P0 (most severe) to P3."),
  title: field(Schema.String, "Title of the observation."),
  repo_name: RepoName,
  file_path: field(Schema.String, "File of its main location.")
})
export type TriagePreviewRow = typeof TriagePreviewRow.Type

export const TriagePreview = record("TriagePreview", {
  count: field(Count, "How many observations the call is about."),
  sample: field(Schema.Array(TriagePreviewRow), `The most severe ones, at most ${previewSample}.`)
})

export const TriageResult = record("TriageResult", {
  ref: ObservationRef,
  ok: field(Schema.Boolean, "Whether it is now as requested."),
  code: optional(Schema.String, "Code of the error, as the call for a single observation has it; only where it failed.")
})
export type TriageResult = typeof TriageResult.Type

const operationId = field(Uuid, "ID of the operation, for its undo.")
const results = field(
  Schema.Array(TriageResult),
  "One entry for each observation: in the order of `refs`, or the newest first."
)

export const TriageOutcome = record("TriageOutcome", {
  operation_id: operationId,
  results,
  undo_until: field(Instant, `Until when it can be undone: ${undoMinutes} minutes.`)
})
export type TriageOutcome = typeof TriageOutcome.Type

export const TriageUndo = record("TriageUndo", {
  operation_id: operationId,
  results: field(
    Schema.Array(TriageResult),
    "One entry for each observation that the operation had changed. `changed_since`: it was changed afterwards and stays as it is; `not_found`: it is no longer there."
  )
})

export const BulkOperationPath = Schema.Struct({ operation_id: field(Uuid, "ID of the operation.") })

export class TooManyObservations extends unprocessable("TooManyObservations", "too_many") {}
export class BulkOperationNotFound extends notFound("BulkOperationNotFound", "not_found") {}
export class UndoExpired extends conflict("UndoExpired", "undo_expired") {}
export class AlreadyUndone extends conflict("AlreadyUndone", "already_undone") {}
