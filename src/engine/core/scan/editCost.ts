import type { Effort, Risk } from "../../../schema/Observation.ts"
import type { Rule } from "../tool/AuditTool.ts"
import type { LocatedFinding } from "./LocatedFinding.ts"

const SMALL_EDIT_LINES = 12
const MEDIUM_EDIT_LINES = 60

/** A changed line that declares something which other code may call. */
const declaresPublic =
  /^[+-]\s*(?:export\b|pub\b|public\b|protected\b|module\.exports\b|exports\.|def (?!_)|class (?!_)|func (?:\([^)]*\) )?[A-Z])/

/** What a fix takes: measured on the edit where the rule's fixer proposes one, the rule's estimate otherwise. */
export const costOf = (
  { suggested_diff }: Pick<LocatedFinding, "suggested_diff">,
  rule: Pick<Rule, "effort" | "risk">
): { readonly effort: Effort; readonly risk: Risk } => {
  if (suggested_diff === null) return { effort: rule.effort, risk: rule.risk }
  const lines = suggested_diff.split("\n")
  const changed = lines.filter((line) => /^[+-](?![+-]{2} )/.test(line))
  const files = lines.filter((line) => line.startsWith("+++ ")).length
  const isSmall = changed.length <= SMALL_EDIT_LINES && files <= 1
  const effort = isSmall ? "small" : changed.length <= MEDIUM_EDIT_LINES ? "medium" : "large"
  const touchesPublic = changed.some((line) => declaresPublic.test(line))
  return { effort, risk: touchesPublic ? higher(rule.risk) : rule.risk }
}

const higher = (risk: Risk): Risk => (risk === "low" ? "medium" : "high")
