import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import type { RepositoryId, WorkspaceId } from "../../schema/Ids.ts"
import { Actor } from "../../schema/Job.ts"
import { Instant } from "../../schema/Text.ts"
import { firstRow, rows, run } from "../support/rows.ts"
import { jsonb } from "../support/statements.ts"
import { storableText } from "../support/storable.ts"

const Stored = Schema.Struct({
  rule: Schema.String,
  repo_name: Schema.NullOr(Schema.String),
  state: Schema.Literal("on", "off"),
  reason: Schema.NullOr(Schema.String),
  changed_at: Instant,
  changed_by: Actor
})
export type StoredRuleSetting = typeof Stored.Type

const InForce = Schema.Struct({
  rule: Schema.String,
  state: Schema.Literal("on", "off"),
  of_repository: Schema.Boolean
})
export type RuleSettingInForce = typeof InForce.Type

interface Key {
  readonly workspace_id: WorkspaceId
  /** Null: for all of the workspace. */
  readonly repository_id: RepositoryId | null
  readonly rule: string
}

export class RuleSettingsRepo extends Effect.Service<RuleSettingsRepo>()("RuleSettingsRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const columns = sql.literal(
      `s.rule, r.repo_name,
       s.state, s.reason, s.changed_at, s.actor AS changed_by`
    )

    /** Of the workspace and of the repositories that the caller sees. */
    const list = (workspaceId: WorkspaceId) =>
      rows(
        Stored,
        sql`SELECT ${columns} FROM rule_settings s LEFT JOIN repositories r ON r.id = s.repository_id
            WHERE s.workspace_id = ${workspaceId} AND (s.repository_id IS NULL OR r.deleted_at IS NULL)
            ORDER BY r.github_org NULLS FIRST, r.github_repo, r.github_base_branch, s.rule`
      )

    const find = ({ workspace_id, repository_id, rule }: Key) =>
      firstRow(
        Stored,
        sql`SELECT ${columns} FROM rule_settings s LEFT JOIN repositories r ON r.id = s.repository_id
            WHERE s.workspace_id = ${workspace_id} AND s.rule = ${rule}
              AND s.repository_id IS NOT DISTINCT FROM ${repository_id}::uuid`
      )

    /** What counts for a repository, or without one for the workspace. */
    const inForce = ({ workspace_id, repository_id }: Omit<Key, "rule">) =>
      rows(
        InForce,
        sql`SELECT rule, state, repository_id IS NOT NULL AS of_repository FROM rule_settings
            WHERE workspace_id = ${workspace_id}
              AND (repository_id IS NULL OR repository_id = ${repository_id}::uuid)`
      )

    /** Others that change settings of the workspace wait until the transaction ends. */
    const lock = (workspaceId: WorkspaceId) =>
      run(sql`SELECT 1 FROM workspaces WHERE id = ${workspaceId} FOR NO KEY UPDATE`)

    const put = (
      setting: Key & {
        readonly id: string
        readonly state: "on" | "off"
        readonly reason: string | null
        readonly actor: Actor
        readonly at: string
      }
    ) =>
      run(sql`INSERT INTO rule_settings (id, workspace_id, repository_id, rule, state, reason, actor, changed_at)
          VALUES (${setting.id}, ${setting.workspace_id}, ${setting.repository_id}, ${setting.rule}, ${setting.state},
            ${setting.reason === null ? null : storableText(setting.reason)}, ${jsonb(setting.actor)}, ${setting.at})
          ON CONFLICT (workspace_id, repository_id, rule) DO UPDATE SET state = excluded.state,
            reason = excluded.reason, actor = excluded.actor, changed_at = excluded.changed_at`)

    const remove = ({ workspace_id, repository_id, rule }: Key) =>
      run(sql`DELETE FROM rule_settings WHERE workspace_id = ${workspace_id} AND rule = ${rule}
          AND repository_id IS NOT DISTINCT FROM ${repository_id}::uuid`)

    return { list, find, inForce, lock, put, remove }
  })
}) {}
