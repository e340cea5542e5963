import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { RepositoryId, WorkspaceId } from "../../schema/Ids.ts"
import { Scope } from "../../schema/Key.ts"
import { Role } from "../../schema/Session.ts"
import { hiddenRepositories } from "../support/hiddenRepositories.ts"
import { rows } from "../support/rows.ts"

const LiveCaller = Schema.Struct({
  id: Schema.String,
  /** A session can move from one to another. */
  workspace_id: WorkspaceId,
  /** Of a key; null for a session. */
  scopes: Schema.NullOr(Schema.Array(Scope)),
  /** Of the key's creator, or of the signed-in person. */
  role: Role,
  hidden_repositories: Schema.Array(RepositoryId)
})

/**
 * Keys and sessions that may call now: neither revoked, expired nor ended, of a member who is not disabled, in a workspace
 * that is not suspended.
 */
export class LiveCallersRepo extends Effect.Service<LiveCallersRepo>()("LiveCallersRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const hidden = hiddenRepositories(sql, { user: "m.user_id", workspace: "m.workspace_id", role: "m.role" })

    /** Those with one of these IDs. */
    const among = ({ ids, now }: { readonly ids: ReadonlyArray<string>; readonly now: string }) =>
      rows(
        LiveCaller,
        sql`/* prepared */
          SELECT k.id::text AS id, k.workspace_id, k.scopes, m.role, ${hidden}
          FROM api_keys k JOIN workspaces w ON w.id = k.workspace_id AND w.suspended_at IS NULL
          JOIN memberships m ON m.workspace_id = k.workspace_id AND m.user_id = k.created_by
          JOIN users u ON u.id = m.user_id AND u.disabled_at IS NULL
          WHERE k.id = ANY(${[...ids]}::uuid[]) AND k.revoked_at IS NULL
            AND (k.expires_at IS NULL OR k.expires_at > ${now})
          UNION ALL
          SELECT s.id::text, s.workspace_id, NULL, m.role, ${hidden}
          FROM sessions s JOIN workspaces w ON w.id = s.workspace_id AND w.suspended_at IS NULL
          JOIN memberships m ON m.workspace_id = s.workspace_id AND m.user_id = s.user_id
          JOIN users u ON u.id = m.user_id AND u.disabled_at IS NULL
          WHERE s.id = ANY(${[...ids]}::uuid[]) AND s.expires_at > ${now}`
      )

    return { among }
  })
}) {}
