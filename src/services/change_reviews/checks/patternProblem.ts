import { LinearPattern } from "../../../engine/index.ts"
import type { ChangeCheck } from "../../../schema/ChangeReview.ts"
import { globProblem } from "./glob.ts"

/** What is wrong with the patterns of a check, as the end of a sentence about the check; null where nothing is. */
export const patternProblem = (check: ChangeCheck): string | null => {
  const globs = "glob" in check ? [check.glob] : "paths" in check ? (check.paths ?? []) : []
  for (const glob of globs) {
    const problem = globProblem(glob)
    if (problem !== null) return `cannot have the pattern of paths \`${glob}\`: ${problem}`
  }
  if (!("pattern" in check)) return null
  const pattern = LinearPattern.of(check.pattern)
  return pattern instanceof LinearPattern ? null : `cannot have the pattern \`${check.pattern}\`: ${pattern.problem}`
}
