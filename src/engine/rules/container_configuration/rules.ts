import { ruleSet } from "../../core/tool/AuditTool.ts"
import { buildRules } from "./rules/builds.ts"
import { credentialRules } from "./rules/credentials.ts"
import { imageRules } from "./rules/images.ts"
import { installationRules } from "./rules/installations.ts"
import { isolationRules } from "./rules/isolation.ts"
import { objectRules } from "./rules/objects.ts"
import { orchestrationRules } from "./rules/orchestration.ts"
import { userRules } from "./rules/users.ts"

export const rules = ruleSet({
  ...userRules,
  ...imageRules,
  ...credentialRules,
  ...isolationRules,
  ...orchestrationRules,
  ...buildRules,
  ...installationRules,
  ...objectRules
})

export type RuleId = keyof typeof rules
