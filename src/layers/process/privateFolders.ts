import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, type Scope } from "effect"

/** Folders of one run, removed with its scope. */
export interface PrivateFolders {
  /** An empty one, to mount over. */
  readonly root: string
  readonly tmp: string
  /** Inside `tmp`. */
  readonly home: string
}

export const homeName = "home"

export const privateFolders: Effect.Effect<PrivateFolders, never, Scope.Scope> = Effect.acquireRelease(
  Effect.promise(async () => {
    const base = await realpath(await mkdtemp(join(tmpdir(), "assay-run-")))
    const [root, tmp] = [join(base, "root"), join(base, "tmp")]
    await mkdir(root)
    await mkdir(join(tmp, homeName), { recursive: true })
    return { base, root, tmp, home: join(tmp, homeName) }
  }),
  ({ base }) => Effect.ignoreLogged(Effect.tryPromise(() => rm(base, { recursive: true, force: true, maxRetries: 3 })))
)
