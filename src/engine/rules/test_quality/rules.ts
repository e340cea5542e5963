import { ruleSet } from "../../core/tool/AuditTool.ts"
import { assertionRules } from "./rules/assertions.ts"
import { runRules } from "./rules/runs.ts"

export const rules = ruleSet({
  ...assertionRules,
  ...runRules
})

export type RuleId = keyof typeof rules
