import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { RepositoryId, TrackerId, type WorkspaceId } from "../../schema/Ids.ts"
import { Instant } from "../../schema/Text.ts"
import { TrackerKind } from "../../schema/Tracker.ts"
import { keyset, type Position } from "../support/keyset.ts"
import { firstRow, rows, run } from "../support/rows.ts"

export const TrackerRow = Schema.Struct({
  id: TrackerId,
  repository_id: Schema.NullOr(RepositoryId),
  kind: TrackerKind,
  /** Slug of the repository; null for the workspace's tracker. */
  repository: Schema.NullOr(Schema.String),
  base_url: Schema.String,
  project: Schema.String,
  email: Schema.NullOr(Schema.String),
  sealed_token: Schema.NullOr(Schema.String),
  token_set_at: Schema.NullOr(Instant),
  created_at: Instant,
  updated_at: Instant
})
export type TrackerRow = typeof TrackerRow.Type

const CloneUrl = Schema.Struct({ clone_url: Schema.String })

/** A repository's trackers, or with null those that serve the whole workspace. */
interface Level {
  readonly workspace_id: WorkspaceId
  readonly repository_id: RepositoryId | null
}

const oldestFirst = keyset("ASC", { "t.created_at": "timestamptz", "t.id": "uuid" })

export class TrackersRepo extends Effect.Service<TrackersRepo>()("TrackersRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const trackersOf = (workspace_id: WorkspaceId) =>
      sql`SELECT t.id, t.repository_id, t.kind, t.base_url, t.project, t.email, t.sealed_token, t.token_set_at,
          t.created_at, t.updated_at, r.github_org || '/' || r.repo_name AS repository
        FROM trackers t LEFT JOIN repositories r ON r.id = t.repository_id
        WHERE t.workspace_id = ${workspace_id} AND r.deleted_at IS NULL`

    const list = (request: {
      readonly workspace_id: WorkspaceId
      readonly after: Position | null
      readonly limit: number
    }) =>
      rows(
        TrackerRow,
        sql`${trackersOf(request.workspace_id)} AND ${oldestFirst.after(request.after)}
          ORDER BY ${oldestFirst.by} LIMIT ${request.limit + 1}`
      )

    /** Those that a repository's tickets may be in: its own, then the workspace's. */
    const serving = ({ workspace_id, repository_id }: Level & { readonly repository_id: RepositoryId }) =>
      rows(
        TrackerRow,
        sql`${trackersOf(workspace_id)} AND (t.repository_id = ${repository_id} OR t.repository_id IS NULL)
          ORDER BY t.repository_id NULLS LAST`
      )

    /** Trackers of a workspace are set one at a time. */
    const lockTrackersOf = (workspace_id: WorkspaceId) =>
      run(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`assay/trackers/${workspace_id}`}, 0))`)

    const ofLevel = ({ workspace_id, repository_id }: Level) =>
      firstRow(
        TrackerRow,
        sql`${trackersOf(workspace_id)} AND t.repository_id IS NOT DISTINCT FROM ${repository_id}::uuid`
      )

    /** Where the repositories of the workspace are cloned from. */
    const cloneUrls = (workspace_id: WorkspaceId) =>
      rows(
        CloneUrl,
        sql`SELECT DISTINCT clone_url FROM repositories WHERE workspace_id = ${workspace_id} AND deleted_at IS NULL`
      )

    const insert = (tracker: Level & Omit<TrackerRow, "repository">) =>
      run(sql`INSERT INTO trackers ${sql.insert({ ...tracker })}`)

    const update = ({ id, workspace_id, ...tracker }: Level & Omit<TrackerRow, "repository" | "created_at">) =>
      run(sql`UPDATE trackers SET kind = ${tracker.kind}, base_url = ${tracker.base_url}, project = ${tracker.project},
          email = ${tracker.email}, sealed_token = ${tracker.sealed_token}, token_set_at = ${tracker.token_set_at},
          updated_at = ${tracker.updated_at}
        WHERE workspace_id = ${workspace_id} AND id = ${id}`)

    const remove = ({ workspace_id, id }: { readonly workspace_id: WorkspaceId; readonly id: TrackerId }) =>
      run(sql`DELETE FROM trackers WHERE workspace_id = ${workspace_id} AND id = ${id}`)

    return { list, serving, lockTrackersOf, ofLevel, cloneUrls, insert, update, remove }
  })
}) {}
