import { Array } from "effect"
import type { Priority } from "../../schema/Observation.ts"
import { defaultTrendBuckets, type FalsePositiveShare, type TrendBucket, type Trends } from "../../schema/Trends.ts"
import type { Changes, CoverageRow, History, SpendRow, TrendPeriod } from "./TrendsRepo.ts"

const dayMillis = 24 * 60 * 60 * 1000
/** The epoch was a Thursday; buckets of weeks start on Mondays. */
const firstStart = { day: 0, week: 4 * dayMillis } as const
const days = { day: 1, week: 7 } as const

export interface Buckets extends TrendPeriod {
  readonly count: number
}

/** The whole buckets that hold the period; `null` when it has no moment. Times are milliseconds. */
export const bucketsOf = (request: {
  readonly from: number | null
  readonly to: number | null
  readonly bucket: TrendBucket
  readonly now: number
}): Buckets | null => {
  const { bucket, now } = request
  const size = days[bucket] * dayMillis
  const startOf = (at: number) => Math.floor((at - firstStart[bucket]) / size) * size + firstStart[bucket]
  const end = Math.min(request.to ?? now, now)
  const from = request.from ?? startOf(end - 1) - (defaultTrendBuckets[bucket] - 1) * size
  if (from >= end) return null
  const first = startOf(from)
  const count = Math.ceil((end - first) / size)
  return { from: iso(first), to: iso(first + count * size), days: days[bucket], count }
}

const iso = (millis: number) => new Date(millis).toISOString()

/** Starts of the buckets, in order. */
export const startsOf = ({ from, days, count }: Buckets): ReadonlyArray<string> =>
  Array.makeBy(count, (index) => iso(Date.parse(from) + index * days * dayMillis))

type Counts = Readonly<Record<Priority, number>>

const sumOf = (changes: ReadonlyArray<Changes>, key: "opened" | "closed") =>
  changes.reduce((sum, change) => sum + change[key], 0)

const undone = (open: Counts, changes: ReadonlyArray<Changes>): Counts => {
  const counts: Record<Priority, number> = { ...open }
  for (const { priority, opened, closed } of changes) counts[priority] += closed - opened
  return counts
}

type ByStart = Readonly<Record<string, ReadonlyArray<Changes>>>

/** Backwards from what is open now: before a change, what it opened was not open and what it closed was. */
const openAtEnds = (starts: ReadonlyArray<string>, byStart: ByStart, open: Counts) => {
  const ends = Array.mapAccum(starts.toReversed(), open, (counts, at) => [
    undone(counts, byStart[at] ?? []),
    { at, ...counts }
  ])[1]
  return ends.toReversed()
}

type Series = Trends["series"]

/** The series of observations: every bucket is there, whether something changed in it or not. */
export const historySeries = (
  buckets: Buckets,
  { open, changes, medians }: History
): Pick<Series, "opened" | "closed" | "open_by_priority" | "median_days_to_close"> => {
  const starts = startsOf(buckets)
  const byStart = Array.groupBy(changes, ({ at }) => at)
  const openNow: Record<Priority, number> = { P0: 0, P1: 0, P2: 0, P3: 0 }
  for (const { priority, count } of open) openNow[priority] += count
  const medianAt = new Map(medians.map(({ at, days }) => [at, rounded(days, 2)]))
  return {
    opened: starts.map((at) => ({ at, value: sumOf(byStart[at] ?? [], "opened") })),
    closed: starts.map((at) => ({ at, value: sumOf(byStart[at] ?? [], "closed") })),
    open_by_priority: openAtEnds(starts, byStart, undone(openNow, byStart[buckets.to] ?? [])),
    median_days_to_close: starts.map((at) => ({ at, value: medianAt.get(at) ?? null }))
  }
}

export const spendSeries = (
  buckets: Buckets,
  spend: ReadonlyArray<SpendRow>,
  coverage: ReadonlyArray<CoverageRow>
): Pick<Series, "spend" | "forecast_coverage"> => {
  const starts = startsOf(buckets)
  const spendAt = new Map(spend.map((row) => [row.at, row]))
  const coverageAt = new Map(coverage.map(({ at, covered, completed }) => [at, rounded(covered / completed, 4)]))
  return {
    spend: starts.map((at) => spendAt.get(at) ?? { at, spent_usd: 0, forecast_usd: 0 }),
    forecast_coverage: starts.map((at) => ({ at, value: coverageAt.get(at) ?? null }))
  }
}

/** The highest share first; of equal shares the one that more decisions show. */
export const sharesOf = (decisions: History["decisions"]): ReadonlyArray<FalsePositiveShare> =>
  decisions
    .map((row) => ({ ...row, share: rounded(row.false_positive / row.decided, 4) }))
    .sort((a, b) => b.share - a.share || b.decided - a.decided || (a.rule < b.rule ? -1 : 1))

const rounded = (value: number, digits: number) => Math.round(value * 10 ** digits) / 10 ** digits
