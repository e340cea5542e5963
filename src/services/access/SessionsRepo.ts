import { SqlClient } from "@effect/sql"
import { Effect, Option, Schema } from "effect"
import { Plan } from "../../schema/Feature.ts"
import { RepositoryId, UserId, WorkspaceId } from "../../schema/Ids.ts"
import { Role } from "../../schema/Session.ts"
import { Instant } from "../../schema/Text.ts"
import { hiddenRepositories } from "../support/hiddenRepositories.ts"
import { countRows, firstRow, hasRow, run } from "../support/rows.ts"

export const SessionRow = Schema.Struct({
  id: Schema.String,
  csrf_token: Schema.String,
  expires_at: Instant,
  user_id: UserId,
  email: Schema.String,
  name: Schema.NullOr(Schema.String),
  single_keys: Schema.Boolean,
  last_seen_at: Schema.NullOr(Instant),
  workspace_id: WorkspaceId,
  workspace_name: Schema.String,
  plan: Plan,
  features: Schema.Array(Schema.String),
  suspended_at: Schema.NullOr(Instant),
  role: Role,
  hidden_repositories: Schema.Array(RepositoryId)
})
export type SessionRow = typeof SessionRow.Type

export const Account = Schema.Struct({
  user_id: UserId,
  email: Schema.String,
  password_hash: Schema.NullOr(Schema.String),
  /** The workspace used last, suspended ones only where there is no other; `null` for a user who left every workspace. */
  workspace_id: Schema.NullOr(WorkspaceId)
})
export type Account = typeof Account.Type

export const SignInLink = Schema.Struct({ user_id: UserId, workspace_id: WorkspaceId })
export type SignInLink = typeof SignInLink.Type

const WorkspaceOf = Schema.Struct({ id: WorkspaceId })

