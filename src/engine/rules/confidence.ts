/**
 * How often each rule was right on code that it was not written for, as docs/audit-precision.md reports: the one place
 * where measured confidence is kept. A rule that is missing here has not been measured.
 */
export interface Measured {
  readonly right: number
  readonly arguable: number
  readonly wrong: number
}

/** How many readings the author's estimate counts for: a few findings alone say little about a rule. */
const ESTIMATE_WEIGHT = 4

/** By full rule id. */
export const measured: Readonly<Record<string, Measured>> = {}

/** The share of a rule's matches that are right, 0..1: the author's estimate until enough of them were read. */
export const confidenceOf = (ruleId: string, estimate: number): number => {
  const found = Object.hasOwn(measured, ruleId) ? measured[ruleId] : undefined
  if (found === undefined) return estimate
  const { right, arguable, wrong } = found
  const share = (right + ESTIMATE_WEIGHT * estimate) / (right + arguable + wrong + ESTIMATE_WEIGHT)
  return Math.round(share * 100) / 100
}

/** What was read of a rule; null for one that was not measured. */
export const measuredOf = (ruleId: string): Measured | null =>
  Object.hasOwn(measured, ruleId) ? measured[ruleId]! : null
