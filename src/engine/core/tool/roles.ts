import type { Priority } from "../../../schema/Observation.ts"
import type { FileRole } from "../files/FileRole.ts"
import type { Rule } from "./AuditTool.ts"

const priorities: ReadonlyArray<Priority> = ["P0", "P1", "P2", "P3"]

const lowered = (priority: Priority, by: number): Priority =>
  priorities[Math.min(priorities.indexOf(priority) + by, priorities.length - 1)]!

/**
 * What a rule says about a file of this role: its priority there, or null for nothing. Other people's, generated and
 * minified files are never reported unless the rule asks for all; the rest follows the rule.
 */
export const priorityIn = (role: FileRole, rule: Rule, priority: Priority): Priority | null => {
  if (role === "source") return priority
  const inTests = rule.inTests ?? "skip"
  if (inTests === "skip") return null
  const foreign = role === "vendored" || role === "generated" || role === "minified"
  if (foreign && inTests !== "report") return null
  return inTests === "lower" ? lowered(priority, 2) : priority
}
