import { Effect, Schema } from "effect"
import { projects as operations } from "../schema/operations/index.ts"
import { page } from "../schema/Page.ts"
import { newProject, Project, projectChanges, projectFilters } from "../schema/Project.ts"
import { field } from "../schema/Text.ts"
import { Projects } from "../services/projects/Projects.ts"
import { pageArgs, repositoryArgs } from "./args.ts"
import { tool } from "./Tool.ts"

const project = { project: field(Schema.String, "Slug of an area, a space or a project.") }

export const ProjectsTools = Effect.map(Projects, (projects) => [
  tool({
    name: "list_projects",
    title: "List projects",
    description: "List areas, spaces and projects with their repositories. Use get_project for the levels above one.",
    operation: operations.listProjects,
    args: { ...projectFilters, ...pageArgs(25) },
    result: page("ProjectsPage", Project),
    run: ({ limit = 25, ...query }) => projects.list({ ...query, limit })
  }),
  tool({
    name: "get_project",
    title: "Get project",
    description:
      "Read one area, space or project with its repositories and the levels above. Use list_projects to find its slug.",
    operation: operations.readProject,
    args: project,
    result: Project,
    run: (args) => projects.get(args.project)
  }),
  tool({
    name: "create_project",
    title: "Create project",
    description: "Create an area, space or project. Use add_repo_to_project to add repositories.",
    operation: operations.createProject,
    args: newProject,
    result: Project,
    run: (args) => projects.create(args)
  }),
  tool({
    name: "update_project",
    title: "Update project",
    description: "Rename, describe or move an area, space or project. Use add_repo_to_project to add repositories.",
    operation: operations.updateProject,
    args: { ...project, ...projectChanges },
    result: Project,
    run: ({ project, ...changes }) => projects.update(project, changes)
  }),
  tool({
    name: "add_repo_to_project",
    title: "Add repository to project",
    description: "Add a registered repository to an area, space or project. Use remove_repo_from_project to undo it.",
    operation: operations.addRepository,
    args: { ...project, ...repositoryArgs },
    result: Project,
    run: ({ project, ...repository }) => projects.addRepository(project, repository)
  }),
  tool({
    name: "remove_repo_from_project",
    title: "Remove repository from project",
    description: "Remove a repository from an area, space or project. Use add_repo_to_project to undo it.",
    operation: operations.removeRepository,
    args: { ...project, ...repositoryArgs },
    result: Project,
    run: ({ project, ...repository }) => projects.removeRepository(project, repository)
  })
])
