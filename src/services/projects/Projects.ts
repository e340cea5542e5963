import { SqlClient } from "@effect/sql"
import { Effect, Option } from "effect"
import { InvalidPayload } from "../../schema/Errors.ts"
import { ProjectId, type UserId } from "../../schema/Ids.ts"
import { defaultPageSize } from "../../schema/Page.ts"
import {
  type CreateProject,
  type GrantRole,
  MemberNotFound,
  maxSlug,
  type Project,
  ProjectAccessRequired,
  type ProjectKind,
  ProjectNotFound,
  ProjectParentInvalid,
  type ProjectRole,
  ProjectSlugTaken,
  type ProjectsQuery,
  type UpdateProject
} from "../../schema/Project.ts"
import { fullSlugOf, type RepositoryPath } from "../../schema/Repository.ts"
import { Caller, type CallerInfo, personOf } from "../access/Caller.ts"
import { Cursors } from "../access/Cursors.ts"
import { managesWorkspace } from "../access/roles.ts"
import { AuditLog } from "../audit_log/AuditLog.ts"
import { Repositories } from "../repositories/Repositories.ts"
import { newId } from "../support/ids.ts"
import { now } from "../support/now.ts"
import { transactional } from "../support/transactional.ts"
import { type ProjectRow, ProjectsRepo } from "./ProjectsRepo.ts"

/** A level, and whether all repositories that it and the levels below hold are hidden from the caller. */
export interface LineLevel {
  readonly id: ProjectId
  readonly slug: string
  readonly hidden: boolean
}

type Hidden = ReadonlySet<ProjectId>

/** An area, a space or a project as rules about levels need it. */
export interface Level {
  readonly id: ProjectId
  readonly slug: string
  readonly kind: ProjectKind
  /** Ids and slugs from the level itself upwards. */
  readonly line: ReadonlyArray<LineLevel>
  /** What the caller, or the creator of the caller's key, may do here. */
  readonly role: ProjectRole | null
}

