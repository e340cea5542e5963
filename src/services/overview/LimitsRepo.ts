import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { Plan } from "../../schema/Feature.ts"
import type { WorkspaceId } from "../../schema/Ids.ts"
import { Amount, Count } from "../../schema/Text.ts"
import { onlyRow } from "../support/rows.ts"

const LimitsRow = Schema.Struct({
  plan: Plan,
  features: Schema.Array(Schema.String),
  max_queued: Schema.NullOr(Count),
  max_running: Schema.NullOr(Count),
  entitled_workflows: Schema.NullOr(Schema.Array(Schema.String)),
  spent_since: Amount
})

export class LimitsRepo extends Effect.Service<LimitsRepo>()("LimitsRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    /** What the operator has set for a workspace, and what jobs that ended since `since` have cost. */
    const find = ({ workspace_id, since }: { readonly workspace_id: WorkspaceId; readonly since: string }) =>
      onlyRow(
        LimitsRow,
        sql`
          SELECT plan, features, max_queued, max_running, entitled_workflows, (
              SELECT coalesce(sum(amount_usd), 0)::float8 FROM spend_entries
              WHERE workspace_id = ${workspace_id} AND kind = 'settle' AND at >= ${since}) AS spent_since
          FROM workspaces WHERE id = ${workspace_id}`
      )

    return { find }
  })
}) {}
