import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { RepositoryPath } from "../../schema/Repository.ts"
import { Jobs } from "../jobs/Jobs.ts"
import { transactional } from "../support/transactional.ts"
import { Repositories } from "./Repositories.ts"

/** What ends a repository's life here, together with what hangs on it; apart because Jobs needs Repositories. */
export class RepositoryLifecycle extends Effect.Service<RepositoryLifecycle>()("RepositoryLifecycle", {
  effect: Effect.gen(function* () {
    const repositories = yield* Repositories
    const jobs = yield* Jobs
    const inTransaction = transactional(yield* SqlClient.SqlClient)

    /** Hides the repository and cancels what waits or runs on it. */
    const remove = Effect.fn("RepositoryLifecycle.remove")(function* (path: RepositoryPath) {
      const repository = yield* repositories.hide(path)
      yield* jobs.cancelAllOf(repository.id)
    }, inTransaction)

    return { remove }
  })
}) {}
