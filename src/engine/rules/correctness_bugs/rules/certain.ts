import type { Rule } from "../../../core/tool/AuditTool.ts"

type CertainRule = Pick<Rule, "languages" | "title" | "description" | "example" | "cwe"> & Partial<Rule>

/** Small, local bugs: what differs from these defaults is part of the rule. */
export const certain = (rule: CertainRule): Rule => ({ confidence: 0.92, effort: "small", risk: "low", ...rule })
