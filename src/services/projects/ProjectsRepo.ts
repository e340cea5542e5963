import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { Project, ProjectKind, ProjectMember, ProjectRole } from "../../schema/Project.ts"

/** A project as the tables have it: with every role that the person asked for has along its line. */
export interface ProjectRow extends Omit<Project, "role" | "parent"> {
  readonly roles: ReadonlyArray<ProjectRole>
  /** Ids of the levels above, the nearest first. */
  readonly ancestor_ids: ReadonlyArray<string>
}

export interface NewProject {
  readonly id: string
  readonly workspace_id: string
  readonly kind: ProjectKind
  readonly slug: string
  readonly name: string
  readonly description: string
  readonly parent_id: string | null
  readonly created_at: string
}

interface Asked {
  readonly workspace_id: string
  readonly user_id: string
}

export class ProjectsRepo extends Effect.Service<ProjectsRepo>()("ProjectsRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const projects = (user_id: string) => sql`
      SELECT p.id, p.slug, p.kind, p.name, p.description, line.ancestors, line.ancestor_ids, p.created_at, p.updated_at,
        ARRAY(SELECT r.role FROM project_roles r
          WHERE r.user_id = ${user_id} AND r.project_id = ANY (line.ancestor_ids || p.id)) AS roles,
        coalesce((SELECT jsonb_agg(jsonb_build_object('github_org', r.github_org, 'github_repo', r.github_repo,
              'github_base_branch', r.github_base_branch, 'repo_name', r.repo_name)
            ORDER BY r.github_org, r.repo_name)
          FROM project_repositories m JOIN repositories r ON r.id = m.repository_id
          WHERE m.project_id = p.id AND r.deleted_at IS NULL), '[]') AS repositories
      FROM projects p CROSS JOIN LATERAL (
        WITH RECURSIVE up AS (
          SELECT q.id, q.slug, q.parent_id, 1 AS distance FROM projects q WHERE q.id = p.parent_id
          UNION ALL
          SELECT q.id, q.slug, q.parent_id, up.distance + 1 FROM projects q JOIN up ON q.id = up.parent_id
        )
        SELECT coalesce(array_agg(slug ORDER BY distance), '{}') AS ancestors,
          coalesce(array_agg(id ORDER BY distance), '{}') AS ancestor_ids FROM up
      ) line`

    const find = ({ workspace_id, user_id, slug }: Asked & { readonly slug: string }) =>
      Effect.map(
        Effect.orDie(sql<ProjectRow>`${projects(user_id)} WHERE p.workspace_id = ${workspace_id} AND p.slug = ${slug}`),
        (rows) => rows[0] ?? null
      )

    const list = (
      request: Asked & {
        readonly kind: ProjectKind | null
        readonly parent_id: string | null
        readonly after: readonly [string, string] | null
        readonly limit: number
      }
    ) =>
      Effect.orDie(
        sql<ProjectRow>`${projects(request.user_id)}
          WHERE p.workspace_id = ${request.workspace_id}
            AND (${request.kind}::text IS NULL OR p.kind = ${request.kind})
            AND (${request.parent_id}::uuid IS NULL OR p.parent_id = ${request.parent_id})
            AND (${request.after?.[0] ?? null}::timestamptz IS NULL
              OR (p.created_at, p.id) < (${request.after?.[0] ?? null}, ${request.after?.[1] ?? null}::uuid))
          ORDER BY p.created_at DESC, p.id DESC LIMIT ${request.limit + 1}`
      )

    /** `false` when the slug is taken. */
    const insert = (project: NewProject) =>
      Effect.map(
        Effect.orDie(
          sql`INSERT INTO projects ${sql.insert({ ...project, updated_at: project.created_at })}
            ON CONFLICT ON CONSTRAINT projects_slug_unique DO NOTHING RETURNING 1`
        ),
        (rows) => rows.length > 0
      )

    const update = (project: {
      readonly id: string
      readonly name: string
      readonly description: string
      readonly parent_id: string | null
      readonly at: string
    }) =>
      Effect.orDie(
        sql`UPDATE projects SET name = ${project.name}, description = ${project.description},
            parent_id = ${project.parent_id}, updated_at = ${project.at}
          WHERE id = ${project.id}`
      )

    const addRepository = (member: {
      readonly project_id: string
      readonly repository_id: string
      readonly added_at: string
    }) => Effect.orDie(sql`INSERT INTO project_repositories ${sql.insert({ ...member })} ON CONFLICT DO NOTHING`)

    const removeRepository = (member: { readonly project_id: string; readonly repository_id: string }) =>
      Effect.orDie(
        sql`DELETE FROM project_repositories
          WHERE project_id = ${member.project_id} AND repository_id = ${member.repository_id}`
      )

    /** The levels that hold the repository themselves, the most specific first. */
    const holding = ({
      workspace_id,
      repository_id
    }: {
      readonly workspace_id: string
      readonly repository_id: string
    }) =>
      Effect.orDie(
        sql<{ readonly slug: string; readonly kind: ProjectKind }>`
          SELECT p.slug, p.kind FROM projects p JOIN project_repositories m ON m.project_id = p.id
          WHERE p.workspace_id = ${workspace_id} AND m.repository_id = ${repository_id}
          ORDER BY CASE p.kind WHEN 'project' THEN 0 WHEN 'space' THEN 1 ELSE 2 END, p.slug`
      )

    const members = (project_id: string) =>
      Effect.orDie(
        sql<ProjectMember>`
          SELECT r.user_id, u.email, r.role, r.granted_at FROM project_roles r JOIN users u ON u.id = r.user_id
          WHERE r.project_id = ${project_id} ORDER BY u.email`
      )

    const memberByEmail = ({ workspace_id, email }: { readonly workspace_id: string; readonly email: string }) =>
      Effect.map(
        Effect.orDie(
          sql<{ readonly user_id: string }>`
            SELECT u.id AS user_id FROM users u JOIN memberships m ON m.user_id = u.id
            WHERE m.workspace_id = ${workspace_id} AND u.email = lower(${email})`
        ),
        (rows) => rows[0]?.user_id ?? null
      )

    const grant = (role: {
      readonly project_id: string
      readonly workspace_id: string
      readonly user_id: string
      readonly role: ProjectRole
      readonly granted_at: string
    }) =>
      Effect.orDie(
        sql`INSERT INTO project_roles ${sql.insert({ ...role })}
          ON CONFLICT (project_id, user_id) DO UPDATE SET role = excluded.role, granted_at = excluded.granted_at`
      )

    const withdraw = ({ project_id, user_id }: { readonly project_id: string; readonly user_id: string }) =>
      Effect.map(
        Effect.orDie(
          sql`DELETE FROM project_roles WHERE project_id = ${project_id} AND user_id = ${user_id} RETURNING 1`
        ),
        (rows) => rows.length > 0
      )

    return {
      find,
      list,
      insert,
      update,
      addRepository,
      removeRepository,
      holding,
      members,
      memberByEmail,
      grant,
      withdraw
    }
  })
}) {}
