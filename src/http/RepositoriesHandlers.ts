import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Repositories } from "../services/repositories/Repositories.ts"
import { RepositoryLifecycle } from "../services/repositories/RepositoryLifecycle.ts"
import { Api } from "./Api.ts"

export const RepositoriesHandlers = HttpApiBuilder.group(
  Api,
  "repositories",
  Effect.fnUntraced(function* (handlers) {
    const repositories = yield* Repositories
    const lifecycle = yield* RepositoryLifecycle
    return handlers
      .handle("list", ({ urlParams }) => repositories.list(urlParams))
      .handle("register", ({ payload }) =>
        // The contract fixes both fields: discovery is found by listing jobs, not here.
        Effect.map(repositories.register(payload), (repository) => ({
          ...repository,
          discover_job_id: null,
          discovery_queue_failed: false as const
        }))
      )
      .handle("get", ({ path }) => repositories.find(path))
      .handle("delete", ({ path }) => lifecycle.remove(path))
  })
)
