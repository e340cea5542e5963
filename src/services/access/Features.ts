import { Effect } from "effect"
import { FeatureNotEnabled, PlanRestricted } from "../../schema/Errors.ts"
import { type Feature, type Plan, plansOf } from "../../schema/Feature.ts"
import type { WorkspaceId } from "../../schema/Ids.ts"
import { FeaturesRepo } from "./FeaturesRepo.ts"

/** What a workspace has: its plan, and what is switched on for it. */
export interface Subscription {
  readonly plan: Plan
  readonly features: ReadonlyArray<string>
}

/** What is marked with a feature in private beta: an operation, a workflow or a prompt. */
interface Marked {
  readonly beta?: Feature
}

export const allowedOn = (feature: Feature, plan: Plan): boolean => plansOf(feature).includes(plan)

const isOn = (feature: Feature, { plan, features }: Subscription): boolean =>
  allowedOn(feature, plan) && features.includes(feature)

/** Whether the workspace has what the marked thing needs. */
export const isOpenTo =
  (subscription: Subscription) =>
  ({ beta }: Marked): boolean =>
    beta === undefined || isOn(beta, subscription)

/** More about what was rejected, such as the workflows that the workspace may run. */
interface Rejected {
  readonly param?: string
  readonly details?: Readonly<Record<string, unknown>>
}

const requirePlan = (feature: Feature, plan: Plan, rejected: Rejected): Effect.Effect<void, PlanRestricted> =>
  allowedOn(feature, plan)
    ? Effect.void
    : Effect.fail(
        new PlanRestricted({
          message: `The feature \`${feature}\` needs the plan ${plansOf(feature).join(" or ")}; this workspace has the plan ${plan}, which its operator can change.`,
          required_features: [feature],
          ...rejected
        })
      )

/** The one gate of features in private beta: the plan first, then the switch. */
export const requireFeature = (
  { beta: feature }: Marked,
  subscription: Subscription,
  rejected: Rejected = {}
): Effect.Effect<void, PlanRestricted | FeatureNotEnabled> => {
  if (feature === undefined) return Effect.void
  const switchedOn = isOn(feature, subscription)
    ? Effect.void
    : Effect.fail(
        new FeatureNotEnabled({
          message: `The feature \`${feature}\` is in private beta and not enabled for this workspace; its operator can enable it.`,
          required_features: [feature],
          ...rejected
        })
      )
  return Effect.zipRight(requirePlan(feature, subscription.plan, rejected), switchedOn)
}

const suggestions: Feature = "audit_suggestions"

/** Features that the product itself reads, and that a workspace switches for itself where its plan has them. */
export class Features extends Effect.Service<Features>()("Features", {
  effect: Effect.map(FeaturesRepo, (repo) => ({
    /** Whether audits of the workspace record suggestions, and lists show them. */
    suggestionsAreOn: (workspace_id: WorkspaceId) =>
      Effect.map(repo.subscription(workspace_id), (subscription) => isOn(suggestions, subscription)),
    requireSuggestions: (workspace_id: WorkspaceId) =>
      Effect.flatMap(repo.subscription(workspace_id), ({ plan }) => requirePlan(suggestions, plan, { param: "value" })),
    setSuggestions: (workspace_id: WorkspaceId, on: boolean) => repo.set({ workspace_id, feature: suggestions, on })
  }))
}) {}
