import { readdir, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { Duration, Effect, Layer, Schema } from "effect"
import { RepositoryId } from "../schema/Ids.ts"
import { type KeptFiles, RepositoryFiles } from "../services/ports/RepositoryFiles.ts"
import { bytesUnder, removeMirror } from "./git/Mirror.ts"
import { withMirrorLock } from "./git/MirrorLock.ts"

/** A fetch that goes on for longer has priority: the files are looked at again a few minutes later. */
const patience = Duration.seconds(1)

const isRepositoryId = Schema.is(RepositoryId)

interface Folders {
  readonly mirror: string
  readonly cache: string
}

const namesIn = (folder: string) => readdir(folder).catch((): ReadonlyArray<string> => [])

/** When a folder was last used: fetches, audits and discoveries touch theirs. */
const usedAt = (folder: string) =>
  stat(folder).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0
  )

const keptIn = async (repositoryId: RepositoryId, { mirror, cache }: Folders): Promise<KeptFiles> => ({
  repositoryId,
  bytes: (await bytesUnder(mirror)) + (await bytesUnder(cache)),
  usedAt: Math.max(await usedAt(mirror), await usedAt(cache))
})

const make = (dataDir: string): typeof RepositoryFiles.Service => {
  const [mirrors, caches] = [join(dataDir, "mirrors"), join(dataDir, "cache")]
  const foldersOf = (repositoryId: string): Folders => ({
    mirror: join(mirrors, `${repositoryId}.git`),
    cache: join(caches, repositoryId)
  })

  const kept = Effect.promise(async () => {
    const mirrored = (await namesIn(mirrors)).flatMap((name) => (name.endsWith(".git") ? [name.slice(0, -4)] : []))
    const ids = [...new Set([...mirrored, ...(await namesIn(caches))])].filter(isRepositoryId)
    const found: Array<KeptFiles> = []
    for (const id of ids) found.push(await keptIn(id, foldersOf(id)))
    return found
  })

  const remove = (repositoryId: RepositoryId, isBusy: Effect.Effect<boolean>) => {
    const { mirror, cache } = foldersOf(repositoryId)
    const removal = Effect.zipRight(
      removeMirror(mirror),
      Effect.promise(() => rm(cache, { recursive: true, force: true }))
    )
    return Effect.unlessEffect(removal, isBusy).pipe(
      withMirrorLock(join(mirrors, `${repositoryId}.lock`), patience),
      Effect.map((removed) => removed._tag === "Some"),
      Effect.catchTag("CodeHostError", () => Effect.succeed(false))
    )
  }

  return { kept, remove }
}

/** The mirrors and caches in a data folder. */
export const layer = (dataDir: string) => Layer.succeed(RepositoryFiles, make(dataDir))
