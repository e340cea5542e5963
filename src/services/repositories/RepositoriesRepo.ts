import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { RepositoryId, WorkspaceId } from "../../schema/Ids.ts"
import { AccessMode, Repository, RepositoryPath } from "../../schema/Repository.ts"
import { keyset, type Position } from "../support/keyset.ts"
import { firstRow, hasRow, onlyRow, rows, run } from "../support/rows.ts"

export interface NewRepository extends RepositoryPath {
  readonly id: RepositoryId
  readonly workspace_id: WorkspaceId
  readonly access_mode: Repository["access_mode"]
  readonly installation_status: Repository["installation_status"]
  readonly clone_url: string
  readonly default_branch: string | null
  readonly head_sha: string
  readonly created_at: string
}

type Addressed = RepositoryPath & { readonly workspace_id: WorkspaceId }

const OwnedSlug = Schema.Struct({ id: RepositoryId, github_org: Schema.String })
const Source = Schema.Struct({
  path: RepositoryPath,
  clone_url: Schema.String,
  branch: Schema.String,
  access_mode: AccessMode
})
const Deleted = Schema.Struct({ id: RepositoryId })
const DiscoveryState = Schema.Struct({ paused: Schema.Boolean })
const newestFirst = keyset("DESC", { "r.created_at": "timestamptz", "r.id": "uuid" })

export class RepositoriesRepo extends Effect.Service<RepositoriesRepo>()("RepositoriesRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const columns = sql.literal(`r.id, r.github_org, r.github_repo, r.github_base_branch, r.repo_name, r.access_mode,
      r.clone_url, r.default_branch, r.head_sha, r.last_audit_at, r.last_discovery_at,
      r.display_name, r.description, r.visibility, r.installation_status, r.auto_review, r.created_at, r.deleted_at,
      (SELECT jsonb_build_object(
          'P0', coalesce(sum(o.count) FILTER (WHERE o.priority = 'P0'), 0),
          'P1', coalesce(sum(o.count) FILTER (WHERE o.priority = 'P1'), 0),
          'P2', coalesce(sum(o.count) FILTER (WHERE o.priority = 'P2'), 0),
          'P3', coalesce(sum(o.count) FILTER (WHERE o.priority = 'P3'), 0))
        FROM observation_counts o WHERE o.repository_id = r.id AND o.status = 'new') AS open_observations`)

    const find = (path: Addressed) =>
      firstRow(
        Repository,
        sql`
        SELECT ${columns} FROM repositories r
        WHERE r.workspace_id = ${path.workspace_id} AND r.github_org = ${path.github_org}
          AND r.github_repo = ${path.github_repo} AND r.github_base_branch = ${path.github_base_branch}
          AND r.deleted_at IS NULL`
      )

    /** Live repositories of a slug; `github_org` null: of any owner. */
    const findBySlug = (request: {
      readonly workspace_id: WorkspaceId
      readonly repo_name: string
      readonly github_org: string | null
    }) =>
      rows(
        OwnedSlug,
        sql`/* prepared */
          SELECT id, github_org FROM repositories
          WHERE workspace_id = ${request.workspace_id} AND repo_name = ${request.repo_name} AND deleted_at IS NULL
            AND (${request.github_org}::text IS NULL OR github_org = ${request.github_org})
          ORDER BY github_org`
      )

    const sourceOf = (request: { readonly workspace_id: WorkspaceId; readonly id: RepositoryId }) =>
      firstRow(
        Source,
        sql`
        SELECT clone_url, github_base_branch AS branch, access_mode, jsonb_build_object('github_org', github_org,
            'github_repo', github_repo, 'github_base_branch', github_base_branch) AS path
        FROM repositories
        WHERE workspace_id = ${request.workspace_id} AND id = ${request.id} AND deleted_at IS NULL`
      )

    const list = (request: {
      readonly workspace_id: WorkspaceId
      readonly after: Position | null
      readonly limit: number
    }) =>
      rows(
        Repository,
        sql`
          SELECT ${columns} FROM repositories r
          WHERE r.workspace_id = ${request.workspace_id} AND r.deleted_at IS NULL
            AND ${newestFirst.after(request.after)}
          ORDER BY ${newestFirst.by} LIMIT ${request.limit + 1}`
      )

    /**
     * Makes the row, or brings a deleted one back with its history. `false` while a live one holds the name, or one that
     * is among `hidden`: to the caller it is as live as any.
     */
    const insertOrRestore = (repository: NewRepository, hidden: ReadonlyArray<RepositoryId>) =>
      hasRow(sql`INSERT INTO repositories AS r ${sql.insert({ ...repository })}
            ON CONFLICT ON CONSTRAINT repositories_unique DO UPDATE SET deleted_at = NULL,
              access_mode = excluded.access_mode, clone_url = excluded.clone_url,
              installation_status = excluded.installation_status,
              default_branch = excluded.default_branch, head_sha = excluded.head_sha
            WHERE r.deleted_at IS NOT NULL AND r.id <> ALL (${[...hidden]}::uuid[]) RETURNING 1`)

    const update = (request: {
      readonly workspace_id: WorkspaceId
      readonly id: RepositoryId
      readonly changes: Partial<
        Pick<
          Repository,
          | "display_name"
          | "description"
          | "visibility"
          | "clone_url"
          | "access_mode"
          | "installation_status"
          | "auto_review"
          | "default_branch"
          | "head_sha"
        >
      >
    }) =>
      Object.keys(request.changes).length === 0
        ? Effect.void
        : run(sql`UPDATE repositories SET ${sql.update({ ...request.changes })}
                WHERE workspace_id = ${request.workspace_id} AND id = ${request.id}`)

    const markDeleted = (path: Addressed & { readonly at: string }) =>
      firstRow(
        Deleted,
        sql`
        UPDATE repositories SET deleted_at = ${path.at}
        WHERE workspace_id = ${path.workspace_id} AND github_org = ${path.github_org}
          AND github_repo = ${path.github_repo} AND github_base_branch = ${path.github_base_branch}
          AND deleted_at IS NULL RETURNING id`
      )

    const setHead = (request: {
      readonly workspace_id: WorkspaceId
      readonly id: RepositoryId
      readonly head_sha: string
      readonly default_branch: string | null
    }) =>
      run(sql`UPDATE repositories SET head_sha = ${request.head_sha}, default_branch = ${request.default_branch}
          WHERE workspace_id = ${request.workspace_id} AND id = ${request.id}`)

    const isDiscoveryPaused = (workspaceId: WorkspaceId) =>
      Effect.map(
        onlyRow(DiscoveryState, sql`SELECT discovery_paused AS paused FROM workspaces WHERE id = ${workspaceId}`),
        ({ paused }) => paused
      )

    /** Stays as it is until the transaction ends: as the admission of a job of it has it. */
    const share = ({ workspace_id, id }: { readonly workspace_id: WorkspaceId; readonly id: RepositoryId }) =>
      run(sql`SELECT 1 FROM repositories WHERE workspace_id = ${workspace_id} AND id = ${id} FOR SHARE`)

    return { isDiscoveryPaused, find, findBySlug, sourceOf, list, insertOrRestore, update, markDeleted, setHead, share }
  })
}) {}
