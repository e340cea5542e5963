import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { JobId, WorkspaceId } from "../../schema/Ids.ts"
import { firstRow, run } from "../support/rows.ts"

interface KeyScope {
  readonly workspace_id: WorkspaceId
  readonly route: string
  readonly key: string
}

const Submission = Schema.Struct({ job_id: JobId, payload_hash: Schema.String })

export class IdempotencyRepo extends Effect.Service<IdempotencyRepo>()("IdempotencyRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const find = (request: KeyScope & { readonly since: string }) =>
      firstRow(
        Submission,
        sql`
            SELECT job_id, payload_hash FROM idempotency_keys
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
          ON CONFLICT (workspace_id, route, key) DO UPDATE SET job_id = EXCLUDED.job_id,
            payload_hash = EXCLUDED.payload_hash, created_at = EXCLUDED.created_at`)

    const forget = (before: string) => run(sql`DELETE FROM idempotency_keys WHERE created_at <= ${before}`)

    return { find, remember, forget }
  })
}) {}
