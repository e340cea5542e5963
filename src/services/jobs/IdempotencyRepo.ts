import { SqlClient } from "@effect/sql"
import { Effect, Option } from "effect"

interface KeyScope {
  readonly workspace_id: string
  readonly route: string
  readonly key: string
}

export class IdempotencyRepo extends Effect.Service<IdempotencyRepo>()("IdempotencyRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const find = (request: KeyScope & { readonly since: string }) =>
      Effect.map(
        Effect.orDie(
          sql<{ job_id: string; payload_hash: string }>`
            SELECT job_id, payload_hash FROM idempotency_keys
            WHERE workspace_id = ${request.workspace_id} AND route = ${request.route} AND key = ${request.key}
              AND created_at > ${request.since}`
        ),
        (rows) => Option.fromNullable(rows[0])
      )

    /** Remembers which job a key stands for; an expired key begins anew. */
    const remember = (
      request: KeyScope & { readonly job_id: string; readonly payload_hash: string; readonly at: string }
    ) =>
      Effect.orDie(
        sql`
          INSERT INTO idempotency_keys (workspace_id, route, key, job_id, payload_hash, created_at)
          VALUES (${request.workspace_id}, ${request.route}, ${request.key}, ${request.job_id}, ${request.payload_hash},
            ${request.at})
          ON CONFLICT (workspace_id, route, key) DO UPDATE SET job_id = EXCLUDED.job_id,
            payload_hash = EXCLUDED.payload_hash, created_at = EXCLUDED.created_at`
      )

    const forget = (before: string) => Effect.orDie(sql`DELETE FROM idempotency_keys WHERE created_at <= ${before}`)

    return { find, remember, forget }
  })
}) {}
