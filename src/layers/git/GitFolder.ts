import { createHash } from "node:crypto"
import { lstat, readdir, readFile, realpath } from "node:fs/promises"
import { dirname, join, resolve, sep } from "node:path"
import { Effect } from "effect"
import { Sources } from "../../engine/index.ts"
import { runGit } from "./run.ts"

/** Why a repository on this machine is not read: what in it leads elsewhere, relative to the git folder. */
export interface Rejected {
  readonly reason: "outside" | "absent" | "link" | "borrowed" | "too_deep"
  readonly at?: string
}

/** A git folder of which nothing leads outside of the allowed folders, and a digest that changes when anything in it does. */
export interface GitFolder {
  readonly path: string
  readonly state: string
  /** Everything that git reads to serve it. */
  readonly reads: ReadonlyArray<string>
}

/** What upload-pack never opens; links are common there. */
const unread: ReadonlySet<string> = new Set(["hooks", "modules", "lfs", "annex", "worktrees", "rr-cache"])
/** git itself follows five. */
const MAX_STORES = 16
const MAX_INCLUDES = 10
const MAX_TEXT = 1024 * 1024

/**
 * Everything git reads to serve the repository of a git folder. Symbolic links are rejected wherever they are; what files
 * name as text (the common folder of a worktree, alternates, included settings) has to be inside.
 */
export const inspectGitFolder = (
  path: string,
  inside: (found: string) => boolean
): Effect.Effect<GitFolder | Rejected> =>
  Effect.gen(function* () {
    const walk = new Walk(path, inside)
    const rejected = (yield* Effect.promise(() => walk.stores())) ?? (yield* settingsOf(walk))
    return rejected ?? { path, state: walk.state(), reads: walk.reads }
  })

const settingsOf = Effect.fnUntraced(function* (walk: Walk) {
  const files = [...walk.settings]
  for (let at = 0; at < files.length; at++) {
    if (at >= MAX_INCLUDES) return { reason: "too_deep", at: "config" } as const
    const file = files[at]!
    for (const include of yield* includesOf(file)) {
      const target = resolve(dirname(file), include)
      // A path from someone's home folder is one that this server does not have.
      const rejected = include.startsWith("~")
        ? ({ reason: "borrowed", at: "config" } as const)
        : yield* Effect.promise(() => walk.text(target, "config"))
      if (rejected !== null) return rejected
      files.push(target)
    }
  }
  return null
})

/** As git reads it, without following one. An unreadable file has none: git reads nothing of it either. */
const includesOf = Effect.fnUntraced(function* (file: string) {
  const text = yield* Effect.promise(() => textOf(file))
  // No section that includes is written without the word; nearly no repository has one, and a process costs more than a look.
  return text === undefined || !/include/i.test(text) ? [] : yield* listedIncludes(file)
})

const listedIncludes = (file: string): Effect.Effect<ReadonlyArray<string>> =>
  runGit({
    reach: { readable: [file] },
    args: ["config", "--no-includes", "--file", file, "--null", "--get-regexp", "^include(if\\..*)?\\.path$"],
    environment: Sources.gitEnvironment()
  }).pipe(
    Effect.map((output) =>
      output
        .toString()
        .split("\0")
        .filter((entry) => entry !== "")
        .map((entry) => entry.slice(entry.indexOf("\n") + 1))
    ),
    Effect.orElseSucceed(() => [])
  )

class Walk {
  readonly settings: Array<string> = []
  readonly reads: Array<string> = []
  private readonly seen: Array<string> = []
  private readonly gitDir: string
  private readonly inside: (found: string) => boolean

  constructor(gitDir: string, inside: (found: string) => boolean) {
    this.gitDir = gitDir
    this.inside = inside
  }

