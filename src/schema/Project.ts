import { Schema } from "effect"
import { conflict, forbidden, notFound, unprocessable } from "./ApiError.ts"
import { closed, record } from "./closed.ts"
import { ProjectId, UserId } from "./Ids.ts"
import { pageQuery } from "./Page.ts"
import { RepoName, repositoryPath } from "./Repository.ts"
import { described, field, Instant, nullable, oneOf, optional, patterned, text } from "./Text.ts"

/** Areas hold spaces and projects, spaces hold projects; all three can hold repositories, roles and context. */
export const ProjectKind = oneOf("area", "space", "project")
export type ProjectKind = typeof ProjectKind.Type

/** What a person may do at a level and below it. Admins of the workspace are managers everywhere. */
export const ProjectRole = oneOf("viewer", "editor", "manager")
export type ProjectRole = typeof ProjectRole.Type

export const maxSlug = 64

export const ProjectSlug = patterned(
  1,
  maxSlug,
  /^[a-z0-9][a-z0-9-]*$/,
  "must be lower-case letters, digits and `-`, not starting with `-`"
)

const slugs = described(Schema.String, "Slug of an area, a space or a project.")

export const ProjectPath = Schema.Struct({ slug: slugs })
export type ProjectPath = typeof ProjectPath.Type

const repositoryOfProject = { ...repositoryPath, repo_name: RepoName }

export const Project = record(
  "Project",
  {
    id: field(ProjectId, "ID of the area, space or project."),
    slug: field(Schema.String, "Slug that addresses it."),
    kind: field(ProjectKind, "Areas hold spaces and projects; spaces hold projects."),
    name: field(Schema.String, "Name to show."),
    description: field(Schema.String, "Description; empty if there is none."),
    parent: nullable(Schema.String, "Slug of the level above; null at the top, and where that level is hidden."),
    ancestors: field(
      Schema.Array(Schema.NullOr(Schema.String)),
      "Slugs of all levels above, nearest first; null for one that is hidden."
    ),
    source_hidden: field(Schema.Boolean, "Whether a level above is hidden from the caller."),
    repositories: field(Schema.Array(Schema.Struct(repositoryOfProject)), "Repository branches that it holds itself."),
    close_on_merge: field(
      Schema.Boolean,
      "Whether its own issues are done once their pull requests are merged; otherwise they go to review."
    ),
    role: nullable(ProjectRole, "Role of the caller, from here or a level above; null for none."),
    created_at: field(Instant, "When it was created."),
    updated_at: field(Instant, "When it last changed.")
  },
  {
    id: ProjectId.make("01a1f84d-c1ea-70a9-a51e-fdfa95578d6f"),
    slug: "checkout",
    kind: "space",
    name: "Checkout",
    description: "",
    parent: "retail",
    ancestors: ["retail"],
    source_hidden: false,
    repositories: [],
    close_on_merge: false,
    role: "manager",
    created_at: "2026-11-20T09:30:00.120Z",
    updated_at: "2026-11-20T09:30:00.120Z"
  }
)
export type Project = typeof Project.Type

const name = field(text(1, 200), "Name to show, at most 200 characters.")
const rename = optional(text(1, 200), "Name to show, at most 200 characters.")
const description = optional(text(0, 2000), "Description, at most 2000 characters.")
const parent = optional(
  Schema.NullOr(Schema.String).annotations({ jsonSchema: { anyOf: [{ type: "string" }, { type: "null" }] } }),
  "Slug of the area or space above; null for the top."
)

export const newProject = {
  name,
  kind: optional(ProjectKind, "Areas hold spaces and projects, spaces hold projects; default `project`."),
  slug: optional(
    ProjectSlug,
    `Slug of at most ${maxSlug} lower-case letters, digits and \`-\`; default: derived from the name.`
  ),
  description,
  parent
}
export const CreateProject = closed(newProject, "CreateProjectRequest", {
  name: "Checkout",
  kind: "space",
  parent: "retail"
})
export type CreateProject = typeof CreateProject.Type

export const projectChanges = {
  name: rename,
  description,
  parent,
  close_on_merge: optional(Schema.Boolean, "Whether its own issues are done once their pull requests are merged.")
}
export const UpdateProject = closed(projectChanges, "UpdateProjectRequest", {
  description: "From the basket to the receipt."
})
export type UpdateProject = typeof UpdateProject.Type

export const projectFilters = {
  kind: optional(ProjectKind, "Only areas, only spaces or only projects."),
  parent: optional(Schema.String, "Only what lies directly below this slug.")
}
export const ProjectsQuery = closed({ ...projectFilters, ...pageQuery })
export type ProjectsQuery = typeof ProjectsQuery.Type

export const ProjectRepository = closed(repositoryPath, "ProjectRepositoryRequest", {
  github_org: "acme",
  github_repo: "shop",
  github_base_branch: "main"
})

export const ProjectRepositoryPath = Schema.Struct({ slug: slugs, ...repositoryPath })

export const ProjectMember = record("ProjectMember", {
  user_id: field(UserId, "ID of the member."),
  email: field(Schema.String, "E-mail address of the member."),
  role: field(ProjectRole, "Role of the member here and on all levels below."),
  granted_at: field(Instant, "When the role was granted.")
})
export type ProjectMember = typeof ProjectMember.Type

export const GrantRole = closed(
  {
    email: field(text(3, 320), "E-mail address of a member of the workspace."),
    role: field(ProjectRole, "Role to grant, here and on all levels below.")
  },
  "GrantProjectRoleRequest",
  { email: "grace@example.com", role: "editor" }
)
export type GrantRole = typeof GrantRole.Type

export const ProjectMemberPath = Schema.Struct({ slug: slugs, user_id: field(UserId, "ID of the member.") })
export const ProjectMembers = record("ProjectMembers", {
  data: field(Schema.Array(ProjectMember), "Members with a role granted here.")
})

export class ProjectNotFound extends notFound("ProjectNotFound", "project_not_found") {}
export class ProjectSlugTaken extends conflict("ProjectSlugTaken", "slug_taken") {}
export class ProjectAccessRequired extends forbidden("ProjectAccessRequired", "project_access_required") {}
export class ProjectParentInvalid extends unprocessable("ProjectParentInvalid", "parent_invalid") {}
export class MemberNotFound extends notFound("MemberNotFound", "not_found") {}
