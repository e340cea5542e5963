import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { RepositoryId, WorkspaceId } from "../../schema/Ids.ts"
import { type Domain, Priority } from "../../schema/Observation.ts"
import { Amount, Count, Instant } from "../../schema/Text.ts"
import { onlyRow, rows } from "../support/rows.ts"

/** Whole buckets: `days` long each, the first one starting at `from` and the last one ending at `to`. */
export interface TrendPeriod {
  readonly from: string
  readonly to: string
  readonly days: 1 | 7
}

interface Request extends TrendPeriod {
  readonly workspace_id: WorkspaceId
  /** Null: of all repositories. */
  readonly repository_id: RepositoryId | null
}

const Changes = Schema.Struct({ at: Instant, priority: Priority, opened: Count, closed: Count })
export type Changes = typeof Changes.Type

const History = Schema.Struct({
  /** Observations that are open now. */
  open: Schema.Array(Schema.Struct({ priority: Priority, count: Count })),
  /** By bucket; those after the period are all of one bucket, which starts at its end. */
  changes: Schema.Array(Changes),
  /** Median days to close, of buckets in which something was closed. */
  medians: Schema.Array(Schema.Struct({ at: Instant, days: Amount })),
  /** Observations whose last change of status in the period was a decision. */
  decisions: Schema.Array(Schema.Struct({ rule: Schema.String, decided: Count, false_positive: Count }))
})
export type History = typeof History.Type

const SpendRow = Schema.Struct({ at: Instant, spent_usd: Amount, forecast_usd: Amount })
export type SpendRow = typeof SpendRow.Type

const CoverageRow = Schema.Struct({ at: Instant, completed: Count, covered: Count })
export type CoverageRow = typeof CoverageRow.Type

/** Numbers over time: what is open now, and each change of status that led there. */
export class TrendsRepo extends Effect.Service<TrendsRepo>()("TrendsRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const bucketOf = (column: string, { from, days }: TrendPeriod) =>
      sql`date_bin(make_interval(days => ${days}), ${sql.literal(column)}, ${from}::timestamptz)`

    const time = (expression: string) =>
      sql.literal(`to_char(${expression} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`)

    /**
     * One statement, so that all of it is of one moment. It reads only what changed since `from`: what was open before
     * follows from what is open now.
     */
    const history = (request: Request & { readonly domain: Domain | null; readonly rule: string | null }) => {
      const { workspace_id, repository_id, domain, rule, from, to, days } = request
      const conditions = sql.and([
        sql`o.workspace_id = ${workspace_id}`,
        repository_id === null
          ? sql`o.repository_id <> ALL (ARRAY(SELECT r.id FROM repositories r
              WHERE r.workspace_id = ${workspace_id} AND r.deleted_at IS NOT NULL))`
          : sql`o.repository_id = ${repository_id}`,
        ...(domain === null ? [] : [sql`o.domain = ${domain}`]),
        ...(rule === null ? [] : [sql`o.rule_id = ${rule}`])
      ])
      const inPeriod = sql`${conditions} AND o.at >= ${from} AND o.at < ${to}`
      // One bucket after the other, as the index holds them: grouping by a bucket that is computed of each row takes twice
      // the CPU, and for the medians a sort of all rows.
      const inBucket = sql`${conditions} AND o.at >= b.start AND o.at < b.finish`
      return onlyRow(
        History,
        sql`
          WITH open AS (
            SELECT o.priority, sum(o.count) AS count FROM observation_counts o WHERE ${conditions} AND o.status = 'new'
            GROUP BY o.priority
          ), buckets AS (
            SELECT start, CASE WHEN start < ${to} THEN start + make_interval(hours => ${days * 24}) ELSE 'infinity' END AS finish
            FROM generate_series(${from}::timestamptz, ${to}::timestamptz, make_interval(hours => ${days * 24})) start
          ), counts AS (
            SELECT b.start AS at, c.priority, c.opened, c.closed FROM buckets b, LATERAL (
              SELECT o.priority, count(*) AS opened, 0 AS closed FROM observation_changes o WHERE ${inBucket} AND o.opens
              GROUP BY o.priority
              UNION ALL
              SELECT o.priority, 0, count(*) FROM observation_changes o WHERE ${inBucket} AND NOT o.opens GROUP BY o.priority
            ) c
          ), medians AS (
            SELECT b.start AS at, extract(epoch FROM c.median)::float8 / 86400 AS days FROM buckets b, LATERAL (
              SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY greatest('0'::interval, o.at - o.since)) AS median
              FROM observation_changes o WHERE ${inBucket} AND NOT o.opens
            ) c WHERE b.start < ${to} AND c.median IS NOT NULL
          ), decisions AS (
            SELECT o.rule_id AS rule, count(*) AS decided, count(*) FILTER (WHERE o.false_positive) AS false_positive
            FROM observation_changes o
            WHERE ${inPeriod} AND NOT o.opens AND o.decides AND (o.until IS NULL OR o.until >= ${to})
            GROUP BY o.rule_id
          )
          SELECT
            coalesce((SELECT jsonb_agg(open) FROM open), '[]') AS open,
            coalesce((SELECT jsonb_agg(jsonb_build_object('at', ${time("at")}, 'priority', priority, 'opened', opened,
              'closed', closed)) FROM counts), '[]') AS changes,
            coalesce((SELECT jsonb_agg(jsonb_build_object('at', ${time("at")}, 'days', days)) FROM medians), '[]') AS medians,
            coalesce((SELECT jsonb_agg(decisions) FROM decisions), '[]') AS decisions`
      )
    }

    // Money that was spent stays spent when the repository is deleted. Entries of
    // unknown repositories are left out: whether the caller may see them is unknown, too.
    const ofRepositories = ({ repository_id }: Request) =>
      repository_id === null ? sql`repository_id IS NOT NULL` : sql`repository_id = ${repository_id}`

    /** A job that ends settles what it cost and releases what was forecast, at the same time. */
    const spend = (request: Request) =>
      rows(
        SpendRow,
        sql`
          SELECT ${bucketOf("at", request)} AS at,
            coalesce(sum(amount_usd) FILTER (WHERE kind = 'settle'), 0)::float8 AS spent_usd,
            coalesce(sum(amount_usd) FILTER (WHERE kind = 'release'), 0)::float8 AS forecast_usd
          FROM spend_entries
          WHERE workspace_id = ${request.workspace_id} AND at >= ${request.from} AND at < ${request.to}
            AND kind IN ('settle', 'release') AND ${ofRepositories(request)}
          GROUP BY 1`
      )

    const coverage = (request: Request) =>
      rows(
        CoverageRow,
        sql`
          SELECT ${bucketOf("finished_at", request)} AS at, count(*)::int AS completed,
            count(*) FILTER (WHERE cost_usd BETWEEN (forecast ->> 'cost_low')::float8
              AND (forecast ->> 'cost_high')::float8)::int AS covered
          FROM jobs
          WHERE workspace_id = ${request.workspace_id} AND finished_at >= ${request.from} AND finished_at < ${request.to}
            AND status = 'completed' AND forecast IS NOT NULL AND ${ofRepositories(request)}
          GROUP BY 1`
      )

    return { history, spend, coverage }
  })
}) {}
