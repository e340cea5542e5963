import type { Finding } from "../../engine/index.ts"
import type { ReviewDirectives } from "../../schema/Setting.ts"
import type { Reviewed } from "./introduced.ts"
import { pathMatcher } from "./pathPattern.ts"

export interface DirectedReview extends Reviewed {
  /** How many findings of the change the instructions leave out. */
  readonly left_out: number
}

/** A review as its instructions want it: without what they leave out, and what they focus on first. */
export const directed = (reviewed: Reviewed, directives: ReviewDirectives): DirectedReview => {
  const matchers = directives.ignore_paths.map(pathMatcher)
  const isIgnored = ({ rule_id, locations }: Finding) =>
    isNamed(directives.ignore_rules, rule_id) ||
    (matchers.length > 0 && locations.every(({ file_path }) => matchers.some((matches) => matches(file_path))))
  const kept = reviewed.introduced.filter(({ finding }) => !isIgnored(finding))
  const isFocus = ({ finding }: Reviewed["introduced"][number]) => isNamed(directives.focus_rules, finding.rule_id)
  return {
    ...reviewed,
    introduced: [...kept.filter(isFocus), ...kept.filter((one) => !isFocus(one))],
    resolved: reviewed.resolved.filter((finding) => !isIgnored(finding)),
    left_out: reviewed.introduced.length - kept.length
  }
}

const isNamed = (names: ReadonlyArray<string>, ruleId: string): boolean => {
  const tool = ruleId.slice(0, ruleId.indexOf("."))
  return names.some((name) => name === ruleId || name === tool || name === `${tool}.*`)
}
