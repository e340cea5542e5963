import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { Role } from "../../schema/Session.ts"

export interface SessionRow {
  readonly id: string
  readonly csrf_token: string
  readonly expires_at: string
  readonly user_id: string
  readonly email: string
  readonly workspace_id: string
  readonly workspace_name: string
  readonly plan: "free" | "paid"
  readonly features: ReadonlyArray<string>
  readonly suspended_at: string | null
  readonly role: Role
}

export interface Account {
  readonly user_id: string
  readonly email: string
  readonly password_hash: string | null
  /** The membership that is oldest; `null` for somebody who left every workspace. */
  readonly workspace_id: string | null
}

export interface SignInLink {
  readonly user_id: string
  readonly workspace_id: string
}

export class SessionsRepo extends Effect.Service<SessionsRepo>()("SessionsRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const accountByEmail = (email: string) =>
      Effect.map(
        Effect.orDie(
          sql<Account>`SELECT u.id AS user_id, u.email, u.password_hash,
              (SELECT m.workspace_id FROM memberships m WHERE m.user_id = u.id ORDER BY m.created_at LIMIT 1) AS workspace_id
            FROM users u WHERE u.email = ${email.toLowerCase()}`
        ),
        (rows) => rows[0] ?? null
      )

    const insertSession = (session: {
      readonly id: string
      readonly token_hash: Buffer
      readonly csrf_token: string
      readonly user_id: string
      readonly workspace_id: string
      readonly created_at: string
      readonly expires_at: string
    }) => Effect.orDie(sql`INSERT INTO sessions ${sql.insert(session)}`)

    const sessionByToken = (tokenHash: Buffer) =>
      Effect.map(
        Effect.orDie(
          sql<SessionRow>`
            SELECT s.id, s.csrf_token, s.expires_at, u.id AS user_id, u.email, w.id AS workspace_id,
              w.name AS workspace_name, w.plan, w.features, w.suspended_at, m.role
            FROM sessions s JOIN users u ON u.id = s.user_id JOIN workspaces w ON w.id = s.workspace_id
            JOIN memberships m ON m.user_id = s.user_id AND m.workspace_id = s.workspace_id
            WHERE s.token_hash = ${tokenHash}`
        ),
        (rows) => rows[0] ?? null
      )

    const deleteSession = (id: string) => Effect.orDie(sql`DELETE FROM sessions WHERE id = ${id}`)

    const deleteExpired = (now: string) => Effect.orDie(sql`DELETE FROM sessions WHERE expires_at < ${now}`)

    const setPassword = (request: { readonly user_id: string; readonly password_hash: string }) =>
      Effect.orDie(sql`UPDATE users SET password_hash = ${request.password_hash} WHERE id = ${request.user_id}`)

    const insertLink = (link: {
      readonly token_hash: Buffer
      readonly user_id: string
      readonly workspace_id: string
      readonly created_at: string
      readonly expires_at: string
    }) => Effect.orDie(sql`INSERT INTO sign_in_links ${sql.insert(link)}`)

    /** Uses the link up; of two concurrent calls one gets it. */
    const takeLink = (request: { readonly token_hash: Buffer; readonly now: string }) =>
      Effect.map(
        Effect.orDie(
          sql<SignInLink>`UPDATE sign_in_links SET used_at = ${request.now}
            WHERE token_hash = ${request.token_hash} AND used_at IS NULL AND expires_at > ${request.now}
            RETURNING user_id, workspace_id`
        ),
        (rows) => rows[0] ?? null
      )

    const insertWorkspace = (workspace: { readonly id: string; readonly name: string; readonly created_at: string }) =>
      Effect.orDie(sql`INSERT INTO workspaces ${sql.insert(workspace)}`)

    const insertUser = (user: {
      readonly id: string
      readonly email: string
      readonly password_hash: string | null
      readonly created_at: string
    }) => Effect.orDie(sql`INSERT INTO users ${sql.insert(user)}`)

    const insertMembership = (membership: {
      readonly workspace_id: string
      readonly user_id: string
      readonly role: Role
      readonly created_at: string
    }) => Effect.orDie(sql`INSERT INTO memberships ${sql.insert(membership)}`)

    /** The lock keeps two processes that boot at once from both making the first workspace. */
    const lockFirstStart = Effect.orDie(sql`SELECT pg_advisory_xact_lock(hashtext('assay/first-start'))`)

    const anyWorkspace = Effect.map(Effect.orDie(sql`SELECT 1 FROM workspaces LIMIT 1`), (rows) => rows.length > 0)

    /** The oldest owner of the oldest workspace. */
    const firstOwner = Effect.map(
      Effect.orDie(
        sql<Account>`SELECT u.id AS user_id, u.email, u.password_hash, m.workspace_id
          FROM memberships m JOIN users u ON u.id = m.user_id JOIN workspaces w ON w.id = m.workspace_id
          WHERE m.role = 'owner' ORDER BY w.created_at, m.created_at LIMIT 1`
      ),
      (rows) => rows[0] ?? null
    )

    return {
      accountByEmail,
      insertSession,
      sessionByToken,
      deleteSession,
      deleteExpired,
      setPassword,
      insertLink,
      takeLink,
      insertWorkspace,
      insertUser,
      insertMembership,
      lockFirstStart,
      anyWorkspace,
      firstOwner
    }
  })
}) {}
