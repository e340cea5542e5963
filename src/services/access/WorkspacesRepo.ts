import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** What an operator decides about a workspace. Null: no limit of its own. */
export interface WorkspaceSettings {
  readonly plan: "free" | "paid"
  readonly features: ReadonlyArray<string>
  readonly suspended_at: string | null
  readonly credit_usd: number | null
  readonly spend_paused: boolean
  readonly spend_per_hour_usd: number | null
  readonly job_cap_usd: number | null
  readonly max_queued: number | null
  readonly max_running: number | null
  readonly entitled_workflows: ReadonlyArray<string> | null
}

export interface WorkspaceRow extends WorkspaceSettings {
  readonly id: string
  readonly name: string
  readonly repositories: number
  readonly members: number
  /** What jobs that wait or run have reserved. */
  readonly held_usd: number
}

export class WorkspacesRepo extends Effect.Service<WorkspacesRepo>()("WorkspacesRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const list = Effect.orDie(
      sql<WorkspaceRow>`
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
      Effect.orDie(
        sql<Pick<WorkspaceRow, "id" | "name" | "features" | "suspended_at">>`
          SELECT id, name, features, suspended_at FROM workspaces
          WHERE id::text = lower(${idOrName}) OR name = ${idOrName} ORDER BY created_at FOR NO KEY UPDATE`
      )

    const update = (id: string, settings: Partial<WorkspaceSettings>) =>
      Effect.orDie(sql`UPDATE workspaces SET ${sql.update({ ...settings })} WHERE id = ${id}`)

    /** The ledger's entry of a balance that was set. */
    const recordCredit = (entry: {
      readonly workspace_id: string
      readonly credit_usd: number | null
      readonly at: string
    }) =>
      Effect.orDie(
        sql`INSERT INTO spend_entries (workspace_id, kind, amount_usd, at)
          VALUES (${entry.workspace_id}, 'credit', ${entry.credit_usd}, ${entry.at})`
      )

    return { list, findForUpdate, update, recordCredit }
  })
}) {}
