import { Effect, Schema } from "effect"
import { projects as operations } from "../schema/operations/index.ts"
import { page } from "../schema/Page.ts"
import { newProject, Project, projectChanges, projectFilters } from "../schema/Project.ts"
import { Count, field } from "../schema/Text.ts"
import { Projects } from "../services/projects/Projects.ts"
import { pageWithin } from "./answerSize.ts"
import { pageArgs, repositoryArgs } from "./args.ts"
import { tool } from "./Tool.ts"

const maxRepositories = 20

/** A level with the first of its repositories. */
const ProjectRow = Schema.Struct({
  ...Project.fields,
  repository_count: field(
    Count,
    `Number of its own repository branches; \`repositories\` lists the first ${maxRepositories}.`
  )
})

const row = (project: Project): typeof ProjectRow.Type => ({
  ...project,
  repositories: project.repositories.slice(0, maxRepositories),
  repository_count: project.repositories.length
})

const project = { project: field(Schema.String, "Slug of an area, a space or a project.") }

export const ProjectsTools = Effect.map(Projects, (projects) => [
  tool({
    name: "list_projects",
    title: "List projects",
    description: "List areas, spaces and projects with their repositories. Use get_project for the levels above one.",
    operation: operations.listProjects,
    args: { ...projectFilters, ...pageArgs(25) },
    result: page("ProjectsPage", ProjectRow),
    run: ({ limit = 25, ...query }) =>
      pageWithin(ProjectRow, limit, (limit) =>
        Effect.map(projects.list({ ...query, limit }), (page) => ({ ...page, data: page.data.map(row) }))
      )
  }),
  tool({
    name: "get_project",
    title: "Get project",
    description:
      "Read one area, space or project with its repositories and the levels above. Use list_projects to find its slug.",
    operation: operations.readProject,
    args: project,
    result: ProjectRow,
    run: (args) => Effect.map(projects.get(args.project), row)
  }),
  tool({
    name: "create_project",
    title: "Create project",
    description: "Create an area, space or project. Use add_repo_to_project to add repositories.",
    operation: operations.createProject,
    args: newProject,
    result: ProjectRow,
    run: (args) => Effect.map(projects.create(args), row)
  }),
  tool({
    name: "update_project",
    title: "Update project",
    description: "Rename, describe or move an area, space or project. Use add_repo_to_project to add repositories.",
    operation: operations.updateProject,
    args: { ...project, ...projectChanges },
    result: ProjectRow,
    run: ({ project, ...changes }) => Effect.map(projects.update(project, changes), row)
  }),
  tool({
    name: "add_repo_to_project",
    title: "Add repository to project",
    description: "Add a registered repository to an area, space or project. Use remove_repo_from_project to undo it.",
    operation: operations.addRepository,
    args: { ...project, ...repositoryArgs },
    result: ProjectRow,
    run: ({ project, ...repository }) => Effect.map(projects.addRepository(project, repository), row)
  }),
  tool({
    name: "remove_repo_from_project",
    title: "Remove repository from project",
    description: "Remove a repository from an area, space or project. Use add_repo_to_project to undo it.",
    operation: operations.removeRepository,
    args: { ...project, ...repositoryArgs },
    result: ProjectRow,
    run: ({ project, ...repository }) => Effect.map(projects.removeRepository(project, repository), row)
  })
])
