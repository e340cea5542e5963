import { SqlClient, type Statement } from "@effect/sql"
import { Array, Effect, Schema } from "effect"
import { InvitationId, UserId, WorkspaceId } from "../../schema/Ids.ts"
import { Invitation } from "../../schema/Member.ts"
import { Role } from "../../schema/Session.ts"
import { Instant } from "../../schema/Text.ts"
import { keyset, type Position } from "../support/keyset.ts"
import { firstRow, hasRow, onlyRow, rows, run } from "../support/rows.ts"

/** An invitation as it is accepted. */
const OpenInvitation = Schema.Struct({
  id: InvitationId,
  workspace_id: WorkspaceId,
  email: Schema.String,
  role: Role,
  /** Of the workspace. */
  suspended_at: Schema.NullOr(Instant),
  /** Null: the operator of the installation. */
  invited_by: Schema.NullOr(UserId),
  /** What the inviting person is now; null once they left or were disabled. */
  inviter_role: Schema.NullOr(Role)
})
export type OpenInvitation = typeof OpenInvitation.Type

const InvitedAccount = Schema.Struct({ user_id: UserId, disabled_at: Schema.NullOr(Instant) })

const WorkspaceName = Schema.Struct({ name: Schema.String })

const newestFirst = keyset("DESC", { created_at: "timestamptz", id: "uuid" })

export class InvitationsRepo extends Effect.Service<InvitationsRepo>()("InvitationsRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const isMember = ({ workspace_id, email }: { readonly workspace_id: WorkspaceId; readonly email: string }) =>
      hasRow(sql`SELECT 1 FROM memberships m JOIN users u ON u.id = m.user_id
        WHERE m.workspace_id = ${workspace_id} AND u.email = ${email}`)

    /** Replaces the open one of the same address. */
    const insert = (invitation: {
      readonly id: InvitationId
      readonly workspace_id: WorkspaceId
      readonly email: string
      readonly role: Role
      readonly token_hash: Buffer
      readonly invited_by: UserId | null
      readonly created_at: string
      readonly expires_at: string
    }) =>
      onlyRow(
        Invitation,
        sql`INSERT INTO invitations ${sql.insert(invitation)}
          ON CONFLICT (workspace_id, email) WHERE accepted_at IS NULL DO UPDATE
          SET id = excluded.id, role = excluded.role, token_hash = excluded.token_hash,
            invited_by = excluded.invited_by, created_at = excluded.created_at, expires_at = excluded.expires_at
          RETURNING id, email, role, created_at, expires_at`
      )

    const nameOf = (workspace_id: WorkspaceId) =>
      Effect.map(
        onlyRow(WorkspaceName, sql`SELECT name FROM workspaces WHERE id = ${workspace_id}`),
        ({ name }) => name
      )

    const list = (request: {
      readonly workspace_id: WorkspaceId
      readonly after: Position | null
      readonly limit: number
    }) =>
      rows(
        Invitation,
        sql`
          SELECT id, email, role, created_at, expires_at FROM invitations
          WHERE workspace_id = ${request.workspace_id} AND accepted_at IS NULL AND ${newestFirst.after(request.after)}
          ORDER BY ${newestFirst.by} LIMIT ${request.limit + 1}`
      )

    /** Whether there was one to withdraw. */
    const withdraw = ({ workspace_id, id }: { readonly workspace_id: WorkspaceId; readonly id: InvitationId }) =>
      firstRow(
        Invitation,
        sql`DELETE FROM invitations WHERE workspace_id = ${workspace_id} AND id = ${id} AND accepted_at IS NULL
          RETURNING id, email, role, created_at, expires_at`
      )

    const openWhere = (condition: Statement.Fragment, now: string) =>
      rows(
        OpenInvitation,
        sql`
          SELECT i.id, i.workspace_id, i.email, i.role, w.suspended_at, i.invited_by,
            (SELECT m.role FROM memberships m JOIN users u ON u.id = m.user_id AND u.disabled_at IS NULL
              WHERE m.workspace_id = i.workspace_id AND m.user_id = i.invited_by) AS inviter_role
          FROM invitations i JOIN workspaces w ON w.id = i.workspace_id
          WHERE ${condition} AND i.accepted_at IS NULL AND i.expires_at > ${now}
          ORDER BY i.id FOR UPDATE OF i`
      )

    /** The live invitation behind a token; of two concurrent calls the second waits for what the first makes of it. */
    const lockByToken = ({ token_hash, now }: { readonly token_hash: Buffer; readonly now: string }) =>
      Effect.map(openWhere(sql`i.token_hash = ${token_hash}`, now), Array.head)

    /** All live invitations of an address. */
    const lockByEmail = ({ email, now }: { readonly email: string; readonly now: string }) =>
      openWhere(sql`i.email = ${email}`, now)

    const markAccepted = (request: {
      readonly workspace_id: WorkspaceId
      readonly id: InvitationId
      readonly user_id: UserId
      readonly now: string
    }) =>
      run(sql`UPDATE invitations SET accepted_at = ${request.now}, accepted_by = ${request.user_id}
        WHERE workspace_id = ${request.workspace_id} AND id = ${request.id}`)

    const accountOf = (email: string) =>
      firstRow(InvitedAccount, sql`SELECT id AS user_id, disabled_at FROM users WHERE email = ${email}`)

    /** False where the address has an account by now. */
    const insertAccount = (account: {
      readonly id: UserId
      readonly email: string
      readonly name: string | null
      readonly password_hash: string | null
      readonly created_at: string
    }) => hasRow(sql`INSERT INTO users ${sql.insert(account)} ON CONFLICT (email) DO NOTHING RETURNING id`)

    /** Who is a member keeps their role. */
    const join = (membership: {
      readonly workspace_id: WorkspaceId
      readonly user_id: UserId
      readonly role: Role
      readonly created_at: string
    }) => run(sql`INSERT INTO memberships ${sql.insert(membership)} ON CONFLICT DO NOTHING`)

    return {
      isMember,
      insert,
      nameOf,
      list,
      withdraw,
      lockByToken,
      lockByEmail,
      markAccepted,
      accountOf,
      insertAccount,
      join
    }
  })
}) {}
