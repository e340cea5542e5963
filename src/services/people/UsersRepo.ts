import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { UserId, WorkspaceId } from "../../schema/Ids.ts"
import { Role } from "../../schema/Session.ts"
import { Instant } from "../../schema/Text.ts"
import { countRows, firstRow, rows, run } from "../support/rows.ts"

export const UserRow = Schema.Struct({
  user_id: UserId,
  email: Schema.String,
  name: Schema.NullOr(Schema.String),
  disabled_at: Schema.NullOr(Instant),
  has_password: Schema.Boolean,
  memberships: Schema.Array(Schema.Struct({ workspace_id: WorkspaceId, workspace: Schema.String, role: Role }))
})
export type UserRow = typeof UserRow.Type

const LockedUser = Schema.Struct({ user_id: UserId, email: Schema.String, disabled_at: Schema.NullOr(Instant) })

const MembershipOf = Schema.Struct({ workspace_id: WorkspaceId, name: Schema.String })

/** Accounts of the installation, whatever workspace they belong to. */
export class UsersRepo extends Effect.Service<UsersRepo>()("UsersRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const list = rows(
      UserRow,
      sql`
        SELECT u.id AS user_id, u.email, u.name, u.disabled_at, u.password_hash IS NOT NULL AS has_password,
          coalesce((
            SELECT jsonb_agg(jsonb_build_object('workspace_id', w.id, 'workspace', w.name, 'role', m.role) ORDER BY w.name, w.id)
            FROM memberships m JOIN workspaces w ON w.id = m.workspace_id WHERE m.user_id = u.id
          ), '[]') AS memberships
        FROM users u ORDER BY u.email`
    )

    const lockByEmail = (email: string) =>
      firstRow(
        LockedUser,
        sql`SELECT id AS user_id, email, disabled_at FROM users WHERE email = ${email} FOR NO KEY UPDATE`
      )

    /** All owners of the workspaces of an owner: as every change of members does, this comes before it looks at them. */
    const lockOwnersBeside = (user_id: UserId) =>
      run(sql`
        SELECT 1 FROM memberships o
        WHERE o.role = 'owner' AND o.workspace_id IN (
          SELECT m.workspace_id FROM memberships m WHERE m.user_id = ${user_id} AND m.role = 'owner'
        )
        ORDER BY o.workspace_id, o.user_id FOR NO KEY UPDATE OF o`)

    /** Where no one else is an owner who can sign in. */
    const ownedAlone = (user_id: UserId) =>
      rows(
        MembershipOf,
        sql`
          SELECT w.id AS workspace_id, w.name FROM memberships m JOIN workspaces w ON w.id = m.workspace_id
          WHERE m.user_id = ${user_id} AND m.role = 'owner' AND NOT EXISTS (
            SELECT 1 FROM memberships o JOIN users u ON u.id = o.user_id AND u.disabled_at IS NULL
            WHERE o.workspace_id = m.workspace_id AND o.role = 'owner' AND o.user_id <> m.user_id
          )
          ORDER BY w.name, w.id`
      )

    const membershipsOf = (user_id: UserId) =>
      rows(
        MembershipOf,
        sql`SELECT w.id AS workspace_id, w.name FROM memberships m JOIN workspaces w ON w.id = m.workspace_id
          WHERE m.user_id = ${user_id} ORDER BY w.name, w.id`
      )

    const setDisabled = ({ user_id, at }: { readonly user_id: UserId; readonly at: string | null }) =>
      run(sql`UPDATE users SET disabled_at = ${at} WHERE id = ${user_id}`)

    /** How many there were. */
    const endSessions = (user_id: UserId) =>
      countRows(sql`DELETE FROM sessions WHERE user_id = ${user_id} RETURNING id`)

    return { list, lockByEmail, lockOwnersBeside, ownedAlone, membershipsOf, setDisabled, endSessions }
  })
}) {}
