import { SqlClient } from "@effect/sql"
import { Effect, Option, Schema, Struct } from "effect"
import { ProjectId, RepositoryId, UserId, WorkspaceId } from "../../schema/Ids.ts"
import { Project, ProjectKind, ProjectMember, ProjectRole } from "../../schema/Project.ts"
import { keyset, type Position } from "../support/keyset.ts"
import { firstRow, hasRow, rows, run } from "../support/rows.ts"

/** A project as the tables have it: with every role that the person asked for has along its line. */
export const ProjectRow = Schema.Struct({
  ...Struct.omit(Project.fields, "role", "parent", "ancestors", "source_hidden"),
  /** Slugs of the levels above, the nearest first. */
  ancestors: Schema.Array(Schema.String),
  roles: Schema.Array(ProjectRole),
  /** Ids of the levels above, the nearest first. */
  ancestor_ids: Schema.Array(ProjectId)
})
export type ProjectRow = typeof ProjectRow.Type

export interface NewProject {
  readonly id: ProjectId
  readonly workspace_id: WorkspaceId
  readonly kind: ProjectKind
  readonly slug: string
  readonly name: string
  readonly description: string
  readonly parent_id: ProjectId | null
  readonly created_at: string
}

/** A repository of a project. */
interface Member {
  readonly workspace_id: WorkspaceId
  readonly project_id: ProjectId
  readonly repository_id: RepositoryId
}

interface Asked {
  readonly workspace_id: WorkspaceId
  readonly user_id: UserId
}

const newestFirst = keyset("DESC", { "p.created_at": "timestamptz", "p.id": "uuid" })

const Level = Schema.Struct({ slug: Schema.String, kind: ProjectKind })
const LevelId = Schema.Struct({ level: ProjectId })
const MemberId = Schema.Struct({ user_id: UserId })

