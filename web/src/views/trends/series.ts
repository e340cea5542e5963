import type { Trends } from "../../api/trends.ts"
import type { Area } from "../../parts/charts/AreaChart.tsx"
import type { Bar } from "../../parts/charts/BarChart.tsx"
import { dayOf, type Point, type Series } from "../../parts/charts/chart.ts"
import { figure, percent } from "../../parts/text/counted.ts"
import { dollars } from "../../parts/text/Money.tsx"

export interface ListFilter {
  readonly repo?: string
  readonly domain?: string
  readonly rule?: string
}

/** The list in the queue that a value counts. */
export const listHref = (filter: ListFilter, more: Readonly<Record<string, string>>): string => {
  const parameters = new URLSearchParams(more)
  for (const [name, value] of Object.entries({ ...filter })) if (value !== undefined) parameters.set(name, value)
  return `/triage?${parameters}`
}

const bucketDays = (entries: ReadonlyArray<{ readonly at: string }>): number =>
  entries.length < 2
    ? 1
    : Math.round((Date.parse(entries[1]?.at ?? "") - Date.parse(entries[0]?.at ?? "")) / 86_400_000)

const endOf = (at: string, days: number) => new Date(Date.parse(at) + days * 86_400_000).toISOString()

type Counts = Trends["series"]["opened"]

const counted = (name: string, entries: Counts, href: (at: string, until: string) => string): Series => {
  const days = bucketDays(entries)
  return {
    name,
    format: (value) => figure(value),
    points: entries.map(({ at, value }) => ({
      at,
      value,
      words: `${dayOf(at)}: ${value} ${name.toLowerCase()}`,
      href: href(at, endOf(at, days))
    }))
  }
}

/** Opened against closed. What opened leads to what was first seen then, what closed to what is closed and changed since. */
export const flowSeries = ({ opened, closed }: Trends["series"], filter: ListFilter): ReadonlyArray<Series> => [
  counted("Closed", closed, (since) => listHref(filter, { status: "closed", since })),
  counted("Opened", opened, (first_seen_since, first_seen_until) =>
    listHref(filter, { first_seen_since, first_seen_until })
  )
]

const priorities = [
  ["P3", "p3"],
  ["P2", "p2"],
  ["P1", "p1"],
  ["P0", "p0"]
] as const

/** Open by priority, the least severe at the base. */
export const openAreas = (entries: Trends["series"]["open_by_priority"], filter: ListFilter): ReadonlyArray<Area> =>
  priorities.map(([priority, tone]) => ({
    name: priority,
    tone,
    format: (value) => figure(value),
    points: entries.map((entry) => ({
      at: entry.at,
      value: entry[priority],
      words: `${dayOf(entry.at)}: ${entry[priority]} open ${priority}`,
      href: listHref(filter, { status: "open", priority })
    }))
  }))

const measured = (
  name: string,
  entries: Trends["series"]["median_days_to_close"],
  format: (value: number) => string,
  href?: string
): Series => ({
  name,
  format,
  points: entries.map(
    ({ at, value }): Point => ({
      at,
      value,
      words: `${dayOf(at)}: ${value === null ? "nothing to measure" : `${name.toLowerCase()} ${format(value)}`}`,
      ...(href === undefined ? {} : { href })
    })
  )
})

export const timeToCloseSeries = (
  { median_days_to_close }: Trends["series"],
  filter: ListFilter
): ReadonlyArray<Series> => [
  measured("Median", median_days_to_close, (days) => `${figure(days)} d`, listHref(filter, { status: "closed" }))
]

export const coverageSeries = ({ forecast_coverage }: Trends["series"]): ReadonlyArray<Series> => [
  measured("Held", forecast_coverage, (value) => percent(value), "/jobs")
]

/** As short as the end of a line has room for. */
const shortDollars = (usd: number) => (usd > 0 && usd < 0.01 ? "<$0.01" : dollars(usd))

export const spendSeries = ({ spend }: Trends["series"]): ReadonlyArray<Series> =>
  (
    [
      ["Spent", "spent_usd"],
      ["Forecast", "forecast_usd"]
    ] as const
  ).map(([name, field]) => ({
    name,
    format: shortDollars,
    points: spend.map((entry) => ({
      at: entry.at,
      value: entry[field],
      words: `${dayOf(entry.at)}: ${name.toLowerCase()} ${dollars(entry[field])}`,
      href: "/jobs"
    }))
  }))

const shownRules = 12

/** Rules by the share of their decided observations that were dismissed as false positives. */
export const noiseBars = (rules: Trends["false_positive_share_by_rule"], filter: ListFilter): ReadonlyArray<Bar> =>
  rules.slice(0, shownRules).map(({ rule, false_positive, decided, share: value }) => ({
    name: rule,
    value,
    label: percent(value),
    words: `${rule}: ${false_positive} of ${decided} decided were false positives`,
    href: listHref({ ...filter, rule }, { status: "closed", close_reason: "dismissed" })
  }))
