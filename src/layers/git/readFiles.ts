import { Effect } from "effect"
import { Sources } from "../../engine/index.ts"
import { runGit } from "./run.ts"

/** Files of a commit. */
export interface FilesRequest {
  readonly gitDir: string
  readonly commit: string
  readonly paths: ReadonlyArray<string>
  /** Larger files are left out. */
  readonly maxBytes: number
}

const environment = Sources.gitEnvironment()
const maxListingBytes = 1024 * 1024

/** The content of regular files, by path; without those that are not there, too large or unreadable. */
export const readFiles = Effect.fnUntraced(function* ({ gitDir, commit, paths, maxBytes }: FilesRequest) {
  const names = new Map(paths.flatMap((path) => nameOf(path).map((name) => [name, path] as const)))
  const content = new Map<string, Uint8Array>()
  if (names.size === 0) return content
  const listing = yield* runGit({
    gitDir,
    args: ["ls-tree", "-z", "-l", "--full-tree", commit, "--", ...names.keys()],
    environment,
    maxOutputBytes: maxListingBytes
  })
  for (const { name, blob, size } of regularFiles(listing)) {
    const path = names.get(name)
    if (path === undefined || size > maxBytes) continue
    const args = ["cat-file", "blob", blob]
    content.set(path, yield* runGit({ gitDir, args, environment, maxOutputBytes: maxBytes }))
  }
  return content
})

// git fails as a whole for a name that leads out of the tree.
const unsafe = /^\/|(?:^|\/)\.{1,2}(?:\/|$)/

/** The name to ask git for. What is no UTF-8 cannot be an argument. */
const nameOf = (path: string): ReadonlyArray<string> => {
  const bytes = Sources.pathBytes(path)
  const name = bytes.toString("utf8")
  return name !== "" && !unsafe.test(name) && Buffer.from(name).equals(bytes) ? [name] : []
}

// "<mode> <type> <object> <size, padded>\t<path>", ended by NUL.
const regularFiles = (listing: Buffer) =>
  listing
    .toString("utf8")
    .split("\0")
    .flatMap((record) => {
      const [, blob, size, name] = /^100\d{3} blob ([0-9a-f]+) +(\d+)\t(.+)$/s.exec(record) ?? []
      return blob === undefined || name === undefined ? [] : [{ blob, size: Number(size), name }]
    })
