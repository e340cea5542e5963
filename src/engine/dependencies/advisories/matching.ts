import type { Ecosystem } from "../lockfiles/LockedPackage.ts"
import { compareVersions } from "../versions/order.ts"
import type { Advisory, AdvisoryMatch, AffectedRange } from "./Advisory.ts"

/** Whether `version` is at or above the beginning of a range; "0" is below everything. */
const isFrom = (ecosystem: Ecosystem, version: string, introduced: string): boolean => {
  if (introduced === "0") return compareVersions(ecosystem, version, version) !== null
  const order = compareVersions(ecosystem, version, introduced)
  return order !== null && order >= 0
}

const isInside = (ecosystem: Ecosystem, version: string, range: AffectedRange): boolean => {
  if (!isFrom(ecosystem, version, range.introduced)) return false
  if (range.fixed !== undefined) return isBelow(compareVersions(ecosystem, version, range.fixed), 0)
  return range.last === undefined || isBelow(compareVersions(ecosystem, version, range.last), 1)
}

// A bound that is no version of its ecosystem proves nothing.
const isBelow = (order: number | null, limit: 0 | 1): boolean => order !== null && order < limit

/** What applies to a version, as OSV defines it: it is listed, or lies in a range. */
export const matchOf = (ecosystem: Ecosystem, version: string, advisory: Advisory): AdvisoryMatch | null => {
  const range = advisory.ranges.find((candidate) => isInside(ecosystem, version, candidate))
  if (range !== undefined) return { advisory, fixed: range.fixed ?? null }
  return advisory.versions.some((listed) => listed === version || compareVersions(ecosystem, listed, version) === 0)
    ? { advisory, fixed: nextFix(ecosystem, version, advisory) }
    : null
}

const nextFix = (ecosystem: Ecosystem, version: string, { ranges }: Advisory): string | null => {
  let best: string | null = null
  for (const { fixed } of ranges) {
    if (fixed === undefined || (compareVersions(ecosystem, fixed, version) ?? -1) <= 0) continue
    if (best === null || (compareVersions(ecosystem, fixed, best) ?? 0) < 0) best = fixed
  }
  return best
}
