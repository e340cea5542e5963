import { DateTime, Effect } from "effect"
import { type Feature, featureNames } from "../../schema/Feature.ts"
import type { FeatureState, WorkspaceLimits as Limits } from "../../schema/Limits.ts"
import { settingNames } from "../../schema/Setting.ts"
import { Caller } from "../access/Caller.ts"
import { allowedOn } from "../access/Features.ts"
import { Spend } from "../access/Spend.ts"
import { JobLimits } from "../jobs/JobLimits.ts"
import { LimitsRepo } from "./LimitsRepo.ts"

/** What a workspace has, may use and has used. */
export class WorkspaceLimits extends Effect.Service<WorkspaceLimits>()("WorkspaceLimits", {
  effect: Effect.gen(function* () {
    const repo = yield* LimitsRepo
    const spend = yield* Spend
    const defaults = yield* JobLimits

    const read = Effect.fn("WorkspaceLimits.read")(function* () {
      const { workspace_id } = yield* Caller
      const month = DateTime.formatIso(DateTime.startOf(yield* DateTime.now, "month"))
      const { plan, features, spent_since, ...row } = yield* repo.find({ workspace_id, since: month })
      const { limits, last_hour_usd } = yield* spend.state()
      return {
        plan,
        features: featureNames.map((name) => ({
          name,
          on: allowedOn(name, plan) && features.includes(name),
          in_plan: allowedOn(name, plan),
          switched_by: switchedBy(name)
        })),
        spend: {
          last_hour_usd,
          this_month_usd: spent_since,
          per_hour_usd: limits.workspace_per_hour,
          job_cap_usd: limits.job_cap_usd,
          credit_usd: limits.credit_usd,
          held_usd: limits.held_usd,
          paused: limits.spend_paused
        },
        max_queued: row.max_queued ?? defaults.queuedPerWorkspace,
        max_running: row.max_running ?? defaults.runningPerWorkspace,
        workflows: row.entitled_workflows
      } satisfies Limits
    })

    return { read }
  })
}) {}

const switchedBy = (name: Feature): FeatureState["switched_by"] =>
  settingNames.some((setting) => setting === name) ? "workspace" : "operator"