export class SessionsRepo extends Effect.Service<SessionsRepo>()("SessionsRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    /** None for a disabled person: at sign-in they do not exist. */
    const accountByEmail = (email: string) =>
      firstRow(
        Account,
        sql`SELECT u.id AS user_id, u.email, u.password_hash,
              (SELECT m.workspace_id FROM memberships m JOIN workspaces w ON w.id = m.workspace_id
                WHERE m.user_id = u.id
                ORDER BY w.suspended_at IS NOT NULL, m.last_seen_at DESC NULLS LAST, m.created_at LIMIT 1) AS workspace_id
            FROM users u WHERE u.email = ${email.toLowerCase()} AND u.disabled_at IS NULL`
      )

    const insertSession = (session: {
      readonly id: string
      readonly token_hash: Buffer
      readonly csrf_token: string
      readonly user_id: UserId
      readonly workspace_id: WorkspaceId
      readonly created_at: string
      readonly last_seen_at: string
      readonly address: string | null
      readonly expires_at: string
    }) => run(sql`INSERT INTO sessions ${sql.insert(session)}`)

    const hidden = hiddenRepositories(sql, { user: "u.id", workspace: "w.id", role: "m.role" })

    const sessionByToken = (tokenHash: Buffer) =>
      firstRow(
        SessionRow,
        sql`
            SELECT s.id, s.csrf_token, s.expires_at, s.last_seen_at, u.id AS user_id, u.email, u.name,
              u.single_keys, w.id AS workspace_id, w.name AS workspace_name, w.plan, w.features, w.suspended_at, m.role,
              ${hidden}
            FROM sessions s JOIN users u ON u.id = s.user_id AND u.disabled_at IS NULL JOIN workspaces w ON w.id = s.workspace_id
            JOIN memberships m ON m.user_id = s.user_id AND m.workspace_id = s.workspace_id
            WHERE s.token_hash = ${tokenHash}`
      )

    /** Notes that a session and the membership behind it are in use. */
    const markSeen = (seen: {
      readonly workspace_id: WorkspaceId
      readonly user_id: UserId
      readonly id: string
      readonly at: string
      readonly address: string | null
    }) =>
      run(sql`
        WITH seen AS (
          UPDATE sessions SET last_seen_at = ${seen.at}, address = ${seen.address}
          WHERE workspace_id = ${seen.workspace_id} AND id = ${seen.id}
        )
        UPDATE memberships SET last_seen_at = ${seen.at}
        WHERE workspace_id = ${seen.workspace_id} AND user_id = ${seen.user_id}`)

    const deleteSession = ({ workspace_id, id }: { readonly workspace_id: WorkspaceId; readonly id: string }) =>
      run(sql`DELETE FROM sessions WHERE workspace_id = ${workspace_id} AND id = ${id}`)

    /** All of a person's sessions, of every workspace, but one; how many they were. */
    const deleteSessionsOf = (request: { readonly user_id: UserId; readonly exceptId: string | null }) =>
      countRows(sql`DELETE FROM sessions WHERE user_id = ${request.user_id}
        AND id IS DISTINCT FROM ${request.exceptId}::uuid RETURNING id`)

    const deleteExpired = (now: string) => run(sql`DELETE FROM sessions WHERE expires_at < ${now}`)

    const setPassword = (request: { readonly user_id: UserId; readonly password_hash: string }) =>
      run(sql`UPDATE users SET password_hash = ${request.password_hash} WHERE id = ${request.user_id}`)

    const insertLink = (link: {
      readonly token_hash: Buffer
      readonly user_id: UserId
      readonly workspace_id: WorkspaceId
      readonly created_at: string
      readonly expires_at: string
    }) => run(sql`INSERT INTO sign_in_links ${sql.insert(link)}`)

    /** Uses the link up; of two concurrent calls one gets it. It is of no use to a person who was removed or disabled. */
    const takeLink = (request: { readonly token_hash: Buffer; readonly now: string }) =>
      firstRow(
        SignInLink,
        sql`UPDATE sign_in_links SET used_at = ${request.now}
            WHERE token_hash = ${request.token_hash} AND used_at IS NULL AND expires_at > ${request.now}
              AND EXISTS (
                SELECT 1 FROM memberships m JOIN users u ON u.id = m.user_id AND u.disabled_at IS NULL
                WHERE m.workspace_id = sign_in_links.workspace_id AND m.user_id = sign_in_links.user_id
              )
            RETURNING user_id, workspace_id`
      )

    /** Uses up all links of a person that are still open. */
    const closeLinksOf = (request: { readonly user_id: UserId; readonly now: string }) =>
      run(sql`UPDATE sign_in_links SET used_at = ${request.now}
        WHERE user_id = ${request.user_id} AND used_at IS NULL`)

    const insertWorkspace = (workspace: {
      readonly id: WorkspaceId
      readonly name: string
      readonly created_at: string
    }) => run(sql`INSERT INTO workspaces ${sql.insert(workspace)}`)

    const insertUser = (user: {
      readonly id: UserId
      readonly email: string
      readonly password_hash: string | null
      readonly created_at: string
    }) => run(sql`INSERT INTO users ${sql.insert(user)}`)

    const insertMembership = (membership: {
      readonly workspace_id: WorkspaceId
      readonly user_id: UserId
      readonly role: Role
      readonly created_at: string
    }) => run(sql`INSERT INTO memberships ${sql.insert(membership)}`)

    /** The lock keeps two processes that boot at once from both making the first workspace. */
    const lockFirstStart = run(sql`SELECT pg_advisory_xact_lock(hashtext('assay/first-start'))`)

    const anyWorkspace = hasRow(sql`SELECT 1 FROM workspaces LIMIT 1`)

    const oldestWorkspace = Effect.map(
      firstRow(WorkspaceOf, sql`SELECT id FROM workspaces ORDER BY created_at, id LIMIT 1`),
      Option.map(({ id }) => id)
    )

    /** The oldest owner of the oldest workspace. */
    const firstOwner = firstRow(
      Account,
      sql`SELECT u.id AS user_id, u.email, u.password_hash, m.workspace_id
          FROM memberships m JOIN users u ON u.id = m.user_id JOIN workspaces w ON w.id = m.workspace_id
          WHERE m.role = 'owner' AND u.disabled_at IS NULL ORDER BY w.created_at, m.created_at LIMIT 1`
    )

    return {
      accountByEmail,
      insertSession,
      sessionByToken,
      markSeen,
      deleteSession,
      deleteSessionsOf,
      deleteExpired,
      setPassword,
      insertLink,
      takeLink,
      closeLinksOf,
      insertWorkspace,
      insertUser,
      insertMembership,
      lockFirstStart,
      anyWorkspace,
      oldestWorkspace,
      firstOwner
    }
  })
}) {}
