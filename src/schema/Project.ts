import { Schema } from "effect"
import { apiError } from "./ApiError.ts"
import { closed, record } from "./closed.ts"
import { pageQuery } from "./Page.ts"
import { repositoryPath } from "./Repository.ts"
import { Instant, oneOf, optional, text, Uuid } from "./Text.ts"

/** Areas hold spaces and projects, spaces hold projects; all three can hold repositories, roles and context. */
export const ProjectKind = oneOf("area", "space", "project")
export type ProjectKind = typeof ProjectKind.Type

/** What a person may do at a level and below it. Admins of the workspace are managers everywhere. */
export const ProjectRole = oneOf("viewer", "editor", "manager")
export type ProjectRole = typeof ProjectRole.Type

export const maxSlug = 64
const slugPattern = "^[a-z0-9][a-z0-9-]*$"

export const ProjectSlug = text(1, maxSlug)
  .pipe(
    Schema.filter((s) =>
      new RegExp(slugPattern).test(s) ? undefined : "must be lower-case letters, digits and `-`, not starting with `-`"
    )
  )
  .annotations({ jsonSchema: { type: "string", minLength: 1, maxLength: maxSlug, pattern: slugPattern } })

export const ProjectPath = Schema.Struct({ slug: Schema.String })
export type ProjectPath = typeof ProjectPath.Type

const repositoryOfProject = {
  ...repositoryPath,
  repo_name: Schema.String.annotations({ description: "The slug `repo@branch`." })
}

export const Project = record("Project", {
  id: Uuid,
  slug: Schema.String,
  kind: ProjectKind,
  name: Schema.String,
  description: Schema.String,
  parent: Schema.NullOr(Schema.String).annotations({ description: "Slug of the level above; null at the top." }),
  ancestors: Schema.Array(Schema.String).annotations({ description: "Slugs of all levels above, the nearest first." }),
  repositories: Schema.Array(Schema.Struct(repositoryOfProject)),
  role: Schema.NullOr(ProjectRole).annotations({ description: "The caller's own, here or from a level above." }),
  created_at: Instant,
  updated_at: Instant
})
export type Project = typeof Project.Type

const name = text(1, 200)
const description = text(0, 2000)
const parent = Schema.NullOr(Schema.String).annotations({
  jsonSchema: { type: ["string", "null"], description: "Slug of an area or a space; null: at the top." }
})

export const newProject = {
  name,
  kind: optional(ProjectKind.annotations({ description: "Default `project`." })),
  slug: optional(ProjectSlug.annotations({ description: "Default: made from the name." })),
  description: optional(description),
  parent: optional(parent)
}
export const CreateProject = closed(newProject, "CreateProjectRequest")
export type CreateProject = typeof CreateProject.Type

export const projectChanges = { name: optional(name), description: optional(description), parent: optional(parent) }
export const UpdateProject = closed(projectChanges, "UpdateProjectRequest")
export type UpdateProject = typeof UpdateProject.Type

export const projectFilters = {
  kind: optional(ProjectKind),
  parent: optional(Schema.String.annotations({ description: "Only what lies directly below this slug." }))
}
export const ProjectsQuery = closed({ ...projectFilters, ...pageQuery })
export type ProjectsQuery = typeof ProjectsQuery.Type

export const ProjectRepository = closed(repositoryPath, "ProjectRepositoryRequest")

export const ProjectRepositoryPath = Schema.Struct({ slug: Schema.String, ...repositoryPath })

export const ProjectMember = record("ProjectMember", {
  user_id: Uuid,
  email: Schema.String,
  role: ProjectRole,
  granted_at: Instant
})
export type ProjectMember = typeof ProjectMember.Type

export const GrantRole = closed({ email: text(3, 320), role: ProjectRole }, "GrantProjectRoleRequest")
export type GrantRole = typeof GrantRole.Type

export const ProjectMemberPath = Schema.Struct({ slug: Schema.String, user_id: Uuid })
export const ProjectMembers = Schema.Struct({ data: Schema.Array(ProjectMember) }).annotations({
  identifier: "ProjectMembers"
})

export class ProjectNotFound extends apiError("ProjectNotFound", {
  status: 404,
  type: "not_found",
  code: "project_not_found"
}) {}
export class ProjectSlugTaken extends apiError("ProjectSlugTaken", {
  status: 409,
  type: "conflict",
  code: "slug_taken"
}) {}
export class ProjectAccessRequired extends apiError("ProjectAccessRequired", {
  status: 403,
  type: "permission_error",
  code: "project_access_required"
}) {}
export class ProjectParentInvalid extends apiError("ProjectParentInvalid", {
  status: 422,
  type: "invalid_request_error",
  code: "parent_invalid"
}) {}
export class MemberNotFound extends apiError("MemberNotFound", {
  status: 404,
  type: "not_found",
  code: "not_found"
}) {}
