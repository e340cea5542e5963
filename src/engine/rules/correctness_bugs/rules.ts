import { ruleSet } from "../../core/tool/AuditTool.ts"
import { comparisonRules } from "./rules/comparisons.ts"
import { conditionRules } from "./rules/conditions.ts"
import { controlFlowRules } from "./rules/controlFlow.ts"
import { duplicateRules } from "./rules/duplicates.ts"
import { valueRules } from "./rules/values.ts"

export const rules = ruleSet({
  ...conditionRules,
  ...comparisonRules,
  ...duplicateRules,
  ...controlFlowRules,
  ...valueRules
})

export type RuleId = keyof typeof rules
