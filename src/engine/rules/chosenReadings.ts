import type { Measured } from "./readings.ts"

/**
 * What was right, arguable and wrong of matches in files that were chosen for their rule, as docs/audit-severe-reading.md
 * reports, without what has been corrected since. They say how often the rule is right, and nothing of others: a class of
 * rules would be taken for what those of its rules are that files were searched for.
 */
export const chosen: Readonly<Record<string, Measured>> = {
  /** Of Python alone; in JavaScript it is right less often, which its matches say themselves. */
  "correctness_bugs.always_true_alternative": { right: 155, arguable: 13, wrong: 0 },
  "correctness_bugs.contradictory_condition": { right: 75, arguable: 15, wrong: 1 },
  "correctness_bugs.exception_not_thrown": { right: 248, arguable: 38, wrong: 7 },
  "correctness_bugs.loop_never_ends": { right: 54, arguable: 2, wrong: 1 },
  "correctness_bugs.missing_break": { right: 180, arguable: 13, wrong: 10 }
}
