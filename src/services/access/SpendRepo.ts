import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { KeyId, type WorkspaceId } from "../../schema/Ids.ts"
import { Amount, Instant } from "../../schema/Text.ts"
import { onlyRow, rows } from "../support/rows.ts"

export const SpendLimits = Schema.Struct({
  spend_paused: Schema.Boolean,
  /** Null: not metered. */
  credit_usd: Schema.NullOr(Schema.Number),
  /** What jobs that wait or run may still take of the credit. */
  held_usd: Schema.Number,
  job_cap_usd: Schema.NullOr(Schema.Number),
  workspace_per_hour: Schema.NullOr(Schema.Number),
  key_per_hour: Schema.NullOr(Schema.Number)
})
export type SpendLimits = typeof SpendLimits.Type

interface Spender {
  readonly workspace_id: WorkspaceId
  readonly api_key_id: KeyId | null
}

const SpentByKey = Schema.Struct({ at: Instant, usd: Amount, api_key_id: Schema.NullOr(KeyId) })

/** Reads what limits spending. The ledger itself is written with the statuses of jobs, in JobEventsRepo. */
export class SpendRepo extends Effect.Service<SpendRepo>()("SpendRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    /** Credit and holds are of one moment: a job's end moves one into the other in one statement. */
    const limits = ({ workspace_id, api_key_id }: Spender) =>
      onlyRow(
        SpendLimits,
        sql`/* prepared */
            SELECT w.spend_paused, w.credit_usd::float8, w.job_cap_usd::float8,
              w.spend_per_hour_usd::float8 AS workspace_per_hour, k.dollars_per_hour AS key_per_hour,
              CASE WHEN w.credit_usd IS NULL THEN 0 ELSE coalesce((
                SELECT sum(greatest(j.reserved_usd, j.cost_usd::numeric)) FROM jobs j
                WHERE j.workspace_id = w.id AND j.status IN ('pending', 'running')), 0)::float8 END AS held_usd
            FROM workspaces w LEFT JOIN api_keys k ON k.workspace_id = w.id AND k.id = ${api_key_id}::uuid
            WHERE w.id = ${workspace_id}`
      )

    /**
     * What counts since `since`: a job in the hour it was submitted, with what it reserved until it is settled, then with
     * what it cost; what it cost beyond that, in the hour it ended.
     */
    const spentSince = (request: { readonly workspace_id: WorkspaceId; readonly since: string }) =>
      rows(
        SpentByKey,
        sql`
          SELECT r.at, r.api_key_id, least(r.amount_usd, s.amount_usd)::float8 AS usd
          FROM spend_entries r LEFT JOIN spend_entries s ON s.job_id = r.job_id AND s.kind = 'settle'
          WHERE r.workspace_id = ${request.workspace_id} AND r.at > ${request.since} AND r.kind = 'reserve'
          UNION ALL
          SELECT s.at, s.api_key_id, (s.amount_usd - coalesce(r.amount_usd, 0))::float8
          FROM spend_entries s LEFT JOIN spend_entries r ON r.job_id = s.job_id AND r.kind = 'reserve'
          WHERE s.workspace_id = ${request.workspace_id} AND s.at > ${request.since} AND s.kind = 'settle'
            AND s.amount_usd > coalesce(r.amount_usd, 0)`
      )

    return { limits, spentSince }
  })
}) {}
