import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { KeyRecord, Scope } from "../../schema/Key.ts"
import type { Role } from "../../schema/Session.ts"

/** What the guard needs of a key: one row, one round trip. */
export interface KeyCredential {
  readonly id: string
  readonly workspace_id: string
  readonly name: string
  readonly prefix: string
  readonly scopes: ReadonlyArray<Scope>
  readonly requests_per_minute: number | null
  readonly allowed_cidrs: ReadonlyArray<string> | null
  readonly agent_label: string | null
  readonly created_by: string
  readonly expires_at: string | null
  readonly revoked_at: string | null
  readonly last_used_at: string | null
  readonly plan: "free" | "paid"
  readonly features: ReadonlyArray<string>
  readonly suspended_at: string | null
  /** Whether spending of the key or of its workspace has an hourly ceiling. */
  readonly has_ceiling: boolean
  /** `null` once the creator has left the workspace. */
  readonly creator_role: Role | null
}

export interface NewKey extends Omit<KeyRecord, "last_used_at" | "last_used_ip" | "revoked_at"> {
  readonly workspace_id: string
  readonly hash: Buffer
}

/** A key whose creator is to be warned. */
export interface ExpiringKey {
  readonly id: string
  readonly workspace_id: string
  readonly workspace_name: string
  readonly name: string
  readonly prefix: string
  readonly expires_at: string
  /** Of the creator. */
  readonly email: string
}

export class KeysRepo extends Effect.Service<KeysRepo>()("KeysRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(`id, name, prefix, scopes, requests_per_minute, dollars_per_hour, allowed_cidrs,
      agent_label, created_by, created_at, expires_at, last_used_at, last_used_ip, revoked_at`)

    const credentialByHash = (hash: Buffer) =>
      Effect.orDie(
        sql<KeyCredential>`/* prepared */
          SELECT k.id, k.workspace_id, k.name, k.prefix, k.scopes, k.requests_per_minute, k.allowed_cidrs, k.agent_label,
            k.created_by, k.expires_at, k.revoked_at, k.last_used_at, w.plan, w.features, w.suspended_at,
            m.role AS creator_role,
            w.spend_per_hour_usd IS NOT NULL OR k.dollars_per_hour IS NOT NULL AS has_ceiling
          FROM api_keys k JOIN workspaces w ON w.id = k.workspace_id
          LEFT JOIN memberships m ON m.workspace_id = k.workspace_id AND m.user_id = k.created_by
          WHERE k.hash = ${hash}`
      )

    /** The statement that counts live keys waits here for every other mint of the workspace. */
    const lockWorkspace = (workspaceId: string) =>
      Effect.orDie(sql`SELECT 1 FROM workspaces WHERE id = ${workspaceId} FOR UPDATE`)

    const countLive = (workspaceId: string, now: string) =>
      Effect.map(
        Effect.orDie(
          sql<{ live: number }>`SELECT count(*)::int AS live FROM api_keys
            WHERE workspace_id = ${workspaceId} AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${now})`
        ),
        (rows) => rows[0]!.live
      )

    const insert = (key: NewKey) =>
      Effect.map(
        Effect.orDie(
          sql<KeyRecord>`
            INSERT INTO api_keys (id, workspace_id, hash, name, prefix, scopes, requests_per_minute, dollars_per_hour,
              allowed_cidrs, agent_label, created_by, created_at, expires_at)
            VALUES (${key.id}, ${key.workspace_id}, ${key.hash}, ${key.name}, ${key.prefix}, ${[...key.scopes]}::text[],
              ${key.requests_per_minute}, ${key.dollars_per_hour},
              ${key.allowed_cidrs === null ? null : [...key.allowed_cidrs]}::text[], ${key.agent_label},
              ${key.created_by}, ${key.created_at}, ${key.expires_at})
            RETURNING ${columns}`
        ),
        (rows) => rows[0]!
      )

    /** `ownerId` null: keys of everybody. */
    const list = (request: {
      readonly workspace_id: string
      readonly ownerId: string | null
      readonly after: readonly [string, string] | null
      readonly limit: number
    }) =>
      Effect.orDie(
        sql<KeyRecord>`
          SELECT ${columns} FROM api_keys
          WHERE workspace_id = ${request.workspace_id}
            AND (${request.ownerId}::uuid IS NULL OR created_by = ${request.ownerId})
            AND (${request.after?.[0] ?? null}::timestamptz IS NULL
              OR (created_at, id) < (${request.after?.[0] ?? null}, ${request.after?.[1] ?? null}::uuid))
          ORDER BY created_at DESC, id DESC LIMIT ${request.limit + 1}`
      )

    const find = (request: { readonly workspace_id: string; readonly id: string }) =>
      Effect.map(
        Effect.orDie(
          sql<KeyRecord>`SELECT ${columns} FROM api_keys
            WHERE workspace_id = ${request.workspace_id} AND id = ${request.id} FOR UPDATE`
        ),
        (rows) => rows[0] ?? null
      )

    const update = (key: KeyRecord & { readonly workspace_id: string }) =>
      Effect.map(
        Effect.orDie(
          sql<KeyRecord>`
            UPDATE api_keys SET name = ${key.name}, agent_label = ${key.agent_label}, scopes = ${[...key.scopes]}::text[],
              requests_per_minute = ${key.requests_per_minute}, dollars_per_hour = ${key.dollars_per_hour},
              revoked_at = ${key.revoked_at}
            WHERE workspace_id = ${key.workspace_id} AND id = ${key.id} RETURNING ${columns}`
        ),
        (rows) => rows[0]!
      )

    const markUsed = (request: { readonly id: string; readonly at: string; readonly ip: string | null }) =>
      Effect.orDie(
        sql`UPDATE api_keys SET last_used_at = ${request.at}, last_used_ip = ${request.ip} WHERE id = ${request.id}`
      )

    /**
     * Takes live keys that expire by `before`, each of them once; of several callers one gets it. A creator who has left
     * the workspace is not told: the key can do nothing any more.
     */
    const takeExpiring = (request: {
      readonly now: string
      readonly before: string
      readonly shortestLifeSeconds: number
      readonly limit: number
    }) =>
      Effect.orDie(
        sql<ExpiringKey>`
          UPDATE api_keys k SET expiry_warned_at = ${request.now}
          FROM workspaces w, users u
          WHERE w.id = k.workspace_id AND u.id = k.created_by AND k.id IN (
            SELECT due.id FROM api_keys due
            JOIN memberships m ON m.workspace_id = due.workspace_id AND m.user_id = due.created_by
            WHERE due.expiry_warned_at IS NULL AND due.revoked_at IS NULL
              AND due.expires_at > ${request.now} AND due.expires_at <= ${request.before}
              AND due.expires_at > due.created_at + make_interval(secs => ${request.shortestLifeSeconds})
            ORDER BY due.expires_at, due.id LIMIT ${request.limit} FOR UPDATE OF due SKIP LOCKED
          )
          RETURNING k.id, k.workspace_id, w.name AS workspace_name, k.name, k.prefix, k.expires_at, u.email`
      )

    return { credentialByHash, lockWorkspace, countLive, insert, list, find, update, markUsed, takeExpiring }
  })
}) {}
