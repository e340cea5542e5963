import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { Plan } from "../../schema/Feature.ts"
import { WorkspaceId } from "../../schema/Ids.ts"
import { Amount, Count, Instant } from "../../schema/Text.ts"
import { rows, run } from "../support/rows.ts"

const settings = {
  plan: Plan,
  features: Schema.Array(Schema.String),
  suspended_at: Schema.NullOr(Instant),
  credit_usd: Schema.NullOr(Amount),
  spend_paused: Schema.Boolean,
  spend_per_hour_usd: Schema.NullOr(Amount),
  job_cap_usd: Schema.NullOr(Amount),
  max_queued: Schema.NullOr(Count),
  max_running: Schema.NullOr(Count),
  entitled_workflows: Schema.NullOr(Schema.Array(Schema.String))
}

/** What an operator decides about a workspace. Null: no limit of its own. */
const WorkspaceSettings = Schema.Struct(settings)
export type WorkspaceSettings = typeof WorkspaceSettings.Type

export const WorkspaceRow = Schema.Struct({
  id: WorkspaceId,
  name: Schema.String,
  ...settings,
  repositories: Count,
  members: Count,
  /** What jobs that wait or run have reserved. */
  held_usd: Amount
})
export type WorkspaceRow = typeof WorkspaceRow.Type

const LockedWorkspace = WorkspaceRow.pipe(Schema.pick("id", "name", "plan", "features", "suspended_at"))

export class WorkspacesRepo extends Effect.Service<WorkspacesRepo>()("WorkspacesRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const list = rows(
      WorkspaceRow,
      sql`
        SELECT w.id, w.name, w.plan, w.features, w.suspended_at, w.credit_usd::float8, w.spend_paused,
          w.spend_per_hour_usd::float8, w.job_cap_usd::float8, w.max_queued, w.max_running, w.entitled_workflows,
          (SELECT count(*) FROM repositories r WHERE r.workspace_id = w.id AND r.deleted_at IS NULL) AS repositories,
          (SELECT count(*) FROM memberships m WHERE m.workspace_id = w.id) AS members,
          (SELECT coalesce(sum(j.reserved_usd), 0)::float8 FROM jobs j
            WHERE j.workspace_id = w.id AND j.status IN ('pending', 'running')) AS held_usd
        FROM workspaces w ORDER BY w.created_at, w.id`
    )

    /** Workspaces of that id or name, locked until the transaction ends. */
    const findForUpdate = (idOrName: string) =>
      rows(
        LockedWorkspace,
        sql`
          SELECT id, name, plan, features, suspended_at FROM workspaces
          WHERE id::text = lower(${idOrName}) OR name = ${idOrName} ORDER BY created_at FOR NO KEY UPDATE`
      )

    const update = (id: WorkspaceId, settings: Partial<WorkspaceSettings>) =>
      run(sql`UPDATE workspaces SET ${sql.update({ ...settings })} WHERE id = ${id}`)

    /** The ledger's entry of a balance that was set. */
    const recordCredit = (entry: {
      readonly workspace_id: WorkspaceId
      readonly credit_usd: number | null
      readonly at: string
    }) =>
      run(sql`INSERT INTO spend_entries (workspace_id, kind, amount_usd, at)
          VALUES (${entry.workspace_id}, 'credit', ${entry.credit_usd}, ${entry.at})`)

    return { list, findForUpdate, update, recordCredit }
  })
}) {}
