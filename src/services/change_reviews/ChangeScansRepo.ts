import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import type { RepositoryId, WorkspaceId } from "../../schema/Ids.ts"
import { firstRow, hasRow, run } from "../support/rows.ts"

/** Two commits of a repository, and the settings of their scans. */
export interface ScanKey {
  readonly workspace_id: WorkspaceId
  readonly repository_id: RepositoryId
  readonly base_sha: string
  readonly head_sha: string
  readonly settings_hash: string
}

const Content = Schema.Struct({ content: Schema.Uint8ArrayFromSelf })

/** What the engine found between two commits. */
export class ChangeScansRepo extends Effect.Service<ChangeScansRepo>()("ChangeScansRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    // Rules and advisories change with time, so what was found once does not hold for ever.
    const isOf = (key: ScanKey, since: string) => sql`
      workspace_id = ${key.workspace_id} AND repository_id = ${key.repository_id} AND base_sha = ${key.base_sha}
        AND head_sha = ${key.head_sha} AND settings_hash = ${key.settings_hash} AND created_at > ${since}`

    const find = (key: ScanKey, since: string) =>
      firstRow(Content, sql`SELECT content FROM change_review_scans WHERE ${isOf(key, since)}`)

    const has = (key: ScanKey, since: string) => hasRow(sql`SELECT FROM change_review_scans WHERE ${isOf(key, since)}`)

    const remember = (key: ScanKey & { readonly content: Uint8Array; readonly at: string }) =>
      run(sql`INSERT INTO change_review_scans (workspace_id, repository_id, base_sha, head_sha, settings_hash, content, created_at)
        VALUES (${key.workspace_id}, ${key.repository_id}, ${key.base_sha}, ${key.head_sha}, ${key.settings_hash},
          ${key.content}, ${key.at})
        ON CONFLICT (repository_id, base_sha, head_sha, settings_hash) DO UPDATE
          SET content = excluded.content, created_at = excluded.created_at`)

    const forget = ({ workspace_id, until }: { readonly workspace_id: WorkspaceId; readonly until: string }) =>
      run(sql`DELETE FROM change_review_scans WHERE workspace_id = ${workspace_id} AND created_at < ${until}`)

    return { find, has, remember, forget }
  })
}) {}
