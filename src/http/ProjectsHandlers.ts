import { Effect } from "effect"
import { Projects } from "../services/projects/Projects.ts"
import { Api } from "./Api.ts"
import { group } from "./group.ts"

export const ProjectsHandlers = group(
  Api,
  "projects",
  Effect.fnUntraced(function* (handlers) {
    const projects = yield* Projects
    return handlers
      .handle("list", ({ urlParams }) => projects.list(urlParams))
      .handle("create", ({ payload }) => projects.create(payload))
      .handle("get", ({ path }) => projects.get(path.slug))
      .handle("update", ({ path, payload }) => projects.update(path.slug, payload))
      .handle("addRepository", ({ path, payload }) => projects.addRepository(path.slug, payload))
      .handle("removeRepository", ({ path: { slug, ...repository } }) => projects.removeRepository(slug, repository))
      .handle("members", ({ path }) => projects.members(path.slug))
      .handle("grant", ({ path, payload }) => projects.grant(path.slug, payload))
      .handle("withdraw", ({ path }) => projects.withdraw(path.slug, path.user_id))
  })
)
