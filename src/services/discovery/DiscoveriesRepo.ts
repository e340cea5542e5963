import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { type Directive, type DiscoveryFiles, DiscoveryOutput } from "../../schema/Discovery.ts"
import { storableJson } from "../support/storable.ts"

const Row = Schema.Struct({
  output: DiscoveryOutput,
  commit_sha: Schema.String,
  discovered_at: Schema.String
})
const decodeRow = Schema.decodeUnknown(Row)

export interface NewDiscovery {
  readonly workspace_id: string
  readonly repository_id: string
  readonly job_id: string
  readonly commit: string
  readonly output: DiscoveryOutput
  readonly at: string
}

interface Addressed {
  readonly workspace_id: string
  readonly repository_id: string
}

export class DiscoveriesRepo extends Effect.Service<DiscoveriesRepo>()("DiscoveriesRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const replace = (discovery: NewDiscovery) =>
      Effect.orDie(
        sql`WITH written AS (
            INSERT INTO discoveries (repository_id, workspace_id, job_id, commit_sha, output, discovered_at)
            VALUES (${discovery.repository_id}, ${discovery.workspace_id}, ${discovery.job_id}, ${discovery.commit},
              ${storableJson(discovery.output)}::jsonb, ${discovery.at})
            ON CONFLICT (repository_id) DO UPDATE SET job_id = excluded.job_id, commit_sha = excluded.commit_sha,
              output = excluded.output, discovered_at = excluded.discovered_at
          )
          UPDATE repositories SET last_discovery_at = ${discovery.at}
          WHERE workspace_id = ${discovery.workspace_id} AND id = ${discovery.repository_id}`
      )

    const newest = ({ workspace_id, repository_id }: Addressed) =>
      Effect.gen(function* () {
        const rows = yield* sql`SELECT output, commit_sha, discovered_at FROM discoveries
          WHERE workspace_id = ${workspace_id} AND repository_id = ${repository_id}`
        return rows[0] === undefined ? null : yield* decodeRow(rows[0])
      }).pipe(Effect.orDie)

    const lastFailure = ({ workspace_id, repository_id }: Addressed) =>
      Effect.map(
        Effect.orDie(
          sql<NonNullable<DiscoveryFiles["last_failure"]>>`
            SELECT id AS job_id, status, error, finished_at AS failed_at FROM jobs
            WHERE workspace_id = ${workspace_id} AND repository_id = ${repository_id} AND workflow = 'discover'
              AND status = 'failed'
            ORDER BY finished_at DESC LIMIT 1`
        ),
        (rows): DiscoveryFiles["last_failure"] => rows[0] ?? null
      )

    /** Open findings of the two highest priorities, the gravest first, one more than `limit` when there are more. */
    const directives = ({ workspace_id, repository_id, limit }: Addressed & { readonly limit: number }) =>
      Effect.orDie(
        sql<Directive>`
          SELECT 'OBS-' || number AS ref, kind, priority, category, title, rule_id, file_path,
            coalesce((locations -> 0 ->> 'line_start')::int, 0) AS line_start, suggested_change
          FROM observations
          WHERE workspace_id = ${workspace_id} AND repository_id = ${repository_id} AND status = 'new'
            AND NOT open_fix_pr AND priority IN ('P0', 'P1')
          ORDER BY priority, -confidence, -easy_win, -number LIMIT ${limit + 1}`
      )

    /** Everything open in one file, the gravest first. */
    const directivesIn = ({ workspace_id, repository_id, path }: Addressed & { readonly path: string }) =>
      Effect.orDie(
        sql<Directive>`
          SELECT 'OBS-' || number AS ref, kind, priority, category, title, rule_id, file_path,
            coalesce((locations -> 0 ->> 'line_start')::int, 0) AS line_start, suggested_change
          FROM observations
          WHERE workspace_id = ${workspace_id} AND repository_id = ${repository_id} AND status = 'new'
            AND file_path = ${path}
          ORDER BY priority, -confidence, -easy_win, -number LIMIT 50`
      )

    return { replace, newest, lastFailure, directives, directivesIn }
  })
}) {}
