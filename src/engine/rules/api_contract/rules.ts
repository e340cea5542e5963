import { ruleSet } from "../../core/tool/AuditTool.ts"
import { codeRules } from "./rules/code.ts"
import { documentRules } from "./rules/document.ts"

export const rules = ruleSet({
  ...documentRules,
  ...codeRules
})

export type RuleId = keyof typeof rules
