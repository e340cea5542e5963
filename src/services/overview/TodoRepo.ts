import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { FixPrStatus } from "../../schema/Fix.ts"
import type { FailureKind } from "../../schema/Job.ts"
import type { Priority } from "../../schema/Observation.ts"

interface Request {
  readonly workspace_id: string
  readonly limit: number
}

/** Every row knows how many there are of its kind. */
interface Counted {
  readonly total: number
}

export interface GraveObservation extends Counted {
  readonly ref: string
  readonly title: string
  readonly priority: Priority
  readonly kind: string
  readonly repo_name: string
  readonly file_path: string
  readonly easy_win: number
  readonly at: string
}

export interface FailedJob extends Counted {
  readonly job_id: string
  readonly workflow: string
  readonly repo_name: string
  readonly failure_kind: FailureKind | null
  readonly error: string | null
  readonly at: string
}

export interface Proposal extends Counted {
  readonly context_key: string
  readonly project: string | null
  readonly title: string
  readonly is_corroborated: boolean
  readonly at: string
}

export interface OpenFixPr extends Counted {
  readonly ref: string
  readonly title: string
  readonly repo_name: string
  readonly status: FixPrStatus
  readonly url: string
  readonly at: string
}

const total = "count(*) OVER ()::int AS total"

/** What waits for a person, of each kind. */
export class TodoRepo extends Effect.Service<TodoRepo>()("TodoRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const counted = sql.literal(total)

    /** Open, of the two highest priorities, not acknowledged and without a fix under way. */
    const graveObservations = ({ workspace_id, limit }: Request) =>
      Effect.orDie(
        sql<GraveObservation>`
          SELECT 'OBS-' || o.number AS ref, o.title, o.priority, o.kind, r.repo_name, o.file_path, o.easy_win,
            o.first_seen_at AS at, ${counted}
          FROM observations o JOIN repositories r ON r.id = o.repository_id AND r.deleted_at IS NULL
          WHERE o.workspace_id = ${workspace_id} AND o.status = 'new' AND o.priority IN ('P0', 'P1')
            AND o.kind = 'finding' AND o.acknowledged_at IS NULL AND NOT o.open_fix_pr
          ORDER BY o.priority, -o.confidence, -o.easy_win, -o.number LIMIT ${limit}`
      )

    /** The newest of the same work, when nothing of it has gone better since. */
    const failedJobs = ({ workspace_id, limit, since }: Request & { readonly since: string }) =>
      Effect.orDie(
        sql<FailedJob>`
          SELECT f.id AS job_id, f.workflow, f.repo_name, f.failure_kind, f.error, f.finished_at AS at, ${counted} FROM (
            SELECT DISTINCT ON (j.repository_id, j.workflow, j.params) j.*, r.repo_name
            FROM jobs j JOIN repositories r ON r.id = j.repository_id AND r.deleted_at IS NULL
            WHERE j.workspace_id = ${workspace_id} AND j.status = 'failed' AND j.finished_at > ${since}
              AND NOT EXISTS (SELECT FROM jobs later WHERE later.repository_id = j.repository_id
                AND later.workflow = j.workflow AND later.params = j.params AND later.status <> 'failed'
                AND later.created_at > j.created_at)
            ORDER BY j.repository_id, j.workflow, j.params, j.finished_at DESC) f
          ORDER BY f.finished_at DESC LIMIT ${limit}`
      )

    const proposals = ({ workspace_id, limit }: Request) =>
      Effect.orDie(
        sql<Proposal>`
          SELECT e.key AS context_key, p.slug AS project, e.title, e.corroborated_at IS NOT NULL AS is_corroborated,
            e.updated_at AS at, ${counted}
          FROM context_entries e LEFT JOIN projects p ON p.id = e.project_id
          WHERE e.workspace_id = ${workspace_id} AND e.status = 'proposed' AND e.disabled_at IS NULL
          ORDER BY e.kind = 'warning' DESC, e.corroborated_at IS NOT NULL DESC, e.updated_at, e.id LIMIT ${limit}`
      )

    const openFixPrs = ({ workspace_id, limit }: Request) =>
      Effect.orDie(
        sql<OpenFixPr>`
          SELECT 'OBS-' || o.number AS ref, o.title, r.repo_name, a.pr_status AS status, a.pr_url AS url,
            a.updated_at AS at, ${counted}
          FROM fix_attempts a JOIN observations o ON o.id = a.observation_id
            JOIN repositories r ON r.id = a.repository_id AND r.deleted_at IS NULL
          WHERE a.workspace_id = ${workspace_id} AND a.pr_status IN ('in_review', 'needs_attention')
          ORDER BY a.pr_status = 'needs_attention' DESC, o.priority, a.id LIMIT ${limit}`
      )

    return { graveObservations, failedJobs, proposals, openFixPrs }
  })
}) {}
