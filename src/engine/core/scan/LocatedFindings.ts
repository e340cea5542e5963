import { compareText } from "../text/compareText.ts"
import type { LocatedFinding } from "./LocatedFinding.ts"

const FULL_PER_RULE = 8_000

/** The order in which findings are chosen under a cap. */
const byWeight = (a: LocatedFinding, b: LocatedFinding): number =>
  compareText(a.priority, b.priority) ||
  b.confidence - a.confidence ||
  compareText(a.file_path, b.file_path) ||
  a.start - b.start

/**
 * All located findings of a scan. A noisy rule on a large repository has a hundred thousand, of which few are
 * reported one by one: those that can no longer be among them keep what identity and counting need, and lose their texts. Which ones
 * these are depends on the findings only, not on the order in which they come.
 */
export class LocatedFindings {
  private readonly rules = new Map<string, { full: Array<LocatedFinding>; readonly bare: Array<LocatedFinding> }>()

  add(findings: ReadonlyArray<LocatedFinding>): void {
    for (const finding of findings) {
      const known = this.rules.get(finding.rule_id) ?? { full: [], bare: [] }
      this.rules.set(finding.rule_id, known)
      known.full.push(finding)
      if (known.full.length >= 2 * FULL_PER_RULE) {
        known.full.sort(byWeight)
        known.bare.push(...known.full.slice(FULL_PER_RULE).map(withoutTexts))
        known.full = known.full.slice(0, FULL_PER_RULE)
      }
    }
  }

  all(): ReadonlyArray<LocatedFinding> {
    return [...this.rules.values()].flatMap(({ full, bare }) => [...full, ...bare])
  }
}

const withoutTexts = (finding: LocatedFinding): LocatedFinding => ({
  ...finding,
  snippet: "",
  steps: [],
  suggested_change: null,
  suggested_diff: null,
  identifiers: [],
  missing_identifiers: [],
  checks: [],
  anchor: { text: "", hash: finding.anchor.hash }
})
