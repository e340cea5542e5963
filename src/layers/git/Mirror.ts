import { createHash, randomUUID } from "node:crypto"
import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"
import { Sources } from "../../engine/index.ts"
import type { CodeHostError } from "../../services/ports/CodeHost.ts"
import { codeHostError, fromGit } from "./failures.ts"
import { runGit } from "./run.ts"
import type { Transport } from "./transport.ts"

export type ObjectFormat = "sha1" | "sha256"

// Branch names are hashed: "a" and "a/b" may follow each other on the remote, and disks may not distinguish "A" from "a".
const refOf = (branch: string) => `refs/assay/${createHash("sha256").update(branch).digest("hex")}`

const offline = Sources.gitEnvironment()

/** Whether there is a mirror that git would open. */
export const mirrorExists = (gitDir: string) =>
  runGit({ gitDir, args: ["rev-parse", "--is-bare-repository"], environment: offline }).pipe(
    Effect.match({ onFailure: () => false, onSuccess: (answer) => answer.toString().trim() === "true" })
  )

/** An empty mirror in place of whatever is there. It appears whole or not at all. */
export const createMirror = Effect.fn("Mirror.create")(function* (gitDir: string, format: ObjectFormat) {
  const building = `${gitDir}.${randomUUID()}.new`
  yield* Effect.promise(() => mkdir(building, { recursive: true }))
  yield* runGit({
    args: ["init", "--quiet", "--bare", "--template=", `--object-format=${format}`, building],
    reach: { writable: [building] },
    environment: offline
  }).pipe(
    Effect.zipRight(removeMirror(gitDir)),
    Effect.zipRight(Effect.promise(() => rename(building, gitDir))),
    Effect.ensuring(Effect.promise(() => rm(building, { recursive: true, force: true }))),
    Effect.orDie
  )
})

/** A removal that is interrupted leaves what git does not open: the file goes first that git looks for. */
export const removeMirror = (gitDir: string) =>
  Effect.promise(async () => {
    await rm(join(gitDir, "HEAD"), { force: true })
    await rm(gitDir, { recursive: true, force: true })
  })

/** Notes that the mirror was used now. */
export const touchMirror = (gitDir: string) =>
  Effect.ignore(Effect.tryPromise(() => utimes(gitDir, new Date(), new Date())))

/**
 * Removes what a killed git leaves: lock files that would stop the next one, half-received packs. Only under the mirror's
 * lock. A git that outlived its killed server loses its temporary files too, and ends without harm.
 */
export const sweep = (gitDir: string) =>
  Effect.promise(async () => {
    for (const folder of [".", "refs", "refs/assay", "objects/info", "objects/pack", "objects"]) {
      const names = await readdir(join(gitDir, folder)).catch(() => [])
      for (const name of names) {
        if (!/\.lock$|\.keep$|^\.?tmp[-_]/.test(name)) continue
        await rm(join(gitDir, folder, name), { recursive: true, force: true })
      }
    }
  })

export interface BringOptions {
  readonly maxBytes: number
}

/** Brings the whole history of one branch, and gives its newest commit. */
export const bringBranch = (gitDir: string, transport: Transport, branch: string, options: BringOptions) =>
  bringRef(gitDir, transport, { remote: `refs/heads/${branch}`, local: refOf(branch) }, options)

/** Brings the whole history of what the remote knows under a name, or of one commit, and gives the newest commit. */
export const bringRef = Effect.fn("Mirror.bringRef")(function* (
  gitDir: string,
  transport: Transport,
  refs: { readonly remote: string; readonly local: string },
  options: BringOptions
): Effect.fn.Return<string, CodeHostError> {
  const flags = ["--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--update-shallow"]
  const fetching = runGit({
    gitDir,
    reach: { ...transport.reach, writable: [...transport.reach.writable, gitDir] },
    args: ["fetch", ...flags, ...transport.args, "--", transport.url, `+${refs.remote}:${refs.local}`],
    environment: transport.environment
  })
  yield* Effect.raceFirst(fetching, tooLarge(gitDir, transport.shown, options.maxBytes)).pipe(
    Effect.catchTag("GitFailure", (failure) =>
      Effect.zipRight(Effect.logDebug("git fetch failed", redacted(failure.stderr)), fromGit(transport.shown)(failure))
    ),
    (read) => transport.reading(read, removeMirror(gitDir))
  )
  // It may have grown past the limit between two looks.
  if ((yield* bytesOf(gitDir)) > options.maxBytes) return yield* outgrown(transport.shown, options.maxBytes)
  return yield* commitOf(gitDir, refs.local, transport.shown)
})

