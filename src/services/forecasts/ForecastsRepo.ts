import { SqlClient } from "@effect/sql"
import { Effect, Option, Schema } from "effect"
import { RepositoryId, WorkspaceId } from "../../schema/Ids.ts"
import { Workflow } from "../../schema/Job.ts"
import { FixRunner } from "../../schema/Setting.ts"
import { Amount, JsonObject } from "../../schema/Text.ts"
import { firstRow, onlyRow, rows } from "../support/rows.ts"
import { jsonb } from "../support/statements.ts"

/** Newest ended jobs that are looked at, of the repository and of the whole workspace each. */
const memory = 100

const ForecastRepository = Schema.Struct({
  id: RepositoryId,
  repo_name: Schema.String,
  head_sha: Schema.NullOr(Schema.String)
})
const duration = { duration_s: Amount, cost_usd: Amount }
const PastRunRow = Schema.Struct({
  same_repository: Schema.Boolean,
  same_code: Schema.Boolean,
  completed: Schema.Boolean,
  agent_runner: Schema.NullOr(Schema.String),
  lines: Schema.NullOr(Schema.Number),
  ...duration,
  stages: Schema.Array(Schema.Struct({ stage: Schema.String, ...duration }))
})
const Counted = Schema.Struct({ lines: Schema.NullOr(Schema.Number) })

const Runner = Schema.Struct({ fix_runner: FixRunner })

export class ForecastsRepo extends Effect.Service<ForecastsRepo>()("ForecastsRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    /** Ended jobs of a workflow, newest first; `repository_id` null: no repository is asked about. */
    const history = (request: {
      readonly workspace_id: WorkspaceId
      readonly workflow: Workflow
      readonly repository_id: RepositoryId | null
      readonly commit_sha: string | null
      /** As the workflow's schema writes them; null: of any. */
      readonly params: JsonObject | null
    }) =>
      rows(
        PastRunRow,
        sql`
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
              AND (${request.params === null}::boolean OR e.params = ${jsonb(request.params)}), false)
              AS same_code,
            e.status = 'completed' AS completed, e.agent_runner,
            (SELECT lines::float8 FROM repositories r WHERE r.id = e.repository_id) AS lines,
            extract(epoch FROM e.finished_at - e.started_at)::float8 AS duration_s, e.cost_usd,
            coalesce((SELECT jsonb_agg(jsonb_build_object('stage', s.stage, 'cost_usd', s.cost_usd,
                'duration_s', extract(epoch FROM s.finished_at - s.started_at)))
              FROM job_stages s WHERE s.job_id = e.id AND s.finished_at IS NOT NULL), '[]') AS stages
          FROM chosen JOIN ended e USING (id) ORDER BY e.finished_at DESC`
      )

    const repository = (request: { readonly workspace_id: WorkspaceId; readonly id: RepositoryId }) =>
      firstRow(
        ForecastRepository,
        sql`
            SELECT id, repo_name, head_sha FROM repositories
            WHERE workspace_id = ${request.workspace_id} AND id = ${request.id}`
      )

    /** Lines of a repository as its newest audit or discovery counted them. */
    const linesOf = (request: { readonly workspace_id: WorkspaceId; readonly repository_id: RepositoryId }) =>
      Effect.map(
        firstRow(
          Counted,
          sql`SELECT lines::float8 FROM repositories
            WHERE workspace_id = ${request.workspace_id} AND id = ${request.repository_id}`
        ),
        Option.flatMapNullable((row) => row.lines)
      )

    /** What proposes the edits of the workspace's fixes. */
    const fixRunner = (workspaceId: WorkspaceId) =>
      Effect.map(
        onlyRow(Runner, sql`SELECT fix_runner FROM workspaces WHERE id = ${workspaceId}`),
        ({ fix_runner }) => fix_runner
      )

    return { history, linesOf, repository, fixRunner }
  })
}) {}
