import type { RuleOutcomes } from "../../schema/Rule.ts"

export const nothingDecided: RuleOutcomes = { decided: 0, false_positive: 0, confidence: null }

/** How often a rule was right, by what people decided about its observations. */
export const outcomesOf = (found: Pick<RuleOutcomes, "decided" | "false_positive"> | undefined): RuleOutcomes => {
  if (found === undefined || found.decided === 0) return nothingDecided
  const { decided, false_positive } = found
  return { decided, false_positive, confidence: Math.round(((decided - false_positive) / decided) * 100) / 100 }
}

/** Empty while nothing was decided. */
export const outcomesInWords = ({ decided, false_positive }: RuleOutcomes): string =>
  decided === 0 ? "" : `Dismissed as false positive ${false_positive} of ${decided} here.`
