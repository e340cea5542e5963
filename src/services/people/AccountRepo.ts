import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { SessionId, type UserId, WorkspaceId } from "../../schema/Ids.ts"
import { Role } from "../../schema/Session.ts"
import { Instant } from "../../schema/Text.ts"
import { firstRow, hasRow, onlyRow, rows, run } from "../support/rows.ts"

const WorkspaceOf = Schema.Struct({
  id: WorkspaceId,
  name: Schema.String,
  role: Role,
  suspended_at: Schema.NullOr(Instant)
})

const SessionOf = Schema.Struct({
  id: SessionId,
  created_at: Instant,
  last_seen_at: Schema.NullOr(Instant),
  address: Schema.NullOr(Schema.String)
})

const Profile = Schema.Struct({ name: Schema.NullOr(Schema.String), single_keys: Schema.Boolean })
type Profile = typeof Profile.Type

/** A person's own rows, whatever workspace they belong to. */
export class AccountRepo extends Effect.Service<AccountRepo>()("AccountRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const workspacesOf = (user_id: UserId) =>
      rows(
        WorkspaceOf,
        sql`SELECT w.id, w.name, m.role, w.suspended_at
          FROM memberships m JOIN workspaces w ON w.id = m.workspace_id
          WHERE m.user_id = ${user_id} ORDER BY w.name, w.created_at, w.id`
      )

    /** Whether the person is a member there. The token against forged requests is a new one: pages of before are stale. */
    const moveSession = (request: {
      readonly id: string
      readonly user_id: UserId
      readonly workspace_id: WorkspaceId
      readonly csrf_token: string
    }) =>
      hasRow(sql`
        UPDATE sessions SET workspace_id = ${request.workspace_id}, csrf_token = ${request.csrf_token}
        WHERE id = ${request.id} AND user_id = ${request.user_id}
          AND EXISTS (
            SELECT 1 FROM memberships m WHERE m.workspace_id = ${request.workspace_id} AND m.user_id = ${request.user_id}
          )
        RETURNING id`)

    const sessionsOf = (request: { readonly user_id: UserId; readonly now: string; readonly limit: number }) =>
      rows(
        SessionOf,
        sql`SELECT id, created_at, last_seen_at, address FROM sessions
          WHERE user_id = ${request.user_id} AND expires_at > ${request.now}
          ORDER BY created_at DESC, id DESC LIMIT ${request.limit}`
      )

    /** The session, where the person had it. */
    const endSession = ({ id, user_id }: { readonly id: SessionId; readonly user_id: UserId }) =>
      firstRow(
        SessionOf,
        sql`DELETE FROM sessions WHERE id = ${id} AND user_id = ${user_id}
          RETURNING id, created_at, last_seen_at, address`
      )

    const lockProfile = (user_id: UserId) =>
      onlyRow(Profile, sql`SELECT name, single_keys FROM users WHERE id = ${user_id} FOR NO KEY UPDATE`)

    const updateProfile = (user_id: UserId, profile: Profile) =>
      run(sql`UPDATE users SET ${sql.update(profile)} WHERE id = ${user_id}`)

    /** Whether a link was made for the person since then. */
    const hasLinkSince = ({ user_id, since }: { readonly user_id: UserId; readonly since: string }) =>
      hasRow(sql`SELECT 1 FROM sign_in_links WHERE user_id = ${user_id} AND created_at > ${since} LIMIT 1`)

    return { workspacesOf, moveSession, sessionsOf, endSession, lockProfile, updateProfile, hasLinkSince }
  })
}) {}
