import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { RepositoryId, WorkspaceId } from "../../schema/Ids.ts"
import { Actor } from "../../schema/Job.ts"
import { FixRunner, type RepositoryText, SettingValue } from "../../schema/Setting.ts"
import { Instant } from "../../schema/Text.ts"
import { onlyRow, rows } from "../support/rows.ts"
import { jsonb } from "../support/statements.ts"

/** The settings of a workspace that have columns of their own. */
export const WorkspaceRow = Schema.Struct({
  automatic_discovery: Schema.Boolean,
  fix_runner: FixRunner,
  review_instructions: Schema.String
})
export type WorkspaceRow = typeof WorkspaceRow.Type

export const LastChange = Schema.Struct({ name: Schema.String, changed_at: Instant, changed_by: Actor })
export type LastChange = typeof LastChange.Type

export interface NewChange {
  readonly id: string
  readonly workspace_id: WorkspaceId
  readonly repository_id: RepositoryId | null
  readonly name: string
  readonly actor: Actor
  readonly prev: SettingValue
  readonly value: SettingValue
  readonly at: string
}

const Texts = Schema.Struct({ guidance: Schema.String, review_instructions: Schema.String })

/** Settings live in the columns that what they govern reads; the history is beside them. */
export class SettingsRepo extends Effect.Service<SettingsRepo>()("SettingsRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const run = <A, E, R>(statement: Effect.Effect<A, E, R>) => Effect.asVoid(Effect.orDie(statement))

    const ofWorkspace = (workspaceId: WorkspaceId, lock = false) =>
      onlyRow(
        WorkspaceRow,
        sql`SELECT NOT discovery_paused AS automatic_discovery, fix_runner, review_instructions
            FROM workspaces WHERE id = ${workspaceId} ${sql.literal(lock ? "FOR NO KEY UPDATE" : "")}`
      )

    const update = (workspaceId: WorkspaceId, row: WorkspaceRow) =>
      run(sql`UPDATE workspaces SET discovery_paused = ${!row.automatic_discovery},
          fix_runner = ${row.fix_runner}, review_instructions = ${row.review_instructions}
        WHERE id = ${workspaceId}`)

    /** Texts of a repository. */
    const ofRepository = (request: {
      readonly workspace_id: WorkspaceId
      readonly repository_id: RepositoryId
      readonly lock: boolean
    }) =>
      onlyRow(
        Texts,
        sql`SELECT guidance, review_instructions FROM repositories
            WHERE workspace_id = ${request.workspace_id} AND id = ${request.repository_id}
            ${sql.literal(request.lock ? "FOR NO KEY UPDATE" : "")}`
      )

    const setText = (request: {
      readonly workspace_id: WorkspaceId
      readonly repository_id: RepositoryId
      readonly name: RepositoryText
      readonly value: string
    }) =>
      run(sql`UPDATE repositories SET ${sql(request.name)} = ${request.value}
        WHERE workspace_id = ${request.workspace_id} AND id = ${request.repository_id}`)

    const addChange = (change: NewChange) =>
      run(sql`INSERT INTO setting_changes (id, workspace_id, repository_id, name, actor, prev, value, created_at)
        VALUES (${change.id}, ${change.workspace_id}, ${change.repository_id}, ${change.name}, ${jsonb(change.actor)},
          ${jsonb(change.prev)}, ${jsonb(change.value)}, ${change.at})`)

    /** The newest change of each setting, of the workspace itself or of one repository. */
    const lastChanges = (request: {
      readonly workspace_id: WorkspaceId
      readonly repository_id: RepositoryId | null
    }) =>
      rows(
        LastChange,
        sql`SELECT DISTINCT ON (name) name, created_at AS changed_at, actor AS changed_by
          FROM setting_changes
          WHERE workspace_id = ${request.workspace_id}
            AND repository_id IS NOT DISTINCT FROM ${request.repository_id}::uuid
          ORDER BY name, id DESC`
      )

    return { ofWorkspace, update, ofRepository, setText, addChange, lastChanges }
  })
}) {}
