import { ruleSet } from "../../core/tool/AuditTool.ts"
import { actionRules } from "./rules/actions.ts"
import { conditionRules } from "./rules/conditions.ts"
import { exposureRules } from "./rules/exposure.ts"
import { privilegeRules } from "./rules/privileges.ts"
import { scriptRules } from "./rules/scripts.ts"

export const rules = ruleSet({
  ...scriptRules,
  ...actionRules,
  ...privilegeRules,
  ...conditionRules,
  ...exposureRules
})

export type RuleId = keyof typeof rules
