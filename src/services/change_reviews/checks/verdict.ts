import type { ChangeReviewEvidence } from "../../../schema/ChangeReview.ts"
import type { BranchVerdict, ChangeFacts, Side } from "../ChangeFacts.ts"

/** Locations that a verdict shows at most. */
export const MAX_EVIDENCE = 20

export interface Spot {
  readonly side: Side
  readonly path: string
  readonly line_start: number
  readonly line_end: number
}

export const spotAt = (side: Side, path: string, line_start: number, line_end = line_start): Spot => ({
  side,
  path,
  line_start: Math.max(1, line_start),
  line_end: Math.max(1, line_start, line_end)
})

const evidenceOf = ({ repository, commits }: ChangeFacts, spots: ReadonlyArray<Spot>) =>
  spots.slice(0, MAX_EVIDENCE).map(
    ({ side, path, line_start, line_end }): ChangeReviewEvidence => ({
      repository,
      commit: commits[side],
      file_path: path,
      line_start,
      line_end
    })
  )

/** A verdict of each kind on one branch, with the facts that it is about. */
export const verdictsOn = (facts: ChangeFacts) => {
  const verdict =
    (word: BranchVerdict["verdict"]) =>
    (reason: string, spots: ReadonlyArray<Spot> = []): BranchVerdict => ({
      verdict: word,
      reason,
      evidence: evidenceOf(facts, spots)
    })
  return {
    met: verdict("met"),
    notMet: verdict("not_met"),
    undecided: verdict("cannot_tell"),
    notApplicable: verdict("not_applicable")
  }
}
