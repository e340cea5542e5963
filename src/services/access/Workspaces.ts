import { SqlClient } from "@effect/sql"
import { Data, Effect } from "effect"
import { type Feature, featureNames, type Plan, plansOf } from "../../schema/Feature.ts"
import { now } from "../support/now.ts"
import { transactional } from "../support/transactional.ts"
import { allowedOn } from "./Features.ts"
import { type WorkspaceSettings, WorkspacesRepo } from "./WorkspacesRepo.ts"

/** The plan that the workspace has, or is to have, lacks the feature. */
export class FeatureNotInPlan extends Data.TaggedError("FeatureNotInPlan")<{ readonly message: string }> {}

/** No workspace, or more than one, goes by that name. */
export class WorkspaceUnclear extends Data.TaggedError("WorkspaceUnclear")<{ readonly message: string }> {}

export interface WorkspaceChange extends Partial<Omit<WorkspaceSettings, "features" | "suspended_at">> {
  /** Only the named ones are switched. */
  readonly features?: ReadonlyMap<Feature, boolean>
  readonly suspended?: boolean
}

/** Workspaces as the operator of the installation sees them: no caller, no tenant. */
export class Workspaces extends Effect.Service<Workspaces>()("Workspaces", {
  effect: Effect.gen(function* () {
    const repo = yield* WorkspacesRepo
    const inTransaction = transactional(yield* SqlClient.SqlClient)

    /** The only one of that ID or name, locked until the transaction ends. */
    const named = Effect.fnUntraced(function* (idOrName: string) {
      const found = yield* repo.findForUpdate(idOrName)
      const only = found[0]
      if (only === undefined) return yield* new WorkspaceUnclear({ message: `There is no workspace ${idOrName}.` })
      if (found.length > 1) {
        const ids = found.map(({ id }) => id).join(", ")
        return yield* new WorkspaceUnclear({
          message: `Several workspaces are called ${idOrName}; name one by id: ${ids}.`
        })
      }
      return only
    })

    const change = Effect.fn("Workspaces.change")(function* (idOrName: string, request: WorkspaceChange) {
      const only = yield* named(idOrName)
      const at = yield* now
      const { features, suspended, ...settings } = request
      const switched = yield* switchFeatures(only, settings.plan ?? only.plan, features ?? new Map())
      const state = suspended === undefined ? {} : { suspended_at: suspended ? (only.suspended_at ?? at) : null }
      yield* repo.update(only.id, { ...settings, features: switched, ...state })
      const { credit_usd } = settings
      if (credit_usd !== undefined) yield* repo.recordCredit({ workspace_id: only.id, credit_usd, at })
      return only.id
    }, inTransaction)

    return { list: repo.list, named, change }
  })
}) {}

/** What is on afterwards; a plan takes away what it lacks. */
const switchFeatures = (
  current: { readonly features: ReadonlyArray<string> },
  plan: Plan,
  switches: ReadonlyMap<Feature, boolean>
): Effect.Effect<ReadonlyArray<Feature>, FeatureNotInPlan> => {
  const lacking = [...switches].find(([feature, on]) => on && !allowedOn(feature, plan))
  if (lacking !== undefined) {
    const [feature] = lacking
    const message = `The plan ${plan} has no ${feature}; give --plan ${plansOf(feature).join(" or ")} as well.`
    return Effect.fail(new FeatureNotInPlan({ message }))
  }
  return Effect.succeed(
    featureNames.filter(
      (feature) => allowedOn(feature, plan) && (switches.get(feature) ?? current.features.includes(feature))
    )
  )
}
