import { ruleSet } from "../../core/tool/AuditTool.ts"
import { buildRules } from "./rules/builds.ts"
import { credentialRules } from "./rules/credentials.ts"
import { imageRules } from "./rules/images.ts"
import { isolationRules } from "./rules/isolation.ts"
import { orchestrationRules } from "./rules/orchestration.ts"
import { userRules } from "./rules/users.ts"

export const rules = ruleSet({
  ...userRules,
  ...imageRules,
  ...credentialRules,
  ...isolationRules,
  ...orchestrationRules,
  ...buildRules
})

export type RuleId = keyof typeof rules
