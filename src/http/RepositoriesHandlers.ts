import { Effect } from "effect"
import { Discoveries } from "../services/discovery/Discoveries.ts"
import { FixPrs } from "../services/fixes/FixPrs.ts"
import { RepositoryLifecycle } from "../services/registration/RepositoryLifecycle.ts"
import { LocalRepositories } from "../services/repositories/LocalRepositories.ts"
import { Repositories } from "../services/repositories/Repositories.ts"
import { RepositoryCommands } from "../services/repositories/RepositoryCommands.ts"
import { Reviews } from "../services/reviews/Reviews.ts"
import { Api } from "./Api.ts"
import { group } from "./group.ts"

export const RepositoriesHandlers = group(
  Api,
  "repositories",
  Effect.fnUntraced(function* (handlers) {
    const repositories = yield* Repositories
    const local = yield* LocalRepositories
    const lifecycle = yield* RepositoryLifecycle
    const discoveries = yield* Discoveries
    const fixPrs = yield* FixPrs
    const reviews = yield* Reviews
    const commands = yield* RepositoryCommands
    return handlers
      .handle("list", ({ urlParams }) => repositories.list(urlParams))
      .handle("register", ({ payload }) =>
        // The contract fixes both fields: discovery is found by listing jobs, not here.
        Effect.map(lifecycle.register(payload), (repository) => ({
          ...repository,
          discover_job_id: null,
          discovery_queue_failed: false as const
        }))
      )
      .handle("localFolders", () => local.list())
      .handle("preview", ({ payload }) => repositories.preview(payload))
      .handle("update", ({ path, payload }) => repositories.update(path, payload))
      .handle("get", ({ path }) => repositories.find(path))
      .handle("delete", ({ path }) => lifecycle.remove(path))
      .handle("reset", ({ path, payload }) => lifecycle.reset(path, payload))
      .handle("discovery", ({ path }) => discoveries.files(path))
      .handle("knowledge", ({ path }) => discoveries.knowledge(path))
      .handle("rules", ({ path, urlParams }) => discoveries.rules(path, urlParams.file_path))
      .handle("pattern", ({ path }) => discoveries.pattern(path, path.pattern))
      .handle("guides", ({ path }) => discoveries.guides(path))
      .handle("reviews", ({ path, urlParams }) => reviews.list(path, urlParams))
      .handle("fixPrs", ({ path, urlParams }) => fixPrs.list(path, urlParams))
      .handle("commands", ({ path }) => commands.get(path))
      .handle("setCommands", ({ path, payload }) => commands.set(path, payload))
  })
)
