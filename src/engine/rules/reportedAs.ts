import type { Kind, Priority } from "../../schema/Observation.ts"
import { type AuditTool, ruleOf } from "../core/tool/AuditTool.ts"
import { assess, confidenceAt } from "../core/tool/assessment.ts"

/** How a rule's matches in source code are reported where nothing lowers them. */
export interface Reported {
  readonly kind: Kind
  readonly priority: Priority
  readonly confidence: number
  readonly isOn: boolean
}

export const reportedAs = (tool: AuditTool, id: string): Reported => {
  const rule = ruleOf(tool, id)
  const confidence = confidenceAt(`${tool.id}.${id}`, rule, {})
  const assessment = assess(tool, rule, { rule: id }, "source")
  return assessment === null
    ? { kind: "advisory", priority: "P3", confidence, isOn: false }
    : { kind: assessment.kind, priority: assessment.priority, confidence, isOn: true }
}