/** Areas, spaces and projects: the levels that hold repositories, roles and context. */
export class Projects extends Effect.Service<Projects>()("Projects", {
  effect: Effect.gen(function* () {
    const repo = yield* ProjectsRepo
    const repositories = yield* Repositories
    const cursors = yield* Cursors
    const auditLog = yield* AuditLog
    const inTransaction = transactional(yield* SqlClient.SqlClient)

    /** Levels that the caller may not know of. */
    const hiddenLevels = Effect.fn("Projects.hiddenLevels")(function* () {
      const { workspace_id, hidden_repositories } = yield* Caller
      if (hidden_repositories.length === 0) return []
      return yield* repo.hiddenLevels({ workspace_id, hidden_repositories })
    })

    // A hidden level takes as many statements as one that does not exist.
    const rowOf = Effect.fnUntraced(function* (slug: string) {
      const caller = yield* Caller
      const hidden: Hidden = new Set(yield* hiddenLevels())
      const row = yield* repo.find({ workspace_id: caller.workspace_id, user_id: personOf(caller).user_id, slug })
      if (Option.isNone(row) || hidden.has(row.value.id)) {
        return yield* new ProjectNotFound({ message: `No area, space or project ${slug}.` })
      }
      return { row: row.value, hidden }
    })

    const get = Effect.fn("Projects.get")(function* (slug: string) {
      const { row, hidden } = yield* rowOf(slug)
      return projectOf(row, hidden, yield* Caller)
    })

    const level = Effect.fn("Projects.level")(function* (slug: string) {
      const { row, hidden } = yield* rowOf(slug)
      return levelOf(row, hidden, yield* Caller)
    })

    const list = Effect.fn("Projects.list")(function* ({ limit = defaultPageSize, cursor, ...filters }: ProjectsQuery) {
      const caller = yield* Caller
      const below = filters.parent === undefined ? null : yield* level(filters.parent)
      const hidden = yield* hiddenLevels()
      const after = yield* cursors.open("projects", filters, cursor)
      const rows = yield* repo.list({
        workspace_id: caller.workspace_id,
        user_id: personOf(caller).user_id,
        kind: filters.kind ?? null,
        parent_id: below?.id ?? null,
        hidden,
        after,
        limit
      })
      const page = yield* cursors.page("projects", filters, limit, rows, (row) => [row.created_at, row.id])
      const hiddenIds: Hidden = new Set(hidden)
      return { ...page, data: page.data.map((row) => projectOf(row, hiddenIds, caller)) }
    })

    /** The level above, when a level of `kind` may lie below it and the caller may put it there. */
    const parentFor = Effect.fnUntraced(function* (kind: ProjectKind, parent: string | null) {
      if (parent === null) {
        yield* requireWorkspaceManager
        return null
      }
      const above = yield* level(parent)
      if (depth[above.kind] >= depth[kind]) {
        return yield* new ProjectParentInvalid({
          message: `A ${kind} cannot lie below the ${above.kind} ${above.slug}.`,
          param: "parent"
        })
      }
      yield* requireRole(above, "manager")
      return above
    })

    const create = Effect.fn("Projects.create")(function* (request: CreateProject) {
      const { workspace_id } = yield* Caller
      const kind = request.kind ?? "project"
      const slug = request.slug ?? slugOf(request.name)
      if (slug === "") {
        return yield* new InvalidPayload({
          message: "The name has no letters a slug could be made from; send slug.",
          param: "slug"
        })
      }
      const parent = yield* parentFor(kind, request.parent ?? null)
      const inserted = yield* repo.insert({
        id: yield* newId(ProjectId),
        workspace_id,
        kind,
        slug,
        name: request.name,
        description: request.description ?? "",
        parent_id: parent?.id ?? null,
        created_at: yield* now
      })
      if (!inserted) {
        return yield* new ProjectSlugTaken({ message: `The slug ${slug} is taken; choose another.`, param: "slug" })
      }
      const project = yield* get(slug)
      yield* auditLog.record({ object: { kind: "project", ref: slug }, before: null, after: loggedOf(project) })
      return project
    }, inTransaction)

    const update = Effect.fn("Projects.update")(function* (slug: string, changes: UpdateProject) {
      const { row, hidden } = yield* rowOf(slug)
      const at = levelOf(row, hidden, yield* Caller)
      yield* requireRole(at, "manager")
      // To send back what was read moves nothing, even where the level above is hidden.
      const moves = changes.parent !== undefined && changes.parent !== (slugsAbove(at)[0] ?? null)
      const parent_id = moves
        ? ((yield* parentFor(row.kind, changes.parent ?? null))?.id ?? null)
        : (row.ancestor_ids[0] ?? null)
      yield* repo.update({
        workspace_id: (yield* Caller).workspace_id,
        id: row.id,
        name: changes.name ?? row.name,
        description: changes.description ?? row.description,
        parent_id,
        close_on_merge: changes.close_on_merge ?? row.close_on_merge,
        at: yield* now
      })
      const project = yield* get(slug)
      const before = loggedOf(projectOf(row, hidden, yield* Caller))
      yield* auditLog.record({ object: { kind: "project", ref: slug }, before, after: loggedOf(project) })
      return project
    }, inTransaction)

    const addRepository = Effect.fn("Projects.addRepository")(function* (slug: string, path: RepositoryPath) {
      const { workspace_id } = yield* Caller
      const at = yield* level(slug)
      yield* requireRole(at, "manager")
      const { id } = yield* repositories.find(path)
      const target = { workspace_id, project_id: at.id, repository_id: id }
      if (yield* repo.addRepository({ ...target, added_at: yield* now })) {
        const after = { added_repository: fullSlugOf(path) }
        yield* auditLog.record({ object: { kind: "project", ref: slug }, before: null, after })
      }
      return yield* get(slug)
    }, inTransaction)

    const removeRepository = Effect.fn("Projects.removeRepository")(function* (slug: string, path: RepositoryPath) {
      const { workspace_id } = yield* Caller
      const at = yield* level(slug)
      yield* requireRole(at, "manager")
      const { id } = yield* repositories.find(path)
      if (yield* repo.removeRepository({ workspace_id, project_id: at.id, repository_id: id })) {
        const after = { removed_repository: fullSlugOf(path) }
        yield* auditLog.record({ object: { kind: "project", ref: slug }, before: null, after })
      }
      return yield* get(slug)
    }, inTransaction)

    /** Slugs of the most specific levels that hold a repository: one, none, or several of the same kind. */
    const mostSpecificFor = Effect.fn("Projects.mostSpecificFor")(function* (path: RepositoryPath) {
      const { workspace_id } = yield* Caller
      const { id, repo_name } = yield* repositories.find(path)
      const holding = yield* repo.holding({ workspace_id, repository_id: id })
      return { repo_name, slugs: holding.filter(({ kind }) => kind === holding[0]?.kind).map(({ slug }) => slug) }
    })

    const members = Effect.fn("Projects.members")(function* (slug: string) {
      const { workspace_id } = yield* Caller
      return { data: yield* repo.members({ workspace_id, project_id: (yield* level(slug)).id }) }
    })

    /** The role that a member was granted on the level itself. */
    const roleHeld = Effect.fnUntraced(function* (project_id: ProjectId, user_id: UserId) {
      const { workspace_id } = yield* Caller
      const member = (yield* repo.members({ workspace_id, project_id })).find((one) => one.user_id === user_id)
      return member === undefined ? null : { email: member.email, role: member.role }
    })

    const grant = Effect.fn("Projects.grant")(function* (slug: string, { email, role }: GrantRole) {
      const { workspace_id } = yield* Caller
      const at = yield* level(slug)
      yield* requireRole(at, "manager")
      const user_id = yield* repo.memberByEmail({ workspace_id, email })
      if (Option.isNone(user_id)) {
        return yield* new MemberNotFound({ message: `${email} is not a member of this workspace.`, param: "email" })
      }
      const held = yield* roleHeld(at.id, user_id.value)
      yield* repo.grant({ project_id: at.id, workspace_id, user_id: user_id.value, role, granted_at: yield* now })
      const data = yield* repo.members({ workspace_id, project_id: at.id })
      yield* auditLog.record({
        object: { kind: "project_role", ref: `${slug}/${user_id.value}` },
        before: held,
        after: yield* roleHeld(at.id, user_id.value)
      })
      return { data }
    }, inTransaction)

    const withdraw = Effect.fn("Projects.withdraw")(function* (slug: string, user_id: UserId) {
      const { workspace_id } = yield* Caller
      const at = yield* level(slug)
      yield* requireRole(at, "manager")
      const held = yield* roleHeld(at.id, user_id)
      if (!(yield* repo.withdraw({ workspace_id, project_id: at.id, user_id }))) {
        return yield* new MemberNotFound({ message: `${user_id} has no role on ${slug} itself.` })
      }
      yield* auditLog.record({
        object: { kind: "project_role", ref: `${slug}/${user_id}` },
        before: held,
        after: null
      })
    }, inTransaction)

    return {
      get,
      level,
      hiddenLevels,
      list,
      create,
      update,
      addRepository,
      removeRepository,
      mostSpecificFor,
      members,
      grant,
      withdraw
    }
  })
}) {}

