import { readFile, realpath, stat } from "node:fs/promises"
import { dirname, join, resolve, sep } from "node:path"
import { Effect } from "effect"
import type { CodeHostError } from "../../services/ports/CodeHost.ts"
import { codeHostError } from "./failures.ts"

/**
 * The git folder of a repository on this machine, when it and everything it reads from are under an allowed root.
 * All paths are compared after symlinks are followed.
 */
export const localRepository = (path: string, roots: ReadonlyArray<string>): Effect.Effect<string, CodeHostError> =>
  Effect.flatMap(
    Effect.promise(() => find(path, roots)),
    (found) => (typeof found === "string" ? Effect.succeed(found) : Effect.fail(errors[found.reason](path)))
  )

interface Rejected {
  readonly reason: "outside" | "absent" | "borrowed"
}

const errors = {
  // The same error whether or not the path exists: outside the roots we reveal nothing about the disk.
  outside: (path: string) => codeHostError("path_refused", `${path} is not under a folder this server may read.`),
  absent: (path: string) => codeHostError("not_found", `There is no git repository at ${path}.`),
  borrowed: (path: string) =>
    codeHostError(
      "path_refused",
      `The repository at ${path} keeps its objects outside the folders this server may read.`
    )
}

const find = async (path: string, roots: ReadonlyArray<string>): Promise<string | Rejected> => {
  const allowed = (await Promise.all(roots.map(real))).filter((root) => root !== undefined)
  const inside = (found: string) => allowed.some((root) => found === root || found.startsWith(withSlash(root)))
  const place = await real(path)
  if (place === undefined) return { reason: inside(await nearest(path)) ? "absent" : "outside" }
  if (!inside(place)) return { reason: "outside" }
  const gitDir = await gitFolder(place)
  if (gitDir === undefined) return { reason: "absent" }
  const parts = await partsOf(gitDir)
  return parts.every((part) => part !== undefined && inside(part)) ? gitDir : { reason: "borrowed" }
}

const real = (path: string): Promise<string | undefined> => realpath(path).catch(() => undefined)
const text = (path: string): Promise<string | undefined> => readFile(path, "utf8").catch(() => undefined)
const withSlash = (root: string) => (root.endsWith(sep) ? root : root + sep)

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

const maxAlternates = 16

/** Every folder git would read to serve this repository. */
const partsOf = async (gitDir: string): Promise<ReadonlyArray<string | undefined>> => {
  const common = (await text(join(gitDir, "commondir")))?.trim()
  const base = common === undefined ? gitDir : resolve(gitDir, common)
  const stores = [join(base, "objects")]
  for (let at = 0; at < stores.length && at < maxAlternates; at++) {
    const store = stores[at] ?? ""
    for (const line of ((await text(join(store, "info/alternates"))) ?? "").split("\n")) {
      // git may quote a line; a quoted one is not worth reading and is refused as a path that does not exist.
      if (line !== "" && !line.startsWith("#")) stores.push(resolve(store, line))
    }
  }
  return Promise.all([gitDir, base, join(base, "refs"), ...stores].map(real))
}
