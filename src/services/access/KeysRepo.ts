import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { Plan } from "../../schema/Feature.ts"
import { KeyId, RepositoryId, UserId, WorkspaceId } from "../../schema/Ids.ts"
import { KeyRecord, Scope } from "../../schema/Key.ts"
import { Role } from "../../schema/Session.ts"
import { Count, Instant } from "../../schema/Text.ts"
import { hiddenRepositories } from "../support/hiddenRepositories.ts"
import { keyset, type Position } from "../support/keyset.ts"
import { firstRow, onlyRow, rows, run } from "../support/rows.ts"

/** What the guard needs of a key: one row, one round trip. */
export const KeyCredential = Schema.Struct({
  id: KeyId,
  workspace_id: WorkspaceId,
  name: Schema.String,
  prefix: Schema.String,
  scopes: Schema.Array(Scope),
  requests_per_minute: Schema.NullOr(Schema.Number),
  allowed_cidrs: Schema.NullOr(Schema.Array(Schema.String)),
  agent_label: Schema.NullOr(Schema.String),
  created_by: UserId,
  expires_at: Schema.NullOr(Instant),
  /** A key counts as revoked for as long as its creator is disabled. */
  revoked_at: Schema.NullOr(Instant),
  last_used_at: Schema.NullOr(Instant),
  plan: Plan,
  features: Schema.Array(Schema.String),
  suspended_at: Schema.NullOr(Instant),
  /** Whether spending of the key or of its workspace has an hourly ceiling. */
  has_ceiling: Schema.Boolean,
  /** `null` once the creator has left the workspace. */
  creator_role: Schema.NullOr(Role),
  /** From the creator. */
  hidden_repositories: Schema.Array(RepositoryId)
})
export type KeyCredential = typeof KeyCredential.Type

/** With the base64 of what it was found by. */
const HashedCredential = Schema.Struct({ ...KeyCredential.fields, hash: Schema.String })

export interface KeyUse {
  readonly id: KeyId
  readonly at: string
  readonly ip: string | null
}

export interface NewKey extends Omit<KeyRecord, "last_used_at" | "last_used_ip" | "revoked_at"> {
  readonly workspace_id: WorkspaceId
  readonly hash: Buffer
}

/** A key whose creator is to be warned. */
export const ExpiringKey = Schema.Struct({
  id: KeyId,
  workspace_id: WorkspaceId,
  workspace_name: Schema.String,
  name: Schema.String,
  prefix: Schema.String,
  expires_at: Instant,
  created_by: UserId,
  /** Of the creator. */
  email: Schema.String
})
export type ExpiringKey = typeof ExpiringKey.Type

const newestFirst = keyset("DESC", { created_at: "timestamptz", id: "uuid" })

const LiveKeys = Schema.Struct({ live: Count })

