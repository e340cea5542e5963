import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { UserId, type WorkspaceId } from "../../schema/Ids.ts"
import { Member } from "../../schema/Member.ts"
import { Role } from "../../schema/Session.ts"
import { keyset, type Position } from "../support/keyset.ts"
import { firstRow, onlyRow, rows, run } from "../support/rows.ts"

/** One person in one workspace. */
export interface Membership {
  readonly workspace_id: WorkspaceId
  readonly user_id: UserId
}

const Owner = Schema.Struct({ user_id: UserId })

const oldestFirst = keyset("ASC", { "m.created_at": "timestamptz", "m.user_id": "uuid" })

export class MembersRepo extends Effect.Service<MembersRepo>()("MembersRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal("m.user_id, u.email, u.name, m.role, m.created_at, m.last_seen_at, u.disabled_at")

    const list = (request: {
      readonly workspace_id: WorkspaceId
      readonly after: Position | null
      readonly limit: number
    }) =>
      rows(
        Member,
        sql`
          SELECT ${columns} FROM memberships m JOIN users u ON u.id = m.user_id
          WHERE m.workspace_id = ${request.workspace_id} AND ${oldestFirst.after(request.after)}
          ORDER BY ${oldestFirst.by} LIMIT ${request.limit + 1}`
      )

    const find = ({ workspace_id, user_id }: Membership) =>
      firstRow(
        Member,
        sql`
          SELECT ${columns} FROM memberships m JOIN users u ON u.id = m.user_id
          WHERE m.workspace_id = ${workspace_id} AND m.user_id = ${user_id}`
      )

    /** Every change of members begins with this, so that of two at the same time the second sees what the first has left. */
    const lockOwners = (workspace_id: WorkspaceId) =>
      run(sql`
        SELECT 1 FROM memberships WHERE workspace_id = ${workspace_id} AND role = 'owner'
        ORDER BY user_id FOR NO KEY UPDATE`)

    /** Owners who can sign in; once locked, in a statement of its own: a statement that waits for a lock sees old rows. */
    const owners = (workspace_id: WorkspaceId) =>
      rows(
        Owner,
        sql`
          SELECT m.user_id FROM memberships m JOIN users u ON u.id = m.user_id AND u.disabled_at IS NULL
          WHERE m.workspace_id = ${workspace_id} AND m.role = 'owner'`
      )

    const setRole = ({ workspace_id, user_id, role }: Membership & { readonly role: Role }) =>
      onlyRow(
        Member,
        sql`
          UPDATE memberships m SET role = ${role} FROM users u
          WHERE m.workspace_id = ${workspace_id} AND m.user_id = ${user_id} AND u.id = m.user_id RETURNING ${columns}`
      )

    const remove = ({ workspace_id, user_id }: Membership) =>
      run(sql`DELETE FROM memberships WHERE workspace_id = ${workspace_id} AND user_id = ${user_id}`)

    const deleteSessions = ({ workspace_id, user_id }: Membership) =>
      run(sql`DELETE FROM sessions WHERE workspace_id = ${workspace_id} AND user_id = ${user_id}`)

    /** Keys that a person created; those of someone who comes back stay revoked. */
    const revokeKeys = ({ workspace_id, user_id, now }: Membership & { readonly now: string }) =>
      run(sql`UPDATE api_keys SET revoked_at = ${now}
        WHERE workspace_id = ${workspace_id} AND created_by = ${user_id} AND revoked_at IS NULL`)

    /** Open invitations that a person made. */
    const withdrawInvitations = ({ workspace_id, user_id }: Membership) =>
      run(sql`DELETE FROM invitations
        WHERE workspace_id = ${workspace_id} AND invited_by = ${user_id} AND accepted_at IS NULL`)

    return { list, find, lockOwners, owners, setRole, remove, deleteSessions, revokeKeys, withdrawInvitations }
  })
}) {}