const depth: Record<ProjectKind, number> = { area: 0, space: 1, project: 2 }
const rank: Record<ProjectRole, number> = { viewer: 0, editor: 1, manager: 2 }

const isWorkspaceManager = (caller: CallerInfo): boolean => {
  const { role } = personOf(caller)
  return role !== null && managesWorkspace(role)
}

// Roles are inherited downwards, and the widest along the line counts.
const roleOf = (roles: ReadonlyArray<ProjectRole>, caller: CallerInfo): ProjectRole | null =>
  isWorkspaceManager(caller)
    ? "manager"
    : roles.reduce<ProjectRole | null>(
        (widest, role) => (widest === null || rank[role] > rank[widest] ? role : widest),
        null
      )

/** Slugs of the levels above as the caller sees them, the nearest first. */
const slugsAbove = ({ line }: Level): ReadonlyArray<string | null> =>
  line.slice(1).map(({ slug, hidden }) => (hidden ? null : slug))

/** What people decide of a level, beside its repositories and roles. */
const loggedOf = ({ kind, slug, name, description, parent, close_on_merge }: Project) => ({
  kind,
  slug,
  name,
  description,
  parent,
  close_on_merge
})

const projectOf = (row: ProjectRow, hidden: Hidden, caller: CallerInfo): Project => {
  const { roles: _, ancestor_ids: __, ...shown } = row
  const level = levelOf(row, hidden, caller)
  const ancestors = slugsAbove(level)
  return {
    ...shown,
    parent: ancestors[0] ?? null,
    ancestors,
    source_hidden: level.line.some(({ hidden }) => hidden),
    role: level.role
  }
}

const levelOf = (row: ProjectRow, hidden: Hidden, caller: CallerInfo): Level => ({
  id: row.id,
  slug: row.slug,
  kind: row.kind,
  line: [
    { id: row.id, slug: row.slug, hidden: false },
    ...row.ancestor_ids.map((id, i) => ({ id, slug: row.ancestors[i] ?? "", hidden: hidden.has(id) }))
  ],
  role: roleOf(row.roles, caller)
})

/** Refuses a caller whose role on the level, or a level above it, is less than `required`. */
export const requireRole = (level: Level, required: ProjectRole): Effect.Effect<void, ProjectAccessRequired> =>
  level.role !== null && rank[level.role] >= rank[required]
    ? Effect.void
    : Effect.fail(
        new ProjectAccessRequired({
          message: `This needs the role ${required} on ${level.slug} or a level above it.`,
          details: { project: level.slug, required_role: required, role: level.role }
        })
      )

const requireWorkspaceManager = Effect.flatMap(Caller, (caller) =>
  isWorkspaceManager(caller)
    ? Effect.void
    : Effect.fail(new ProjectAccessRequired({ message: "Only admins of the workspace make levels at the top." }))
)

const slugOf = (name: string): string =>
  name
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, maxSlug)
    .replace(/-+$/, "")
