import { Effect, Schema } from "effect"
import {
  bulkTriageFields,
  TriageFilter,
  TriageOutcome,
  TriagePreview,
  TriagePreviewRow,
  TriageResult
} from "../schema/BulkTriage.ts"
import { closed } from "../schema/closed.ts"
import { observations as operations } from "../schema/operations/index.ts"
import { Count, field, optional } from "../schema/Text.ts"
import { BulkTriage } from "../services/observations/BulkTriage.ts"
import { cutText, itemsWithin } from "./answerSize.ts"
import { tool } from "./Tool.ts"

const maxResults = 20_000
const maxTitle = 300

/** An outcome for a model: counts, and the results that it has to look at. */
const Outcome = Schema.Struct({
  operation_id: TriageOutcome.fields.operation_id,
  undo_until: TriageOutcome.fields.undo_until,
  ok_count: field(Count, "How many observations are now as requested."),
  failed_count: field(Count, "How many were rejected."),
  failed: field(Schema.Array(TriageResult), "Those that were rejected, with the code of the error; as many as fit.")
})

const shownRow = ({ title, ...row }: typeof TriagePreviewRow.Type) => ({ ...row, title: cutText(title, maxTitle) })

const outcomeOf = ({ operation_id, undo_until, results }: TriageOutcome) => {
  const failed = results.filter(({ ok }) => !ok)
  return {
    operation_id,
    undo_until,
    ok_count: results.length - failed.length,
    failed_count: failed.length,
    failed: itemsWithin(failed, maxResults)
  }
}

const { fields } = TriageFilter

// Described where list_observations has them: twice would cost tokens of every session.
const undescribed = Object.fromEntries(
  Object.entries(fields).map(([name, { from }]) => [
    name,
    Schema.optionalWith<typeof from, { exact: true }>(from, { exact: true })
  ])
) as typeof fields

/** Instead of references of observations. */
export const briefFilter = optional(
  closed(undescribed),
  "Instead of `refs`: filters as in list_observations; an empty object means all observations."
)

export const TriageTools = Effect.map(BulkTriage, (bulkTriage) => [
  tool({
    name: "triage_observations",
    title: "Triage many observations",
    description:
      "Dismiss, acknowledge, complete or reopen up to 1,000 observations; `preview` first. Use dismiss_observation for one.",
    operation: operations.triageMany,
    args: { ...bulkTriageFields, filter: briefFilter },
    result: Schema.Union(Outcome, TriagePreview),
    run: (request) =>
      Effect.map(bulkTriage.run(request), (answer) =>
        "results" in answer ? outcomeOf(answer) : { ...answer, sample: answer.sample.map(shownRow) }
      )
  })
])
