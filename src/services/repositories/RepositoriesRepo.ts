import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { Repository, RepositoryPath } from "../../schema/Repository.ts"

export interface NewRepository extends RepositoryPath {
  readonly id: string
  readonly workspace_id: string
  readonly access_mode: Repository["access_mode"]
  readonly clone_url: string
  readonly default_branch: string | null
  readonly head_sha: string
  readonly created_at: string
}

type Addressed = RepositoryPath & { readonly workspace_id: string }

export class RepositoriesRepo extends Effect.Service<RepositoriesRepo>()("RepositoriesRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const columns = sql.literal(`r.id, r.github_org, r.github_repo, r.github_base_branch, r.repo_name, r.access_mode,
      r.clone_url, r.default_branch, r.head_sha, r.last_audit_at, r.last_discovery_at,
      r.display_name, r.description, r.created_at, r.deleted_at,
      (SELECT jsonb_build_object(
          'P0', count(*) FILTER (WHERE o.priority = 'P0'), 'P1', count(*) FILTER (WHERE o.priority = 'P1'),
          'P2', count(*) FILTER (WHERE o.priority = 'P2'), 'P3', count(*) FILTER (WHERE o.priority = 'P3'))
        FROM observations o WHERE o.repository_id = r.id AND o.status = 'new') AS open_observations`)

    const one = <A, E, R>(rows: Effect.Effect<ReadonlyArray<A>, E, R>) =>
      Effect.map(Effect.orDie(rows), (found) => found[0] ?? null)

    const find = (path: Addressed) =>
      one(sql<Repository>`
        SELECT ${columns} FROM repositories r
        WHERE r.workspace_id = ${path.workspace_id} AND r.github_org = ${path.github_org}
          AND r.github_repo = ${path.github_repo} AND r.github_base_branch = ${path.github_base_branch}
          AND r.deleted_at IS NULL`)

    /** Live repositories of a slug; `github_org` null: of any owner. */
    const findBySlug = (request: {
      readonly workspace_id: string
      readonly repo_name: string
      readonly github_org: string | null
    }) =>
      Effect.orDie(
        sql<{ readonly id: string; readonly github_org: string }>`
          SELECT id, github_org FROM repositories
          WHERE workspace_id = ${request.workspace_id} AND repo_name = ${request.repo_name} AND deleted_at IS NULL
            AND (${request.github_org}::text IS NULL OR github_org = ${request.github_org})
          ORDER BY github_org`
      )

    const sourceOf = (request: { readonly workspace_id: string; readonly id: string }) =>
      one(sql<{ readonly clone_url: string; readonly branch: string }>`
        SELECT clone_url, github_base_branch AS branch FROM repositories
        WHERE workspace_id = ${request.workspace_id} AND id = ${request.id} AND deleted_at IS NULL`)

    const list = (request: {
      readonly workspace_id: string
      readonly after: readonly [string, string] | null
      readonly limit: number
    }) =>
      Effect.orDie(
        sql<Repository>`
          SELECT ${columns} FROM repositories r
          WHERE r.workspace_id = ${request.workspace_id} AND r.deleted_at IS NULL
            AND (${request.after?.[0] ?? null}::timestamptz IS NULL
              OR (r.created_at, r.id) < (${request.after?.[0] ?? null}, ${request.after?.[1] ?? null}::uuid))
          ORDER BY r.created_at DESC, r.id DESC LIMIT ${request.limit + 1}`
      )

    /** Makes the row, or brings a deleted one back with its history. `false` while a live one holds the name. */
    const insertOrRestore = (repository: NewRepository) =>
      Effect.map(
        Effect.orDie(
          sql`INSERT INTO repositories AS r ${sql.insert({ ...repository })}
            ON CONFLICT ON CONSTRAINT repositories_unique DO UPDATE SET deleted_at = NULL,
              access_mode = excluded.access_mode, clone_url = excluded.clone_url,
              default_branch = excluded.default_branch, head_sha = excluded.head_sha
            WHERE r.deleted_at IS NOT NULL RETURNING 1`
        ),
        (rows) => rows.length > 0
      )

    const update = (request: {
      readonly workspace_id: string
      readonly id: string
      readonly changes: Partial<
        Pick<Repository, "display_name" | "description" | "clone_url" | "access_mode" | "default_branch" | "head_sha">
      >
    }) =>
      Object.keys(request.changes).length === 0
        ? Effect.void
        : Effect.asVoid(
            Effect.orDie(
              sql`UPDATE repositories SET ${sql.update({ ...request.changes })}
                WHERE workspace_id = ${request.workspace_id} AND id = ${request.id}`
            )
          )

    const markDeleted = (path: Addressed & { readonly at: string }) =>
      one(sql<{ readonly id: string }>`
        UPDATE repositories SET deleted_at = ${path.at}
        WHERE workspace_id = ${path.workspace_id} AND github_org = ${path.github_org}
          AND github_repo = ${path.github_repo} AND github_base_branch = ${path.github_base_branch}
          AND deleted_at IS NULL RETURNING id`)

    const setHead = (request: {
      readonly workspace_id: string
      readonly id: string
      readonly head_sha: string
      readonly default_branch: string | null
    }) =>
      Effect.orDie(
        sql`UPDATE repositories SET head_sha = ${request.head_sha}, default_branch = ${request.default_branch}
          WHERE workspace_id = ${request.workspace_id} AND id = ${request.id}`
      )

    const isDiscoveryPaused = (workspaceId: string) =>
      Effect.map(
        one(
          sql<{ readonly paused: boolean }>`SELECT discovery_paused AS paused FROM workspaces WHERE id = ${workspaceId}`
        ),
        (row) => row?.paused ?? false
      )

    return { isDiscoveryPaused, find, findBySlug, sourceOf, list, insertOrRestore, update, markDeleted, setHead }
  })
}) {}
