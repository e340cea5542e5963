import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { Directive, DiscoveryLastFailure, DiscoveryOutput } from "../../schema/Discovery.ts"
import { JobId, RepositoryId, WorkspaceId } from "../../schema/Ids.ts"
import { Instant } from "../../schema/Text.ts"
import { firstRow, rows, run } from "../support/rows.ts"
import { jsonb } from "../support/statements.ts"

const StoredDiscovery = Schema.Struct({
  output: DiscoveryOutput,
  commit_sha: Schema.String,
  discovered_at: Instant
})

export interface NewDiscovery {
  readonly workspace_id: WorkspaceId
  readonly repository_id: RepositoryId
  readonly job_id: JobId
  readonly commit: string
  readonly output: DiscoveryOutput
  readonly at: string
}

interface Addressed {
  readonly workspace_id: WorkspaceId
  readonly repository_id: RepositoryId
}

export class DiscoveriesRepo extends Effect.Service<DiscoveriesRepo>()("DiscoveriesRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const replace = (discovery: NewDiscovery) =>
      run(sql`WITH written AS (
            INSERT INTO discoveries (repository_id, workspace_id, job_id, commit_sha, output, discovered_at)
            VALUES (${discovery.repository_id}, ${discovery.workspace_id}, ${discovery.job_id}, ${discovery.commit},
              ${jsonb(discovery.output)}, ${discovery.at})
            ON CONFLICT (repository_id) DO UPDATE SET job_id = excluded.job_id, commit_sha = excluded.commit_sha,
              output = excluded.output, discovered_at = excluded.discovered_at
            RETURNING output
          )
          UPDATE repositories SET last_discovery_at = ${discovery.at},
            lines = CASE WHEN last_audit_at IS NOT NULL AND lines IS NOT NULL THEN lines
              ELSE (output #>> '{stage_metrics,observe,lines}')::bigint END
          FROM written
          WHERE workspace_id = ${discovery.workspace_id} AND id = ${discovery.repository_id}`)

    const newest = ({ workspace_id, repository_id }: Addressed) =>
      firstRow(
        StoredDiscovery,
        sql`SELECT output, commit_sha, discovered_at FROM discoveries
          WHERE workspace_id = ${workspace_id} AND repository_id = ${repository_id}`
      )

    const lastFailure = ({ workspace_id, repository_id }: Addressed) =>
      firstRow(
        DiscoveryLastFailure,
        sql`
            SELECT id AS job_id, status, error, finished_at AS failed_at FROM jobs
            WHERE workspace_id = ${workspace_id} AND repository_id = ${repository_id} AND workflow = 'discover'
              AND status = 'failed'
            ORDER BY finished_at DESC LIMIT 1`
      )

    /** Open findings of the two highest priorities, the most severe first, one more than `limit` when there are more. */
    const directives = ({ workspace_id, repository_id, limit }: Addressed & { readonly limit: number }) =>
      rows(
        Directive,
        sql`
          SELECT 'OBS-' || number AS ref, kind, priority, category, title, rule_id, file_path,
            coalesce((locations -> 0 ->> 'line_start')::int, 0) AS line_start, suggested_change
          FROM observations
          WHERE workspace_id = ${workspace_id} AND repository_id = ${repository_id} AND status = 'new'
            AND NOT open_fix_pr AND priority IN ('P0', 'P1')
          ORDER BY priority, -confidence, -easy_win, -number LIMIT ${limit + 1}`
      )

    /** Everything open in one file, the most severe first. */
    const directivesIn = ({ workspace_id, repository_id, path }: Addressed & { readonly path: string }) =>
      rows(
        Directive,
        sql`
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