export class KeysRepo extends Effect.Service<KeysRepo>()("KeysRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(`id, name, prefix, scopes, requests_per_minute, dollars_per_hour, allowed_cidrs,
      agent_label, created_by, created_at, expires_at, last_used_at, last_used_ip, revoked_at`)

    const hidden = hiddenRepositories(sql, { user: "k.created_by", workspace: "k.workspace_id", role: "m.role" })

    /** Of several keys at once: calls that come together ask together. */
    const credentialsByHash = (hashes: ReadonlyArray<Buffer>) =>
      rows(
        HashedCredential,
        sql`/* prepared */
          SELECT encode(k.hash, 'base64') AS hash, k.id, k.workspace_id, k.name, k.prefix, k.scopes, k.requests_per_minute,
            k.allowed_cidrs, k.agent_label, k.created_by, k.expires_at, coalesce(k.revoked_at, u.disabled_at) AS revoked_at,
            k.last_used_at, w.plan, w.features, w.suspended_at, m.role AS creator_role, ${hidden},
            w.spend_per_hour_usd IS NOT NULL OR k.dollars_per_hour IS NOT NULL AS has_ceiling
          FROM api_keys k JOIN workspaces w ON w.id = k.workspace_id JOIN users u ON u.id = k.created_by
          LEFT JOIN memberships m ON m.workspace_id = k.workspace_id AND m.user_id = k.created_by
          WHERE k.hash = ANY(${[...hashes]}::bytea[])`
      )

    /** The statement that counts live keys waits here for every other creation of a key in the workspace. */
    const lockWorkspace = (workspaceId: WorkspaceId) =>
      run(sql`SELECT 1 FROM workspaces WHERE id = ${workspaceId} FOR NO KEY UPDATE`)

    const countLive = (workspaceId: WorkspaceId, now: string) =>
      Effect.map(
        onlyRow(
          LiveKeys,
          sql`SELECT count(*)::int AS live FROM api_keys
            WHERE workspace_id = ${workspaceId} AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${now})`
        ),
        ({ live }) => live
      )

    const insert = (key: NewKey) =>
      onlyRow(
        KeyRecord,
        sql`
            INSERT INTO api_keys (id, workspace_id, hash, name, prefix, scopes, requests_per_minute, dollars_per_hour,
              allowed_cidrs, agent_label, created_by, created_at, expires_at)
            VALUES (${key.id}, ${key.workspace_id}, ${key.hash}, ${key.name}, ${key.prefix}, ${[...key.scopes]}::text[],
              ${key.requests_per_minute}, ${key.dollars_per_hour},
              ${key.allowed_cidrs === null ? null : [...key.allowed_cidrs]}::text[], ${key.agent_label},
              ${key.created_by}, ${key.created_at}, ${key.expires_at})
            RETURNING ${columns}`
      )

    /** `ownerId` null: keys of everyone. */
    const list = (request: {
      readonly workspace_id: WorkspaceId
      readonly ownerId: UserId | null
      readonly after: Position | null
      readonly limit: number
    }) =>
      rows(
        KeyRecord,
        sql`
          SELECT ${columns} FROM api_keys
          WHERE workspace_id = ${request.workspace_id}
            AND (${request.ownerId}::uuid IS NULL OR created_by = ${request.ownerId})
            AND ${newestFirst.after(request.after)}
          ORDER BY ${newestFirst.by} LIMIT ${request.limit + 1}`
      )

    const find = (request: { readonly workspace_id: WorkspaceId; readonly id: string }) =>
      firstRow(
        KeyRecord,
        sql`SELECT ${columns} FROM api_keys
            WHERE workspace_id = ${request.workspace_id} AND id = ${request.id} FOR UPDATE`
      )

    const update = (key: KeyRecord & { readonly workspace_id: WorkspaceId }) =>
      onlyRow(
        KeyRecord,
        sql`
            UPDATE api_keys SET name = ${key.name}, agent_label = ${key.agent_label}, scopes = ${[...key.scopes]}::text[],
              requests_per_minute = ${key.requests_per_minute}, dollars_per_hour = ${key.dollars_per_hour},
              revoked_at = ${key.revoked_at}
            WHERE workspace_id = ${key.workspace_id} AND id = ${key.id} RETURNING ${columns}`
      )

    /** Locked in the order of their IDs: another process may write some of the same keys. */
    const markUsed = (uses: ReadonlyArray<KeyUse>) =>
      run(sql`/* prepared */
        WITH used AS (
          SELECT * FROM unnest(${uses.map(({ id }) => id)}::uuid[], ${uses.map(({ at }) => at)}::timestamptz[],
            ${uses.map(({ ip }) => ip)}::text[]) AS u (id, at, ip)
        ), locked AS (
          SELECT k.id, u.at, u.ip FROM api_keys k JOIN used u ON u.id = k.id ORDER BY k.id FOR NO KEY UPDATE OF k
        )
        UPDATE api_keys k SET last_used_at = l.at, last_used_ip = l.ip FROM locked l WHERE k.id = l.id`)

    /**
     * Takes live keys that expire by `before`, each of them once; of several callers one gets it. A creator who has left
     * the workspace gets no warning: the key can do nothing any more.
     */
    const takeExpiring = (request: {
      readonly now: string
      readonly before: string
      readonly shortestLifeSeconds: number
      readonly limit: number
    }) =>
      rows(
        ExpiringKey,
        sql`
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
          RETURNING k.id, k.workspace_id, w.name AS workspace_name, k.name, k.prefix, k.expires_at, k.created_by, u.email`
      )

    return { credentialsByHash, lockWorkspace, countLive, insert, list, find, update, markUsed, takeExpiring }
  })
}) {}
