import { readdir, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { Clock, Duration, Effect, Layer } from "effect"
import { AuditCache } from "../services/ports/AuditCache.ts"

const forgottenAfter = Duration.toMillis("30 days")

const attempt = <A>(run: () => Promise<A>) => Effect.option(Effect.tryPromise(run))

/** Caches of repositories that are no longer audited would fill the disk in the end. */
const removeForgotten = (root: string) =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const names = yield* Effect.orElseSucceed(
      Effect.tryPromise(() => readdir(root)),
      () => []
    )
    yield* Effect.forEach(
      names,
      (name) =>
        attempt(async () => {
          const folder = join(root, name)
          if (now - (await stat(folder)).mtimeMs > forgottenAfter) await rm(folder, { recursive: true, force: true })
        }),
      { concurrency: 4, discard: true }
    )
  })

/** `<root>/<repository id>/`; every audit that leaves something there touches the folder. */
export const FileAuditCache = {
  layer: (root: string) =>
    Layer.effect(
      AuditCache,
      Effect.as(removeForgotten(root), {
        folderOf: (repositoryId) => join(root, repositoryId),
        remove: (repositoryId) =>
          Effect.asVoid(attempt(() => rm(join(root, repositoryId), { recursive: true, force: true })))
      })
    )
}
