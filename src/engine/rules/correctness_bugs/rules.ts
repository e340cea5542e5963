import { ruleSet } from "../../core/tool/AuditTool.ts"
import { bufferRules } from "./rules/buffers.ts"
import { comparisonRules } from "./rules/comparisons.ts"
import { compiledLintRules } from "./rules/compiledLints.ts"
import { conditionRules } from "./rules/conditions.ts"
import { controlFlowRules } from "./rules/controlFlow.ts"
import { duplicateRules } from "./rules/duplicates.ts"
import { memoryRules } from "./rules/memory.ts"
import { nativeMistakeRules } from "./rules/nativeMistakes.ts"
import { pythonLintRules } from "./rules/pythonLints.ts"
import { scriptLintRules } from "./rules/scriptLints.ts"
import { valueRules } from "./rules/values.ts"

export const rules = ruleSet({
  ...conditionRules,
  ...comparisonRules,
  ...duplicateRules,
  ...controlFlowRules,
  ...valueRules,
  ...bufferRules,
  ...memoryRules,
  ...nativeMistakeRules,
  ...pythonLintRules,
  ...scriptLintRules,
  ...compiledLintRules
})

export type RuleId = keyof typeof rules
