import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { RepositoryId, type WorkspaceId } from "../../schema/Ids.ts"
import { Domain, Priority } from "../../schema/Observation.ts"
import { Amount, Count, Instant } from "../../schema/Text.ts"
import { rows } from "../support/rows.ts"

const auditWorkflows = "('audit', 'standard_audit')"

const AuditRow = Schema.Struct({
  repository_id: RepositoryId,
  workflow: Schema.String,
  finished_at: Instant,
  lines: Schema.NullOr(Count),
  domains: Schema.NullOr(
    Schema.partialWith(Schema.Record({ key: Domain, value: Schema.Array(Schema.String) }), { exact: true })
  )
})
export type AuditRow = typeof AuditRow.Type

/** What is open of one priority and domain: suggestions are no flaws. */
const WeightRow = Schema.Struct({
  repository_id: RepositoryId,
  domain: Domain,
  priority: Priority,
  confidence: Amount
})
export type WeightRow = typeof WeightRow.Type

interface OfRepositories {
  readonly workspace_id: WorkspaceId
  readonly repository_ids: ReadonlyArray<RepositoryId>
}

/** A repository at a moment. */
export interface Moment {
  readonly repository_id: RepositoryId
  readonly at: string
}

/** What the scores of repositories are made of, now and at an earlier moment. */
export class ScoresRepo extends Effect.Service<ScoresRepo>()("ScoresRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    /** The two newest completed audits of each kind, the newest first. */
    const audits = ({ workspace_id, repository_ids }: OfRepositories) =>
      rows(
        AuditRow,
        sql`
          SELECT repository_id, workflow, finished_at, (result -> 'inventory' ->> 'lines')::int AS lines,
            result -> 'tools' -> 'domains' AS domains
          FROM (
            SELECT repository_id, workflow, finished_at, result,
              row_number() OVER (PARTITION BY repository_id, workflow ORDER BY finished_at DESC) AS place
            FROM jobs WHERE workspace_id = ${workspace_id} AND repository_id = ANY(${[...repository_ids]}::uuid[])
              AND workflow IN ${sql.literal(auditWorkflows)} AND status = 'completed' AND result IS NOT NULL) newest
          WHERE place <= 2 ORDER BY finished_at DESC`
      )

    const openNow = ({ workspace_id, repository_ids }: OfRepositories) =>
      rows(
        WeightRow,
        sql`
          SELECT repository_id, domain, priority, sum(confidence)::float8 AS confidence FROM observations
          WHERE workspace_id = ${workspace_id} AND repository_id = ANY(${[...repository_ids]}::uuid[])
            AND status = 'new' AND kind <> 'suggestion'
          GROUP BY repository_id, domain, priority`
      )

    /** What was open at each moment follows from what is open now and what has changed since. */
    const openAt = ({
      workspace_id,
      moments
    }: {
      readonly workspace_id: WorkspaceId
      readonly moments: ReadonlyArray<Moment>
    }) =>
      rows(
        WeightRow,
        sql`
          WITH moments AS (
            SELECT * FROM unnest(${moments.map(({ repository_id }) => repository_id)}::uuid[],
              ${moments.map(({ at }) => at)}::timestamptz[]) AS m(repository_id, at)
          ), changed AS (
            SELECT c.observation_id, bool_or(NOT c.opens AND c.since <= m.at) AS was_open
            FROM moments m JOIN observation_changes c ON c.repository_id = m.repository_id AND c.at > m.at
            WHERE c.workspace_id = ${workspace_id} GROUP BY c.observation_id
          ), open AS (
            SELECT o.repository_id, o.domain, o.priority, o.confidence
            FROM moments m JOIN observations o ON o.repository_id = m.repository_id AND o.first_seen_at <= m.at
            WHERE o.workspace_id = ${workspace_id} AND o.status = 'new' AND o.kind <> 'suggestion'
              AND NOT EXISTS (SELECT FROM changed c WHERE c.observation_id = o.id)
            UNION ALL
            SELECT o.repository_id, o.domain, o.priority, o.confidence
            FROM changed c JOIN observations o ON o.id = c.observation_id
            WHERE c.was_open AND o.kind <> 'suggestion'
          )
          SELECT repository_id, domain, priority, sum(confidence)::float8 AS confidence FROM open
          GROUP BY repository_id, domain, priority`
      )

    return { audits, openNow, openAt }
  })
}) {}
