import { Schema } from "effect"
import { closed, record } from "./closed.ts"
import { Domain, observationFilters } from "./Observation.ts"
import { OpenCounts } from "./Repository.ts"
import { Amount, Count, field, Instant, InstantInput, nullable, oneOf, optional, text } from "./Text.ts"

export const TrendBucket = oneOf("day", "week")
export type TrendBucket = typeof TrendBucket.Type

/** Buckets of one answer: more than a year of days. */
export const maxTrendBuckets = 400
/** Buckets of a period that names no beginning: a month of days, half a year of weeks. */
export const defaultTrendBuckets = { day: 30, week: 26 } as const

export const TrendsQuery = closed({
  from: optional(
    InstantInput,
    "Beginning of the period, moved back to the start of its day or week; by default the last 30 days or 26 weeks."
  ),
  to: optional(
    InstantInput,
    "End of the period, not included itself, moved on to the end of its day or week; by default, and at the latest, now."
  ),
  bucket: optional(TrendBucket, `Size of a bucket: \`day\` (default) or \`week\`; at most ${maxTrendBuckets} buckets.`),
  repo: observationFilters.repo,
  domain: optional(Domain, "Only observations of this domain's tools; not for `spend` and `forecast_coverage`."),
  rule: optional(text(1, 200), "Only observations of this rule; not for `spend` and `forecast_coverage`.")
})
export type TrendsQuery = typeof TrendsQuery.Type

const at = { at: field(Instant, "Start of the bucket.") }

const Counted = record("TrendCount", { ...at, value: field(Count, "Number in the bucket.") })
const Measured = record("TrendValue", {
  ...at,
  value: nullable(Amount, "Value of the bucket; null where it has nothing to measure.")
})
const OpenByPriority = record("TrendOpen", { ...at, ...OpenCounts.fields })
const Spending = record("TrendSpend", {
  ...at,
  spent_usd: field(Amount, "Cost of the jobs that ended in the bucket, in US dollars."),
  forecast_usd: field(Amount, "Most likely cost of the same jobs, as forecast when they were submitted.")
})

export const FalsePositiveShare = record("FalsePositiveShare", {
  rule: field(Schema.String, "ID of the rule: `tool.rule`."),
  false_positive: field(Count, "Number of the decided observations that were dismissed as `false_positive`."),
  decided: field(
    Count,
    "Number of observations whose last change of status in the period was `fixed`, `completed` or `dismissed`."
  ),
  share: field(Amount, "`false_positive` divided by `decided`, from 0 to 1.")
})
export type FalsePositiveShare = typeof FalsePositiveShare.Type

export const Trends = record(
  "Trends",
  {
    from: field(Instant, "Start of the first bucket."),
    to: field(Instant, "End of the last bucket, not included itself."),
    bucket: field(TrendBucket, "Size of a bucket, in UTC; weeks start on Monday."),
    series: field(
      record("TrendSeries", {
        opened: field(
          Schema.Array(Counted),
          "Observations that became open: recorded for the first time, reopened or found again."
        ),
        closed: field(Schema.Array(Counted), "Observations that were closed, for whatever reason."),
        open_by_priority: field(
          Schema.Array(OpenByPriority),
          "Observations open at the end of the bucket, or now, by the priority that they have now."
        ),
        median_days_to_close: field(
          Schema.Array(Measured),
          "Median number of days, to a hundredth, that the observations closed in the bucket had been open since they last became so."
        ),
        spend: field(Schema.Array(Spending), "What jobs cost; empty without `view_jobs`."),
        forecast_coverage: field(
          Schema.Array(Measured),
          "Share of the jobs completed in the bucket whose cost was between the low and the high estimate; empty without `view_jobs`."
        )
      }),
      "One entry for each bucket, oldest first; buckets without any change are there, too."
    ),
    false_positive_share_by_rule: field(
      Schema.Array(FalsePositiveShare),
      "Rules with decided observations in the period, the highest share first."
    ),
    not_shown: field(
      Schema.Array(Schema.String),
      "Permissions that the caller lacks: `spend` and `forecast_coverage` need view_jobs."
    )
  },
  {
    from: "2026-11-16T00:00:00.000Z",
    to: "2026-11-23T00:00:00.000Z",
    bucket: "week",
    series: {
      opened: [{ at: "2026-11-16T00:00:00.000Z", value: 12 }],
      closed: [{ at: "2026-11-16T00:00:00.000Z", value: 5 }],
      open_by_priority: [{ at: "2026-11-16T00:00:00.000Z", P0: 0, P1: 3, P2: 9, P3: 14 }],
      median_days_to_close: [{ at: "2026-11-16T00:00:00.000Z", value: 2.25 }],
      spend: [{ at: "2026-11-16T00:00:00.000Z", spent_usd: 0.0182, forecast_usd: 0.02 }],
      forecast_coverage: [{ at: "2026-11-16T00:00:00.000Z", value: 0.9 }]
    },
    false_positive_share_by_rule: [{ rule: "regex_dos.nested_quantifier", false_positive: 1, decided: 4, share: 0.25 }],
    not_shown: []
  }
)
export type Trends = typeof Trends.Type
