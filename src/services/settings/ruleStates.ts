import type { RuleSettingInForce } from "./RuleSettingsRepo.ts"

/** A setting of the repository goes before one of the workspace, and one of the rule before one of its tool. */
const rank = ({ rule, of_repository }: RuleSettingInForce): number =>
  (of_repository ? 2 : 0) + (rule.includes(".") ? 1 : 0)

/** The state of a rule by what is set; null where nothing is. */
export const stateOf = (settings: ReadonlyArray<RuleSettingInForce>, ruleId: string): "on" | "off" | null => {
  const tool = ruleId.slice(0, ruleId.indexOf("."))
  const about = settings.filter(({ rule }) => rule === ruleId || rule === tool)
  return (
    about.reduce<RuleSettingInForce | null>((best, one) => (best === null || rank(one) > rank(best) ? one : best), null)
      ?.state ?? null
  )
}