const commitOf = (gitDir: string, ref: string, shown: string) =>
  // "^{tree}" makes git open the commit and find its tree: a ref alone proves nothing about a damaged store.
  runGit({
    gitDir,
    args: ["rev-parse", `${ref}^{commit}`, `${ref}^{tree}`],
    environment: offline
  }).pipe(
    Effect.map((answer) => answer.toString().split("\n")[0] ?? ""),
    Effect.mapError(() => codeHostError("corrupt", `The objects of ${shown} are damaged or incomplete.`))
  )

/** Whether everything the mirror's branches need is there. Slow: for after something went wrong. */
export const isIntact = (gitDir: string) =>
  runGit({ gitDir, args: ["fsck", "--connectivity-only", "--no-dangling"], environment: offline }).pipe(
    Effect.match({ onFailure: () => false, onSuccess: () => true })
  )

const packsWorthMerging = 20

/** Keeps the number of packs small. Never drops an object: a job may still be reading an older commit. */
export const consolidate = Effect.fn("Mirror.consolidate")(function* (gitDir: string) {
  const names = yield* Effect.promise(() => readdir(join(gitDir, "objects/pack")).catch(() => []))
  if (names.filter((name) => name.endsWith(".pack")).length < packsWorthMerging) return
  yield* runGit({
    gitDir,
    reach: { writable: [gitDir] },
    args: ["repack", "--geometric=2", "-d", "-q", "--window-memory=256m", "--threads=1"],
    environment: offline
  }).pipe(Effect.catchAll(() => Effect.logWarning("A mirror's packs could not be merged; it works on without.")))
})

const outgrown = (shown: string, maxBytes: number) =>
  codeHostError(
    "too_large",
    `${shown} is larger than the ${describeBytes(maxBytes)} this server keeps of a repository.`
  )

const describeBytes = (bytes: number) =>
  bytes >= 1024 ** 3 ? `${+(bytes / 1024 ** 3).toFixed(1)} GiB` : `${+(bytes / 1024 ** 2).toFixed(1)} MiB`

/** Fails once the mirror has grown past the limit, and never ends otherwise. */
const tooLarge = (gitDir: string, shown: string, maxBytes: number): Effect.Effect<never, CodeHostError> =>
  bytesOf(gitDir).pipe(
    Effect.filterOrFail(
      (bytes) => bytes <= maxBytes,
      () => outgrown(shown, maxBytes)
    ),
    Effect.zipRight(Effect.sleep("500 millis")),
    Effect.forever
  )

export const bytesOf = (gitDir: string) => Effect.promise(() => bytesUnder(join(gitDir, "objects")))

/** The bytes of all files in a folder; of one that is absent none. */
export const bytesUnder = async (folder: string): Promise<number> => {
  let bytes = 0
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) bytes += await bytesUnder(path)
    else
      bytes += await stat(path).then(
        ({ size }) => size,
        () => 0
      )
  }
  return bytes
}

// For the operator's log at debug level: credentials never reach a git argument, but a server may echo what it was sent.
const redacted = (stderr: string) => stderr.replace(/\/\/[^/@\s]*@/g, "//…@").slice(0, 2000)

/** A file beside the mirror says which folders are ours, for the person who looks into the data folder. */
export const describeFolder = (folder: string) =>
  Effect.promise(async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeFile(
      join(folder, "README"),
      "Bare mirrors of audited repositories. Safe to delete while the server is stopped: they are fetched again.\n"
    )
  })
