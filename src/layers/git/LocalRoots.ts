import { readFile, realpath, stat } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import { Effect, Option } from "effect"
import type { CodeHostError } from "../../services/ports/CodeHost.ts"
import { codeHostError } from "./failures.ts"
import { type GitFolder, inspectGitFolder, type Rejected, withSlash } from "./GitFolder.ts"

/**
 * The git folder of a repository on this machine, when it and everything it reads from are under an allowed root.
 * All paths are compared after symlinks are followed.
 */
export const localRepository = (path: string, roots: ReadonlyArray<string>): Effect.Effect<GitFolder, CodeHostError> =>
  Effect.gen(function* () {
    const found = yield* Effect.promise(() => find(path, roots))
    if ("reason" in found) return yield* errors[found.reason](path, found.at)
    const folder = yield* inspectGitFolder(found.gitDir, found.inside)
    return "reason" in folder ? yield* errors[folder.reason](path, folder.at) : folder
  })

/** Whether there is a git folder at the path, both of them under a root. What it reads from is not looked at. */
export const gitFolderIn = async (path: string, roots: ReadonlyArray<string>): Promise<boolean> =>
  "gitDir" in (await find(path, roots))

/** Someone may work in the repository; from the second on, an attempt brings only what is new. */
const MAX_ATTEMPTS = 5

/**
 * Runs an effect that lets git read the repository. Someone may exchange a file for a link between our look and git's, so
 * a result counts only if nothing has changed when git is done. One that does not count is discarded.
 */
export const readingLocal = <A>(
  path: string,
  roots: ReadonlyArray<string>,
  read: Effect.Effect<A, CodeHostError>,
  discard: Effect.Effect<void>
): Effect.Effect<A, CodeHostError> => {
  const attempt = Effect.gen(function* () {
    const before = yield* localRepository(path, roots)
    const result = yield* Effect.either(read)
    const after = yield* Effect.tapError(localRepository(path, roots), () => discard)
    return before.state === after.state ? Option.some(result) : Option.none()
  })
  return Effect.gen(function* () {
    for (let n = 0; n < MAX_ATTEMPTS; n++) {
      const result = yield* attempt
      if (Option.isSome(result)) return yield* result.value
    }
    yield* discard
    return yield* codeHostError(
      "unreachable",
      `The repository at ${path} changed each time it was read. Try again when nothing writes to it.`
    )
  })
}

const copyWithout = "Register a copy instead: git clone --mirror --no-local, into a folder of ASSAY_LOCAL_REPO_ROOTS."

const errors: Record<Rejected["reason"], (path: string, at?: string) => CodeHostError> = {
  // The same error whether or not the path exists: outside the roots we reveal nothing about the disk.
  outside: (path) =>
    codeHostError(
      "path_refused",
      `${path} is not under a folder this server may read. Its operator names such folders in ASSAY_LOCAL_REPO_ROOTS.`
    ),
  absent: (path) => codeHostError("not_found", `There is no git repository at ${path}.`),
  link: (path, at = "a folder") =>
    codeHostError(
      "path_refused",
      `The repository at ${path} holds a symbolic link (${at}), which may lead outside the folders this server may read. ${copyWithout}`
    ),
  borrowed: (path, at = "commondir") =>
    codeHostError(
      "path_refused",
      `The repository at ${path} reads from outside the folders this server may read (${at}). ${copyWithout}`
    ),
  too_deep: (path, at = "") =>
    codeHostError("path_refused", `The repository at ${path} refers to too many other files (${at}). ${copyWithout}`)
}

interface Found {
  readonly gitDir: string
  readonly inside: (found: string) => boolean
}

const find = async (path: string, roots: ReadonlyArray<string>): Promise<Found | Rejected> => {
  const allowed = (await Promise.all(roots.map(real))).filter((root) => root !== undefined)
  const inside = (found: string) => allowed.some((root) => found === root || found.startsWith(withSlash(root)))
  const place = await real(path)
  if (place === undefined) return { reason: inside(await nearest(path)) ? "absent" : "outside" }
  if (!inside(place)) return { reason: "outside" }
  const gitDir = await gitFolder(place)
  if (gitDir === undefined) return { reason: "absent" }
  return inside(gitDir) ? { gitDir, inside } : { reason: "borrowed", at: ".git" }
}

const real = (path: string): Promise<string | undefined> => realpath(path).catch(() => undefined)
const text = (path: string): Promise<string | undefined> => readFile(path, "utf8").catch(() => undefined)

const nearest = async (path: string): Promise<string> => {
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    const found = await real(folder)
    if (found !== undefined) return found
  }
}

const isFolder = (path: string) =>
  stat(path).then(
    (status) => status.isDirectory(),
    () => false
  )

const looksLikeGit = async (folder: string) =>
  (await text(join(folder, "HEAD"))) !== undefined &&
  ((await isFolder(join(folder, "objects"))) || (await text(join(folder, "commondir"))) !== undefined)

const gitFolder = async (place: string): Promise<string | undefined> => {
  for (const candidate of [join(place, ".git"), place]) {
    const linked = /^gitdir: (.+)$/m.exec((await text(candidate)) ?? "")?.[1]
    const folder = await real(linked === undefined ? candidate : resolve(place, linked))
    if (folder !== undefined && (await looksLikeGit(folder))) return folder
  }
  return undefined
}
