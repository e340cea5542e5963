import { Context, Duration, Effect } from "effect"
import { asSystem, withReach } from "../access/Reach.ts"
import { RepositoryFiles } from "../ports/RepositoryFiles.ts"
import { RetentionRepo } from "./RetentionRepo.ts"

const interval = Duration.minutes(5)

/** How many bytes the mirrors and caches of repositories may take on one machine. */
export class DiskBound extends Context.Reference<DiskBound>()("DiskBound", {
  defaultValue: (): number => Number.POSITIVE_INFINITY
}) {}

/**
 * Keeps the mirrors and caches of this machine within their bound: those that no job has used for longest go first. Every
 * process that runs jobs does it for its own machine.
 */
export class DiskRetention extends Effect.Service<DiskRetention>()("DiskRetention", {
  effect: Effect.gen(function* () {
    const files = yield* RepositoryFiles
    const repo = yield* RetentionRepo
    const bound = yield* DiskBound

    const sweep = Effect.fn("DiskRetention.sweep")(
      function* () {
        const kept = [...(yield* files.kept)].sort((a, b) => a.usedAt - b.usedAt)
        const before = kept.reduce((sum, { bytes }) => sum + bytes, 0)
        let left = before
        for (const { repositoryId, bytes } of kept) {
          if (left <= bound) break
          // A job that runs reads the mirror long after it has fetched it.
          if (yield* files.remove(repositoryId, repo.isBusy(repositoryId))) left -= bytes
        }
        if (left < before) yield* Effect.logInfo(`Removed ${before - left} bytes of repositories that were not used.`)
        if (left > bound) yield* Effect.logWarning("Repositories that jobs use take more than ASSAY_REPOSITORIES_GB.")
      },
      asSystem,
      withReach
    )

    const loop = Effect.forever(
      Effect.delay(
        Effect.catchAllCause(sweep(), (cause) => Effect.logWarning("Repositories could not be kept in bounds.", cause)),
        interval
      )
    )

    return { sweep, loop }
  })
}) {}
