import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { Workflow } from "../../schema/Job.ts"
import type { JsonObject } from "../../schema/Text.ts"
import type { PastRun } from "./ladder.ts"

/** Newest ended jobs that are looked at, of the repository and of the whole workspace each. */
const memory = 100

export class ForecastsRepo extends Effect.Service<ForecastsRepo>()("ForecastsRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    /** Ended jobs of a workflow, newest first; `repository_id` null: no repository is asked about. */
    const history = (request: {
      readonly workspace_id: string
      readonly workflow: Workflow
      readonly repository_id: string | null
      readonly commit_sha: string | null
      /** As the workflow's schema writes them; null: of any. */
      readonly params: JsonObject | null
    }) =>
      Effect.orDie(
        sql<PastRun>`
          WITH ended AS NOT MATERIALIZED (
            SELECT * FROM jobs WHERE workspace_id = ${request.workspace_id} AND workflow = ${request.workflow}
              AND finished_at IS NOT NULL AND started_at IS NOT NULL
          ), chosen AS (
            (SELECT id FROM ended WHERE repository_id = ${request.repository_id}::uuid
              ORDER BY finished_at DESC LIMIT ${memory})
            UNION
            (SELECT id FROM ended WHERE status = 'completed' ORDER BY finished_at DESC LIMIT ${memory})
          )
          SELECT
            coalesce(e.repository_id = ${request.repository_id}::uuid, false) AS same_repository,
            coalesce(e.repository_id = ${request.repository_id}::uuid AND e.commit_sha = ${request.commit_sha}::text
              AND (${request.params === null}::boolean OR e.params = ${JSON.stringify(request.params)}::jsonb), false)
              AS same_code,
            e.status = 'completed' AS completed, e.agent_runner,
            extract(epoch FROM e.finished_at - e.started_at)::float8 AS duration_s, e.cost_usd,
            coalesce((SELECT jsonb_agg(jsonb_build_object('stage', s.stage, 'cost_usd', s.cost_usd,
                'duration_s', extract(epoch FROM s.finished_at - s.started_at)))
              FROM job_stages s WHERE s.job_id = e.id AND s.finished_at IS NOT NULL), '[]') AS stages
          FROM chosen JOIN ended e USING (id) ORDER BY e.finished_at DESC`
      )

    const repository = (request: { readonly workspace_id: string; readonly id: string }) =>
      Effect.map(
        Effect.orDie(
          sql<{ readonly id: string; readonly repo_name: string; readonly head_sha: string | null }>`
            SELECT id, repo_name, head_sha FROM repositories
            WHERE workspace_id = ${request.workspace_id} AND id = ${request.id}`
        ),
        (rows) => rows[0] ?? null
      )

    /** Lines of a repository as the newest audit that counted them says. */
    const linesOf = (request: { readonly workspace_id: string; readonly repository_id: string }) =>
      Effect.map(
        Effect.orDie(
          sql<{ readonly lines: number | null }>`
            SELECT (result -> 'inventory' ->> 'lines')::float8 AS lines FROM jobs
            WHERE workspace_id = ${request.workspace_id} AND repository_id = ${request.repository_id}
              AND status = 'completed' AND jsonb_typeof(result -> 'inventory' -> 'lines') = 'number'
            ORDER BY created_at DESC LIMIT 1`
        ),
        (rows) => rows[0]?.lines ?? null
      )

    return { history, linesOf, repository }
  })
}) {}