  /** The folder, the one that worktrees share, and every store of objects that is borrowed from. */
  async stores(): Promise<Rejected | null> {
    const common = (await textOf(join(this.gitDir, "commondir")))?.trim()
    const base = common === undefined ? this.gitDir : resolve(this.gitDir, common)
    const folders = [...new Set([this.gitDir, base])]
    this.reads.push(...folders)
    for (const folder of folders) {
      const rejected = (await this.ancestors(folder)) ?? (await this.folder(folder, folder))
      if (rejected !== null) return rejected
      for (const name of ["config", "config.worktree"]) this.settings.push(join(folder, name))
    }
    return this.alternates(join(base, "objects"))
  }

  /** A file that is named as text. */
  async text(path: string, at: string): Promise<Rejected | null> {
    const found = await realpath(path).catch(() => undefined)
    // What is not there is not read.
    if (found === undefined) return this.inside(path) ? null : { reason: "borrowed", at }
    if (!this.inside(found)) return { reason: "borrowed", at }
    if (found !== path) return { reason: "link", at }
    this.reads.push(path)
    return (await this.ancestors(path)) ?? this.note(path)
  }

  state(): string {
    return createHash("sha256").update(this.seen.join("\n")).digest("hex")
  }

  private async alternates(objects: string): Promise<Rejected | null> {
    const stores = [objects]
    for (let at = 0; at < stores.length; at++) {
      if (at >= MAX_STORES) return { reason: "too_deep", at: "objects/info/alternates" }
      const store = stores[at]!
      if (at > 0) {
        const rejected = await this.store(store)
        if (rejected !== null) return rejected
        this.reads.push(store)
      }
      for (const line of ((await textOf(join(store, "info/alternates"))) ?? "").split("\n")) {
        // git may quote a line; a quoted one is rejected as a path that does not exist.
        if (line !== "" && !line.startsWith("#")) stores.push(resolve(store, line))
      }
    }
    return null
  }

  private async store(path: string): Promise<Rejected | null> {
    const at = "objects/info/alternates"
    const found = await realpath(path).catch(() => undefined)
    if (found === undefined || !this.inside(found)) return { reason: "borrowed", at }
    if (found !== path) return { reason: "link", at }
    return (await this.ancestors(path)) ?? this.folder(path, dirname(path))
  }

  /** A folder above that is replaced by a link and put back has changed since. Those the operator named are trusted. */
  private async ancestors(path: string): Promise<Rejected | null> {
    if (!this.inside(path)) return { reason: "borrowed" }
    for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
      if (!this.inside(folder) || !this.inside(dirname(folder))) break
      const rejected = await this.note(folder)
      if (rejected !== null) return rejected
    }
    return null
  }

  private async folder(path: string, top: string): Promise<Rejected | null> {
    const rejected = await this.note(path)
    if (rejected !== null) return rejected
    for (const entry of await readdir(path, { withFileTypes: true }).catch(() => [])) {
      const child = join(path, entry.name)
      if (path === top && unread.has(entry.name)) continue
      if (entry.isSymbolicLink()) return { reason: "link", at: child.slice(top.length + 1) }
      const below = entry.isDirectory()
        ? await this.folder(child, top)
        : namesOthers.test(entry.name)
          ? await this.note(child)
          : null
      if (below !== null) return below
    }
    return null
  }

  /** The time of change is not to be set back: what was exchanged for a moment shows. */
  private async note(path: string): Promise<Rejected | null> {
    const status = await lstat(path, { bigint: true }).catch(() => null)
    if (status === null) return null
    if (status.isSymbolicLink()) return { reason: "link" }
    if (status.isFile() && status.size > MAX_TEXT) return { reason: "too_deep" }
    this.seen.push(`${path}\0${status.dev}\0${status.ino}\0${status.ctimeNs}`)
    return null
  }
}

/** Files whose text leads to other files. Others are replaced only by a change of their folder. */
const namesOthers = /^(?:alternates|commondir|gitdir|config|config\.worktree)$/

const textOf = async (path: string): Promise<string | undefined> => {
  const status = await lstat(path).catch(() => null)
  if (status === null || !status.isFile() || status.size > MAX_TEXT) return undefined
  return readFile(path, "utf8").catch(() => undefined)
}

export const withSlash = (root: string) => (root.endsWith(sep) ? root : root + sep)
