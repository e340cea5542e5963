import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { ObservationStatus } from "../../schema/Observation.ts"
import { jsonb } from "../support/statements.ts"
import type { Claimed } from "./judging.ts"

/** An observation that is to be looked at again. */
export interface RevalidationRow extends Claimed {
  readonly id: string
  readonly number: number
  readonly status: ObservationStatus
  readonly last_seen_job_id: string | null
}

export interface SettledRow extends RevalidationRow {
  /** The job closed it in a run that was broken off before it could say so. */
  readonly closed_by_job: boolean
}

interface Evidence {
  readonly id: string
  readonly at: string
  readonly evidence: unknown
}

export class RevalidationRepo extends Effect.Service<RevalidationRepo>()("RevalidationRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const run = <A, E, R>(statement: Effect.Effect<A, E, R>) => Effect.asVoid(Effect.orDie(statement))
    const columns = sql.literal(
      `o.id, o.number, o.status, o.kind, o.tool, o.tool_version, o.file_path, o.symbol, o.description, o.locations,
        o.open_fix_pr, o.last_seen_job_id`
    )

    /** Those of the numbers, whatever their status; without numbers, all that are open. */
    const targets = (request: { readonly repository_id: string; readonly numbers: ReadonlyArray<number> | null }) =>
      Effect.orDie(
        sql<RevalidationRow>`SELECT ${columns} FROM observations o WHERE o.repository_id = ${request.repository_id}
          AND ${request.numbers === null ? sql.literal("o.status = 'new'") : sql.in("o.number", request.numbers)}
          ORDER BY o.number`
      )

    const byId = (request: { readonly repository_id: string; readonly ids: ReadonlyArray<string> }) =>
      Effect.orDie(
        sql<RevalidationRow>`SELECT ${columns} FROM observations o
          WHERE o.repository_id = ${request.repository_id} AND o.id = ANY(${[...request.ids]}::uuid[])`
      )

    /** The same, locked, and with what this job has done to them already. */
    const settle = (request: {
      readonly repository_id: string
      readonly ids: ReadonlyArray<string>
      readonly job_id: string
    }) =>
      Effect.orDie(
        sql<SettledRow>`SELECT ${columns}, o.status = 'closed' AND EXISTS (SELECT FROM observation_events e
                WHERE e.observation_id = o.id AND e.job_id = ${request.job_id}) AS closed_by_job
              FROM observations o WHERE o.repository_id = ${request.repository_id}
                AND o.id = ANY(${[...request.ids]}::uuid[]) ORDER BY o.number FOR UPDATE OF o`
      )

    /** Evidence without a sighting; `updated_at` moves only when it says something else than before. */
    const note = ({ id, at, evidence }: Evidence) =>
      run(sql`UPDATE observations SET evidence = ${jsonb(evidence)},
          updated_at = CASE WHEN evidence = ${jsonb(evidence)} THEN updated_at ELSE ${at}::timestamptz END
        WHERE id = ${id}`)

    /** Seen again, where it was before. */
    const confirm = ({ id, at, evidence, job_id }: Evidence & { readonly job_id: string }) =>
      run(sql`UPDATE observations SET evidence = ${jsonb(evidence)}, last_seen_at = ${at}, last_seen_job_id = ${job_id},
          times_seen = times_seen + 1
        WHERE id = ${id}`)

    return { targets, byId, settle, note, confirm }
  })
}) {}
