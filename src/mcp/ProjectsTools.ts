import { Effect, Schema } from "effect"
import { projects as operations } from "../schema/operations/index.ts"
import { newProject, Project, projectChanges, projectFilters } from "../schema/Project.ts"
import { described } from "../schema/Text.ts"
import { Projects } from "../services/projects/Projects.ts"
import { pageArgs, repositoryArgs } from "./args.ts"
import { tool } from "./Tool.ts"

const Rows = Schema.Struct({
  data: Schema.Array(Project),
  next_cursor: Schema.NullOr(Schema.String),
  has_more: Schema.Boolean
})

const project = { project: described(Schema.String, "Slug of an area, a space or a project.") }

export const ProjectsTools = Effect.map(Projects, (projects) => [
  tool({
    name: "list_projects",
    title: "List projects",
    operation: operations.listProjects,
    args: { ...projectFilters, ...pageArgs(25) },
    result: Rows,
    quotesRepository: false,
    run: ({ limit = 25, ...query }) => projects.list({ ...query, limit })
  }),
  tool({
    name: "get_project",
    title: "Get project",
    operation: operations.readProject,
    args: project,
    result: Project,
    quotesRepository: false,
    run: (args) => projects.get(args.project)
  }),
  tool({
    name: "create_project",
    title: "Create project",
    operation: operations.createProject,
    args: newProject,
    result: Project,
    quotesRepository: false,
    run: (args) => projects.create(args)
  }),
  tool({
    name: "update_project",
    title: "Update project",
    operation: operations.updateProject,
    args: { ...project, ...projectChanges },
    result: Project,
    quotesRepository: false,
    idempotent: true,
    run: ({ project, ...changes }) => projects.update(project, changes)
  }),
  tool({
    name: "add_repo_to_project",
    title: "Add repository to project",
    operation: operations.addRepository,
    args: { ...project, ...repositoryArgs },
    result: Project,
    quotesRepository: false,
    idempotent: true,
    run: ({ project, ...repository }) => projects.addRepository(project, repository)
  }),
  tool({
    name: "remove_repo_from_project",
    title: "Remove repository from project",
    operation: operations.removeRepository,
    args: { ...project, ...repositoryArgs },
    result: Project,
    quotesRepository: false,
    idempotent: true,
    run: ({ project, ...repository }) => projects.removeRepository(project, repository)
  })
])
