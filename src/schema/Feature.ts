import { oneOf } from "./Text.ts"

export const Plan = oneOf("free", "paid")
export type Plan = typeof Plan.Type

interface FeatureSpec {
  /** Plans whose workspaces may have it. */
  readonly plans: ReadonlyArray<Plan>
  /** Whether anything in this version depends on it. Otherwise it cannot be switched on: that would have no effect. */
  readonly inThisVersion: boolean
}

/** Features in private beta. Operations, workflows and prompts name theirs as `beta`. */
export const features = {
  missions: { plans: ["paid"], inThisVersion: true },
  change_reviews: { plans: ["paid"], inThisVersion: true },
  webhooks: { plans: ["paid"], inThisVersion: true },
  audit_suggestions: { plans: ["paid"], inThisVersion: true }
} as const satisfies Readonly<Record<string, FeatureSpec>>

export type Feature = keyof typeof features
export const featureNames = Object.keys(features) as ReadonlyArray<Feature>

export const isFeature = (name: string): name is Feature => Object.hasOwn(features, name)

export const plansOf = (feature: Feature): ReadonlyArray<Plan> => features[feature].plans

/** Those that can be switched on. */
export const switchableFeatures: ReadonlyArray<Feature> = featureNames.filter((name) => features[name].inThisVersion)
