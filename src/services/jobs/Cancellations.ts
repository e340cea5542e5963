import { DateTime, Effect } from "effect"
import { Caller } from "../access/Caller.ts"
import { JobsRepo } from "./JobsRepo.ts"

/** Ends jobs; the row is the truth, and whoever works on the job watches the row. */
export class Cancellations extends Effect.Service<Cancellations>()("Cancellations", {
  effect: Effect.gen(function* () {
    const repo = yield* JobsRepo

    /** False when there is no such job in flight. */
    const cancel = Effect.fn("Cancellations.cancel")(function* (id: string) {
      const { workspace_id } = yield* Caller
      return yield* repo.cancel({ workspace_id, id, at: DateTime.formatIso(yield* DateTime.now) })
    })

    /** Everything of a repository that waits or runs. */
    const cancelAllOf = Effect.fn("Cancellations.cancelAllOf")(function* (repositoryId: string) {
      const { workspace_id } = yield* Caller
      const at = DateTime.formatIso(yield* DateTime.now)
      yield* repo.cancelOfRepository({ workspace_id, repository_id: repositoryId, at })
    })

    return { cancel, cancelAllOf }
  })
}) {}
