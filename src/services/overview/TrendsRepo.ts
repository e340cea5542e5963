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
     * One statement, so that all of it is of one moment. It reads only observations that changed since `from`: every
     * change of status moves `updated_at`, and what was open before follows from what is open now. Of these it reads all
     * changes: the one before a closing says how long it was open, and the one after a decision whether it held.
     */
    const history = (request: Request & { readonly domain: Domain | null; readonly rule: string | null }) => {
      const { workspace_id, repository_id, domain, rule, from, to } = request
      const conditions = [
        sql`o.workspace_id = ${workspace_id}`,
        repository_id === null
          ? sql`o.repository_id IN (SELECT r.id FROM repositories r
              WHERE r.workspace_id = ${workspace_id} AND r.deleted_at IS NULL)`
          : sql`o.repository_id = ${repository_id}`,
        ...(domain === null ? [] : [sql`o.domain = ${domain}`]),
        ...(rule === null ? [] : [sql`o.rule_id = ${rule}`])
      ]
      return onlyRow(
        History,
        sql`
          WITH histories AS (
            SELECT e.at, e.to_status = 'new' AS opens, o.priority, o.rule_id,
              e.event IN ('fixed', 'completed', 'dismissed') AS decides,
              coalesce(e.dismissal_category = 'false_positive', false) AS false_positive,
              coalesce(lag(e.at) OVER history, o.first_seen_at) AS since, lead(e.at) OVER history AS until
            FROM observations o JOIN observation_events e ON e.observation_id = o.id
            WHERE ${sql.and(conditions)} AND o.updated_at >= ${from} AND e.from_status IS DISTINCT FROM e.to_status
            WINDOW history AS (PARTITION BY e.observation_id ORDER BY e.id)
          ), changes AS MATERIALIZED (
            SELECT *, ${bucketOf("at", request)} AS bucket FROM histories WHERE at >= ${from}
          ), open AS (
            SELECT o.priority, count(*) AS count FROM observations o WHERE ${sql.and(conditions)} AND o.status = 'new'
            GROUP BY o.priority
          ), counts AS (
            SELECT least(bucket, ${to}::timestamptz) AS at, priority, count(*) FILTER (WHERE opens) AS opened,
              count(*) FILTER (WHERE NOT opens) AS closed
            FROM changes GROUP BY 1, 2
          ), medians AS (
            SELECT bucket AS at, percentile_cont(0.5) WITHIN GROUP (
              ORDER BY greatest(0, extract(epoch FROM at - since)::float8 / 86400)) AS days
            FROM changes WHERE NOT opens AND at < ${to} GROUP BY bucket
          ), decisions AS (
            SELECT rule_id AS rule, count(*) AS decided, count(*) FILTER (WHERE false_positive) AS false_positive
            FROM changes WHERE decides AND at < ${to} AND (until IS NULL OR until >= ${to}) GROUP BY rule_id
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