export class ProjectsRepo extends Effect.Service<ProjectsRepo>()("ProjectsRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const projects = (user_id: UserId) => sql`
      SELECT p.id, p.slug, p.kind, p.name, p.description, p.close_on_merge, line.ancestors, line.ancestor_ids, p.created_at, p.updated_at,
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
      firstRow(
        ProjectRow,
        sql`/* prepared */ ${projects(user_id)} WHERE p.workspace_id = ${workspace_id} AND p.slug = ${slug}`
      )

    const list = (
      request: Asked & {
        readonly kind: ProjectKind | null
        readonly parent_id: ProjectId | null
        readonly hidden: ReadonlyArray<ProjectId>
        readonly after: Position | null
        readonly limit: number
      }
    ) =>
      rows(
        ProjectRow,
        sql`${projects(request.user_id)}
          WHERE p.workspace_id = ${request.workspace_id}
            AND (${request.kind}::text IS NULL OR p.kind = ${request.kind})
            AND (${request.parent_id}::uuid IS NULL OR p.parent_id = ${request.parent_id})
            AND p.id <> ALL (${[...request.hidden]}::uuid[])
            AND ${newestFirst.after(request.after)}
          ORDER BY ${newestFirst.by} LIMIT ${request.limit + 1}`
      )

    /**
     * The levels that hold repositories, themselves or below, and none that the caller may see. One of which only a deleted
     * repository can be seen is among them.
     */
    const hiddenLevels = (request: {
      readonly workspace_id: WorkspaceId
      readonly hidden_repositories: ReadonlyArray<RepositoryId>
    }) =>
      Effect.map(
        rows(
          LevelId,
          sql`
            WITH RECURSIVE below AS (
              SELECT id AS level, id AS within FROM projects WHERE workspace_id = ${request.workspace_id}
              UNION ALL
              SELECT b.level, p.id FROM below b JOIN projects p ON p.parent_id = b.within
            )
            SELECT b.level FROM below b JOIN project_repositories m ON m.project_id = b.within
              LEFT JOIN unnest(${[...request.hidden_repositories]}::uuid[]) h(id) ON h.id = m.repository_id
              LEFT JOIN repositories r ON r.id = m.repository_id AND r.deleted_at IS NULL AND h.id IS NULL
            GROUP BY b.level HAVING count(h.id) > 0 AND count(r.id) = 0`
        ),
        (found) => found.map(({ level }) => level)
      )

    /** `false` when the slug is taken. */
    const insert = (project: NewProject) =>
      hasRow(sql`INSERT INTO projects ${sql.insert({ ...project, updated_at: project.created_at })}
            ON CONFLICT ON CONSTRAINT projects_slug_unique DO NOTHING RETURNING 1`)

    const update = (project: {
      readonly workspace_id: WorkspaceId
      readonly id: ProjectId
      readonly name: string
      readonly description: string
      readonly parent_id: ProjectId | null
      readonly close_on_merge: boolean
      readonly at: string
    }) =>
      run(sql`UPDATE projects SET name = ${project.name}, description = ${project.description},
            parent_id = ${project.parent_id}, close_on_merge = ${project.close_on_merge}, updated_at = ${project.at}
          WHERE workspace_id = ${project.workspace_id} AND id = ${project.id}`)

    const addRepository = (member: Member & { readonly added_at: string }) =>
      hasRow(sql`INSERT INTO project_repositories (project_id, repository_id, added_at)
        SELECT p.id, ${member.repository_id}::uuid, ${member.added_at}::timestamptz FROM projects p
        WHERE p.workspace_id = ${member.workspace_id} AND p.id = ${member.project_id} ON CONFLICT DO NOTHING
        RETURNING 1`)

    const removeRepository = (member: Member) =>
      hasRow(sql`DELETE FROM project_repositories
          WHERE project_id = (SELECT id FROM projects
              WHERE workspace_id = ${member.workspace_id} AND id = ${member.project_id})
            AND repository_id = ${member.repository_id} RETURNING 1`)

    /** The levels that hold the repository themselves, the most specific first. */
    const holding = ({
      workspace_id,
      repository_id
    }: {
      readonly workspace_id: WorkspaceId
      readonly repository_id: RepositoryId
    }) =>
      rows(
        Level,
        sql`
          SELECT p.slug, p.kind FROM projects p JOIN project_repositories m ON m.project_id = p.id
          WHERE p.workspace_id = ${workspace_id} AND m.repository_id = ${repository_id}
          ORDER BY CASE p.kind WHEN 'project' THEN 0 WHEN 'space' THEN 1 ELSE 2 END, p.slug`
      )

    const members = ({
      workspace_id,
      project_id
    }: {
      readonly workspace_id: WorkspaceId
      readonly project_id: ProjectId
    }) =>
      rows(
        ProjectMember,
        sql`
          SELECT r.user_id, u.email, r.role, r.granted_at FROM project_roles r JOIN users u ON u.id = r.user_id
          WHERE r.workspace_id = ${workspace_id} AND r.project_id = ${project_id} ORDER BY u.email`
      )

    const memberByEmail = ({ workspace_id, email }: { readonly workspace_id: WorkspaceId; readonly email: string }) =>
      Effect.map(
        firstRow(
          MemberId,
          sql`
            SELECT u.id AS user_id FROM users u JOIN memberships m ON m.user_id = u.id
            WHERE m.workspace_id = ${workspace_id} AND u.email = lower(${email})`
        ),
        Option.map((row) => row.user_id)
      )

    const grant = (role: {
      readonly project_id: ProjectId
      readonly workspace_id: WorkspaceId
      readonly user_id: UserId
      readonly role: ProjectRole
      readonly granted_at: string
    }) =>
      run(sql`INSERT INTO project_roles ${sql.insert({ ...role })}
          ON CONFLICT (project_id, user_id) DO UPDATE SET role = excluded.role, granted_at = excluded.granted_at`)

    const withdraw = ({
      workspace_id,
      project_id,
      user_id
    }: {
      readonly workspace_id: WorkspaceId
      readonly project_id: ProjectId
      readonly user_id: UserId
    }) =>
      hasRow(sql`DELETE FROM project_roles
            WHERE workspace_id = ${workspace_id} AND project_id = ${project_id} AND user_id = ${user_id} RETURNING 1`)

    return {
      find,
      list,
      hiddenLevels,
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
