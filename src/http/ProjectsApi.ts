import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { InvalidCursor, SessionRequired } from "../schema/Errors.ts"
import { projects } from "../schema/operations/index.ts"
import { page } from "../schema/Page.ts"
import {
  CreateProject,
  GrantRole,
  MemberNotFound,
  Project,
  ProjectMemberPath,
  ProjectMembers,
  ProjectNotFound,
  ProjectParentInvalid,
  ProjectPath,
  ProjectRepository,
  ProjectRepositoryPath,
  ProjectSlugTaken,
  ProjectsQuery,
  UpdateProject
} from "../schema/Project.ts"
import { Authorization } from "./Authorization.ts"
import { ProjectChangeErrors, RepositoryErrors } from "./errors.ts"
import { onWire, serves } from "./wire.ts"

export const ProjectsPage = page("ProjectsPage", Project)

export const ProjectsApi = HttpApiGroup.make("projects")
  .add(
    HttpApiEndpoint.get("list", "/api/projects")
      .annotateContext(serves(projects.listProjects))
      .setUrlParams(ProjectsQuery)
      .addSuccess(ProjectsPage)
      .addError(onWire(InvalidCursor, ProjectNotFound))
  )
  .add(
    HttpApiEndpoint.post("create", "/api/projects")
      .annotateContext(serves(projects.createProject))
      .setPayload(CreateProject)
      .addSuccess(Project, { status: 201 })
      .addError(ProjectChangeErrors)
      .addError(onWire(ProjectSlugTaken, ProjectParentInvalid))
  )
  .add(
    HttpApiEndpoint.get("get", "/api/projects/:slug")
      .annotateContext(serves(projects.readProject))
      .setPath(ProjectPath)
      .addSuccess(Project)
      .addError(onWire(ProjectNotFound))
  )
  .add(
    HttpApiEndpoint.patch("update", "/api/projects/:slug")
      .annotateContext(serves(projects.updateProject))
      .setPath(ProjectPath)
      .setPayload(UpdateProject)
      .addSuccess(Project)
      .addError(ProjectChangeErrors)
      .addError(onWire(ProjectParentInvalid))
  )
  .add(
    HttpApiEndpoint.post("addRepository", "/api/projects/:slug/repositories")
      .annotateContext(serves(projects.addRepository))
      .setPath(ProjectPath)
      .setPayload(ProjectRepository)
      .addSuccess(Project)
      .addError(ProjectChangeErrors)
      .addError(RepositoryErrors)
  )
  .add(
    HttpApiEndpoint.del(
      "removeRepository",
      "/api/projects/:slug/repositories/:github_org/:github_repo/:github_base_branch"
    )
      .annotateContext(serves(projects.removeRepository))
      .setPath(ProjectRepositoryPath)
      .addSuccess(Project)
      .addError(ProjectChangeErrors)
      .addError(RepositoryErrors)
  )
  .add(
    HttpApiEndpoint.get("members", "/api/projects/:slug/roles")
      .annotateContext(serves(projects.listMembers))
      .setPath(ProjectPath)
      .addSuccess(ProjectMembers)
      .addError(onWire(SessionRequired, ProjectNotFound))
  )
  .add(
    HttpApiEndpoint.put("grant", "/api/projects/:slug/roles")
      .annotateContext(serves(projects.grantRole))
      .setPath(ProjectPath)
      .setPayload(GrantRole)
      .addSuccess(ProjectMembers)
      .addError(ProjectChangeErrors)
      .addError(onWire(SessionRequired, MemberNotFound))
  )
  .add(
    HttpApiEndpoint.del("withdraw", "/api/projects/:slug/roles/:user_id")
      .annotateContext(serves(projects.withdrawRole))
      .setPath(ProjectMemberPath)
      .addSuccess(HttpApiSchema.NoContent)
      .addError(ProjectChangeErrors)
      .addError(onWire(SessionRequired, MemberNotFound))
  )
  .annotate(OpenApi.Description, "Areas, spaces and projects: the repositories they hold, and roles on them.")
  .middleware(Authorization)
