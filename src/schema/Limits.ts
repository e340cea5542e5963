import { Schema } from "effect"
import { record } from "./closed.ts"
import { featureNames, Plan } from "./Feature.ts"
import { Amount, Count, field, nullable, oneOf } from "./Text.ts"

export const FeatureState = record("FeatureState", {
  name: field(Schema.Literal(...featureNames), "Name of the feature."),
  on: field(Schema.Boolean, "Whether the workspace has it."),
  in_plan: field(Schema.Boolean, "Whether its plan has it."),
  switched_by: field(
    oneOf("workspace", "operator"),
    "Who switches it: `workspace`, its owners and admins by a setting of the same name; `operator`, with `assay workspace set`."
  )
})
export type FeatureState = typeof FeatureState.Type

export const WorkspaceSpend = record("WorkspaceSpend", {
  last_hour_usd: field(Amount, "What counts towards the hourly ceiling now, with what jobs under way have reserved."),
  this_month_usd: field(Amount, "What jobs that ended since the first of the month (UTC) have cost."),
  per_hour_usd: nullable(Amount, "Ceiling of an hour; null without one."),
  job_cap_usd: nullable(Amount, "What one job may cost; null without a cap."),
  credit_usd: nullable(Schema.Number, "Credit left; null where it is not metered."),
  held_usd: field(Amount, "What jobs under way may still take of the credit."),
  paused: field(Schema.Boolean, "Whether the operator has paused spending: no job is accepted.")
})

/** What a workspace has and may use; its operator decides on all of it but what a setting switches. */
export const WorkspaceLimits = record("WorkspaceLimits", {
  plan: field(Plan, "Plan of the workspace."),
  features: field(Schema.Array(FeatureState), "Every feature in private beta."),
  spend: field(WorkspaceSpend, "Ceilings and what was spent."),
  max_queued: field(Count, "Jobs that may wait at a time."),
  max_running: field(Count, "Jobs that may run at a time."),
  workflows: nullable(Schema.Array(Schema.String), "Workflows that it may run; null for all.")
})
export type WorkspaceLimits = typeof WorkspaceLimits.Type
