import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "@effect/platform"
import { InvalidCursor, SessionRequired } from "../schema/Errors.ts"
import { projects } from "../schema/operations/index.ts"
import { page } from "../schema/Page.ts"
import {
  CreateProject,
  GrantRole,
  MemberNotFound,
  Project,
  ProjectAccessRequired,
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
import { RepositoryNotFound } from "../schema/Repository.ts"
import { Authorization } from "./Authorization.ts"
import { onWire, serves } from "./wire.ts"

export const ProjectsPage = page("ProjectsPage", Project)

export const ProjectsApi = HttpApiGroup.make("projects")
  .add(
    HttpApiEndpoint.get("list", "/api/projects")
      .annotateContext(serves(projects.listProjects))
      .setUrlParams(ProjectsQuery)
      .addSuccess(ProjectsPage)
      .addError(onWire(InvalidCursor))
      .addError(onWire(ProjectNotFound))
  )
  .add(
    HttpApiEndpoint.post("create", "/api/projects")
      .annotateContext(serves(projects.createProject))
      .setPayload(CreateProject)
      .addSuccess(Project, { status: 201 })
      .addError(onWire(ProjectNotFound))
      .addError(onWire(ProjectSlugTaken))
      .addError(onWire(ProjectParentInvalid))
      .addError(onWire(ProjectAccessRequired))
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
      .addError(onWire(ProjectNotFound))
      .addError(onWire(ProjectParentInvalid))
      .addError(onWire(ProjectAccessRequired))
  )
  .add(
    HttpApiEndpoint.post("addRepository", "/api/projects/:slug/repositories")
      .annotateContext(serves(projects.addRepository))
      .setPath(ProjectPath)
      .setPayload(ProjectRepository)
      .addSuccess(Project)
      .addError(onWire(ProjectNotFound))
      .addError(onWire(RepositoryNotFound))
      .addError(onWire(ProjectAccessRequired))
  )
  .add(
    HttpApiEndpoint.del(
      "removeRepository",
      "/api/projects/:slug/repositories/:github_org/:github_repo/:github_base_branch"
    )
      .annotateContext(serves(projects.removeRepository))
      .setPath(ProjectRepositoryPath)
      .addSuccess(Project)
      .addError(onWire(ProjectNotFound))
      .addError(onWire(RepositoryNotFound))
      .addError(onWire(ProjectAccessRequired))
  )
  .add(
    HttpApiEndpoint.get("members", "/api/projects/:slug/roles")
      .annotateContext(serves(projects.listMembers))
      .setPath(ProjectPath)
      .addSuccess(ProjectMembers)
      .addError(onWire(SessionRequired))
      .addError(onWire(ProjectNotFound))
  )
  .add(
    HttpApiEndpoint.put("grant", "/api/projects/:slug/roles")
      .annotateContext(serves(projects.grantRole))
      .setPath(ProjectPath)
      .setPayload(GrantRole)
      .addSuccess(ProjectMembers)
      .addError(onWire(SessionRequired))
      .addError(onWire(ProjectNotFound))
      .addError(onWire(MemberNotFound))
      .addError(onWire(ProjectAccessRequired))
  )
  .add(
    HttpApiEndpoint.del("withdraw", "/api/projects/:slug/roles/:user_id")
      .annotateContext(serves(projects.withdrawRole))
      .setPath(ProjectMemberPath)
      .addSuccess(HttpApiSchema.NoContent)
      .addError(onWire(SessionRequired))
      .addError(onWire(ProjectNotFound))
      .addError(onWire(MemberNotFound))
      .addError(onWire(ProjectAccessRequired))
  )
  .middleware(Authorization)
