import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { JobId, WorkspaceId } from "../../schema/Ids.ts"
import { Job } from "../../schema/Job.ts"
import { firstRow, run } from "../support/rows.ts"
import { jsonb } from "../support/statements.ts"

interface KeyScope {
  readonly workspace_id: WorkspaceId
  readonly route: string
  readonly key: string
}

/** Once a reset has deleted the job, the key holds its record. */
const Submission = Schema.Union(
  Schema.Struct({ job_id: JobId, deleted_job: Schema.Null, payload_hash: Schema.String }),
  Schema.Struct({ job_id: Schema.Null, deleted_job: Schema.Struct(Job.fields), payload_hash: Schema.String })
)

export class IdempotencyRepo extends Effect.Service<IdempotencyRepo>()("IdempotencyRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const find = (request: KeyScope & { readonly since: string }) =>
      firstRow(
        Submission,
        sql`
            SELECT job_id, deleted_job, payload_hash FROM idempotency_keys
            WHERE workspace_id = ${request.workspace_id} AND route = ${request.route} AND key = ${request.key}
              AND created_at > ${request.since}`
      )

    /** Remembers which job a key stands for; an expired key is replaced. */
    const remember = (
      request: KeyScope & { readonly job_id: JobId; readonly payload_hash: string; readonly at: string }
    ) =>
      run(sql`
          INSERT INTO idempotency_keys (workspace_id, route, key, job_id, payload_hash, created_at)
          VALUES (${request.workspace_id}, ${request.route}, ${request.key}, ${request.job_id}, ${request.payload_hash},
            ${request.at})
          ON CONFLICT (workspace_id, route, key) DO UPDATE SET job_id = EXCLUDED.job_id, deleted_job = NULL,
            payload_hash = EXCLUDED.payload_hash, created_at = EXCLUDED.created_at`)

    /** Lets the keys of these jobs hold the jobs' records; the jobs can be deleted then. */
    const holdRecords = (request: { readonly workspace_id: WorkspaceId; readonly jobs: ReadonlyArray<Job> }) =>
      run(sql`
          UPDATE idempotency_keys k SET job_id = NULL, deleted_job = deleted.job
          FROM (SELECT (job ->> 'id')::uuid AS id, job FROM jsonb_array_elements(${jsonb(request.jobs)}) AS job) deleted
          WHERE k.workspace_id = ${request.workspace_id} AND k.job_id = deleted.id`)

    return { find, remember, holdRecords }
  })
}) {}
