import { compareText } from "../text/compareText.ts"
import type { Placed } from "./Inspector.ts"

const FULL_PER_RULE = 4_000

/** The order in which findings are chosen under a cap. */
const byWeight = (a: Placed, b: Placed): number =>
  compareText(a.priority, b.priority) || b.confidence - a.confidence || compareText(a.path, b.path) || a.start - b.start

/**
 * All hits of a scan. A noisy rule on a large repository has a hundred thousand, of which twenty are told: those that
 * can no longer be among them keep what identity and counting need, and lose their texts. Which ones these are depends
 * on the hits only, not on the order in which they come.
 */
export class PlacedHits {
  private readonly rules = new Map<string, { full: Array<Placed>; readonly bare: Array<Placed> }>()

  add(hits: ReadonlyArray<Placed>): void {
    for (const hit of hits) {
      const rule = `${hit.tool}.${hit.rule}`
      const known = this.rules.get(rule) ?? { full: [], bare: [] }
      this.rules.set(rule, known)
      known.full.push(hit)
      if (known.full.length >= 2 * FULL_PER_RULE) {
        known.full.sort(byWeight)
        known.bare.push(...known.full.slice(FULL_PER_RULE).map(bared))
        known.full = known.full.slice(0, FULL_PER_RULE)
      }
    }
  }

  all(): ReadonlyArray<Placed> {
    return [...this.rules.values()].flatMap(({ full, bare }) => [...full, ...bare])
  }
}

const bared = (hit: Placed): Placed => ({
  ...hit,
  snippet: "",
  steps: [],
  suggestedChange: null,
  identifiers: [],
  anchor: { text: "", hash: hit.anchor.hash }
})
