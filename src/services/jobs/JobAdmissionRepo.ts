import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { Plan } from "../../schema/Feature.ts"
import { JobId, type RepositoryId, type WorkspaceId } from "../../schema/Ids.ts"
import { Count } from "../../schema/Text.ts"
import { onlyRow, run } from "../support/rows.ts"

const Policy = Schema.Struct({
  plan: Plan,
  entitled_workflows: Schema.NullOr(Schema.Array(Schema.String)),
  features: Schema.Array(Schema.String),
  max_queued: Schema.NullOr(Count),
  max_running: Schema.NullOr(Count)
})
/** How many jobs of a workspace wait, and how many run. */
const load = { queued: Count, running: Count }
const Admission = Schema.Struct({ in_flight: Schema.NullOr(JobId), completed: Schema.NullOr(JobId), ...load })
const Retries = Schema.Struct({ in_flight: Schema.NullOr(JobId), used: Count, ...load })

/** What a workspace may queue, and what it has queued. */
export class JobAdmissionRepo extends Effect.Service<JobAdmissionRepo>()("JobAdmissionRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    /** One admission per workspace at a time, until the transaction ends: caps and twins are counted exactly. */
    const lock = (workspaceId: WorkspaceId) =>
      run(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`assay/jobs/${workspaceId}`}, 0))`)

    /** The workspace's own settings of its jobs. */
    const policy = (workspaceId: WorkspaceId) =>
      onlyRow(
        Policy,
        sql`
            SELECT plan, features, entitled_workflows, max_queued, max_running FROM workspaces WHERE id = ${workspaceId}`
      )

    const loadOf = (workspaceId: WorkspaceId) =>
      sql`(SELECT count(*)::int FROM jobs WHERE workspace_id = ${workspaceId} AND status = 'pending') AS queued,
              (SELECT count(*)::int FROM jobs WHERE workspace_id = ${workspaceId} AND status = 'running') AS running`

    /** Jobs that would make a submission superfluous, and how many wait or run. */
    const admission = (request: {
      readonly workspace_id: WorkspaceId
      readonly repository_id: RepositoryId
      readonly dedupe_hash: string
      readonly completedSince: string
    }) =>
      onlyRow(
        Admission,
        sql`
            SELECT
              (SELECT id FROM jobs WHERE workspace_id = ${request.workspace_id}
                AND repository_id = ${request.repository_id} AND dedupe_hash = ${request.dedupe_hash}
                AND status IN ('pending', 'running') ORDER BY created_at DESC LIMIT 1) AS in_flight,
              (SELECT id FROM jobs WHERE workspace_id = ${request.workspace_id}
                AND repository_id = ${request.repository_id} AND dedupe_hash = ${request.dedupe_hash}
                AND status = 'completed' AND finished_at > ${request.completedSince}
                ORDER BY finished_at DESC LIMIT 1) AS completed,
              ${loadOf(request.workspace_id)}`
      )

    /** The retry of `parent_job_id` that is queued or runs, and how many retries its whole chain has had. */
    const retries = (request: {
      readonly workspace_id: WorkspaceId
      readonly parent_job_id: JobId
      readonly original_job_id: JobId
    }) =>
      onlyRow(
        Retries,
        sql`
            SELECT
              (SELECT id FROM jobs WHERE workspace_id = ${request.workspace_id}
                AND parent_job_id = ${request.parent_job_id} AND status IN ('pending', 'running')) AS in_flight,
              (SELECT count(*)::int FROM jobs WHERE workspace_id = ${request.workspace_id}
                AND original_job_id = ${request.original_job_id} AND parent_job_id IS NOT NULL) AS used,
              ${loadOf(request.workspace_id)}`
      )

    return { admission, lock, policy, retries }
  })
}) {}
