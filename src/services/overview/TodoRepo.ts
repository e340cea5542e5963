import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { FixPrStatus } from "../../schema/Fix.ts"
import { JobId, type ProjectId, WorkspaceId } from "../../schema/Ids.ts"
import { FailureKind, Workflow } from "../../schema/Job.ts"
import { Kind, ObservationRef, Priority } from "../../schema/Observation.ts"
import { Count, Instant } from "../../schema/Text.ts"
import { rows } from "../support/rows.ts"

interface Request {
  readonly workspace_id: WorkspaceId
  readonly limit: number
}

/** Every row knows how many there are of its kind. */
const counted = { total: Count }

export const GraveObservation = Schema.Struct({
  ...counted,
  ref: ObservationRef,
  title: Schema.String,
  priority: Priority,
  kind: Kind,
  repo_name: Schema.String,
  file_path: Schema.String,
  easy_win: Count,
  at: Instant
})
export type GraveObservation = typeof GraveObservation.Type

export const FailedJob = Schema.Struct({
  ...counted,
  job_id: JobId,
  workflow: Workflow,
  repo_name: Schema.String,
  failure_kind: Schema.NullOr(FailureKind),
  error: Schema.NullOr(Schema.String),
  at: Instant
})
export type FailedJob = typeof FailedJob.Type

export const Proposal = Schema.Struct({
  ...counted,
  context_key: Schema.String,
  project: Schema.NullOr(Schema.String),
  title: Schema.String,
  is_corroborated: Schema.Boolean,
  at: Instant
})
export type Proposal = typeof Proposal.Type

export const OpenFixPr = Schema.Struct({
  ...counted,
  ref: ObservationRef,
  title: Schema.String,
  repo_name: Schema.String,
  status: FixPrStatus,
  url: Schema.String,
  at: Instant
})
export type OpenFixPr = typeof OpenFixPr.Type

/** What waits for a person, of each kind. */
export class TodoRepo extends Effect.Service<TodoRepo>()("TodoRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const total = sql.literal("count(*) OVER ()::int AS total")

    /** Open, of the two highest priorities, not acknowledged and without a fix under way. */
    const graveObservations = ({ workspace_id, limit }: Request) =>
      rows(
        GraveObservation,
        sql`
          SELECT 'OBS-' || o.number AS ref, o.title, o.priority, o.kind, r.repo_name, o.file_path, o.easy_win,
            o.first_seen_at AS at, ${total}
          FROM observations o JOIN repositories r ON r.id = o.repository_id AND r.deleted_at IS NULL
          WHERE o.workspace_id = ${workspace_id} AND o.status = 'new' AND o.priority IN ('P0', 'P1')
            AND o.kind = 'finding' AND o.acknowledged_at IS NULL AND NOT o.open_fix_pr
          ORDER BY o.priority, -o.confidence, -o.easy_win, -o.number LIMIT ${limit}`
      )

    /** The newest failure of the same work, if nothing of it was queued, ran or succeeded since. */
    const failedJobs = ({ workspace_id, limit, since }: Request & { readonly since: string }) =>
      rows(
        FailedJob,
        sql`
          SELECT f.id AS job_id, f.workflow, f.repo_name, f.failure_kind, f.error, f.finished_at AS at, ${total} FROM (
            SELECT DISTINCT ON (j.repository_id, j.workflow, j.params) j.*, r.repo_name
            FROM jobs j JOIN repositories r ON r.id = j.repository_id AND r.deleted_at IS NULL
            WHERE j.workspace_id = ${workspace_id} AND j.status = 'failed' AND j.finished_at > ${since}
              AND NOT EXISTS (SELECT FROM jobs later WHERE later.repository_id = j.repository_id
                AND later.workflow = j.workflow AND later.params = j.params AND later.status <> 'failed'
                AND later.created_at > j.created_at)
            ORDER BY j.repository_id, j.workflow, j.params, j.finished_at DESC) f
          ORDER BY f.finished_at DESC LIMIT ${limit}`
      )

    const proposals = ({
      workspace_id,
      limit,
      hiddenLevels
    }: Request & { readonly hiddenLevels: ReadonlyArray<ProjectId> }) =>
      rows(
        Proposal,
        sql`
          SELECT e.key AS context_key, p.slug AS project, e.title, e.corroborated_at IS NOT NULL AS is_corroborated,
            e.updated_at AS at, ${total}
          FROM context_entries e LEFT JOIN projects p ON p.id = e.project_id
          WHERE e.workspace_id = ${workspace_id} AND e.status = 'proposed' AND e.disabled_at IS NULL
            AND (e.project_id IS NULL OR e.project_id <> ALL (${[...hiddenLevels]}::uuid[]))
          ORDER BY e.kind = 'warning' DESC, e.corroborated_at IS NOT NULL DESC, e.updated_at, e.id LIMIT ${limit}`
      )

    const openFixPrs = ({ workspace_id, limit }: Request) =>
      rows(
        OpenFixPr,
        sql`
          SELECT 'OBS-' || o.number AS ref, o.title, r.repo_name, a.pr_status AS status, a.pr_url AS url,
            a.updated_at AS at, ${total}
          FROM fix_attempts a JOIN observations o ON o.id = a.observation_id
            JOIN repositories r ON r.id = a.repository_id AND r.deleted_at IS NULL
          WHERE a.workspace_id = ${workspace_id} AND a.pr_status IN ('in_review', 'needs_attention')
          ORDER BY a.pr_status = 'needs_attention' DESC, o.priority, a.id LIMIT ${limit}`
      )

    return { graveObservations, failedJobs, proposals, openFixPrs }
  })
}) {}
