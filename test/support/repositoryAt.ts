import { Buffer } from "node:buffer"
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathBytes } from "../../src/engine/core/source/gitPath.ts"
import { commitObject, type Files, setBranch, type Tree, treeWith } from "./gitObjects.ts"

export type { FileContent, Files } from "./gitObjects.ts"

export interface Change {
  readonly branch?: string
  readonly remove?: ReadonlyArray<string>
  readonly rename?: Readonly<Record<string, string>>
  /** An address. */
  readonly author?: string
  /** Seconds since the epoch. */
  readonly at?: number
}

export interface Repository {
  /** The checkout, or the bare repository itself. */
  readonly path: string
  readonly gitDir: string
  readonly git: (...args: ReadonlyArray<string>) => string
  /** The commit of a branch, read without git, which takes far longer to start. */
  readonly head: (branch: string) => string | null
  /** Adds a commit on top of the branch and gives its id. A checkout follows. */
  readonly commit: (files: Files, change?: Change) => string
  /** The same of many, one on top of the other, with one start of git; gives the last one's id. */
  readonly commits: (each: ReadonlyArray<Files>) => string
  /** Makes branches at the first one. */
  readonly branches: (names: ReadonlyArray<string>) => void
}

export interface RepositoryOptions {
  readonly branch?: string
  readonly bare?: boolean
  readonly format?: "sha1" | "sha256"
}

const environment = {
  PATH: process.env.PATH ?? "",
  HOME: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_AUTHOR_NAME: "Test",
  GIT_AUTHOR_EMAIL: "test@example.org",
  GIT_COMMITTER_NAME: "Test",
  GIT_COMMITTER_EMAIL: "test@example.org"
}

export const runGitIn = (cwd: string, args: ReadonlyArray<string>, input?: Uint8Array): string =>
  execFileSync("git", args, { cwd, env: environment, stdio: ["pipe", "pipe", "pipe"], ...(input ? { input } : {}) })
    .toString()
    .trim()

type FreshEntry = readonly [path: string, content: Buffer | null]

const initialised = ({
  branch = "main",
  format = "sha1",
  bare = false
}: RepositoryOptions): ReadonlyArray<FreshEntry> => {
  const folder = mkdtempSync(join(tmpdir(), "assay-init-"))
  const options = [`--initial-branch=${branch}`, `--object-format=${format}`, ...(bare ? ["--bare"] : [])]
  try {
    runGitIn(folder, ["init", "--quiet", ...options])
    const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()
    return names.map((name) => {
      const path = join(folder, name)
      return [name, statSync(path).isDirectory() ? null : readFileSync(path)]
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const known = new Map<string, ReadonlyArray<FreshEntry>>()

/** What git makes of an empty folder, asked once in each process: writing it costs less than starting git from a large one. */
const freshRepository = (options: RepositoryOptions): ReadonlyArray<FreshEntry> => {
  const key = JSON.stringify([options.branch, options.format, options.bare])
  const entries = known.get(key) ?? initialised(options)
  known.set(key, entries)
  return entries
}

/** A repository with one commit of these files; without files, one without commits. */
export const repositoryAt = (path: string, files: Files = {}, options: RepositoryOptions = {}): Repository => {
  const branch = options.branch ?? "main"
  mkdirSync(path, { recursive: true })
  for (const [name, content] of freshRepository(options)) {
    if (content === null) mkdirSync(join(path, name), { recursive: true })
    else writeFileSync(join(path, name), content)
  }
  const gitDir = options.bare ? path : join(path, ".git")
  const git = (...args: ReadonlyArray<string>) => runGitIn(path, args)
  const head = (name: string) => headIn(gitDir, name)
  const store = { gitDir, format: options.format ?? "sha1" } as const
  const trees = new Map<string, Tree>()
  /** The commit's id; null where git has to make it: of many files, on a commit of its own, or of more than new contents. */
  const writtenHere = (more: Files, { branch: on = branch, remove, rename, ...by }: Change) => {
    const parent = head(on)
    const before = parent === null ? new Map() : trees.get(parent)
    const isSimple = remove === undefined && rename === undefined && Object.keys(more).length <= mostWritten
    const tree = isSimple && before !== undefined ? treeWith(store, before, more) : null
    if (tree === null) return null
    const id = commitObject(store, tree, { parent, ...committer, ...by })
    trees.set(id, tree)
    setBranch(gitDir, on, id)
    return id
  }
  const imported = (each: ReadonlyArray<Files>, on: string, change: Change) => {
    // Within one stream a branch goes on by itself.
    const stream = each.map((more, index) => commitStream(on, more, change, index === 0 && head(on) !== null))
    // The answer is the last commit's id.
    const input = Buffer.concat([...stream, Buffer.from("get-mark :1\n")])
    return runGitIn(path, ["fast-import", "--quiet", "--force"], input)
  }
  const committed = (each: ReadonlyArray<Files>, change: Change) => {
    const on = change.branch ?? branch
    const [only = {}, ...others] = each
    const id = (others.length === 0 ? writtenHere(only, change) : null) ?? imported(each, on, change)
    if (!options.bare && on === branch) git("reset", "--quiet", "--hard")
    return id
  }
  const commit = (more: Files, change: Change = {}) => committed([more], change)
  if (Object.keys(files).length > 0) commit(files)
  const branches = (names: ReadonlyArray<string>) => {
    const first = head(branch)
    if (first !== null && names.length <= mostWritten) for (const name of names) setBranch(gitDir, name, first)
    else {
      const created = names.map((name) => `create refs/heads/${name} refs/heads/${branch}\n`)
      runGitIn(path, ["update-ref", "--stdin"], Buffer.from(created.join("")))
    }
  }
  return { path, gitDir, git, head, commit, commits: (each) => committed(each, {}), branches }
}

/** Git packs more objects and references than this. */
const mostWritten = 100

const committer = { author: "test@example.org", at: 1700000000 }

const headIn = (gitDir: string, branch: string): string | null => {
  const ref = `refs/heads/${branch}`
  const [loose, packed] = [join(gitDir, ref), join(gitDir, "packed-refs")]
  if (existsSync(loose)) return readFileSync(loose, "utf8").trim()
  const lines = existsSync(packed) ? readFileSync(packed, "utf8").split("\n") : []
  return lines.find((line) => line.endsWith(` ${ref}`))?.split(" ")[0] ?? null
}

const quoted = (path: string): string =>
  `"${[...pathBytes(path)].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("")}"`

const commitStream = (branch: string, files: Files, change: Change, grows: boolean): Buffer => {
  const parts: Array<Uint8Array> = []
  const say = (text: string) => parts.push(Buffer.from(text))
  const { author, at } = { ...committer, ...change }
  say(`commit refs/heads/${branch}\nmark :1\ncommitter Test <${author}> ${at} +0000\ndata 6\nchange\n`)
  if (grows) say(`from refs/heads/${branch}^0\n`)
  for (const path of change.remove ?? []) say(`D ${quoted(path)}\n`)
  for (const [from, to] of Object.entries(change.rename ?? {})) say(`R ${quoted(from)} ${quoted(to)}\n`)
  for (const [path, content] of Object.entries(files)) {
    if (typeof content === "object" && "submodule" in content) {
      say(`M 160000 ${content.submodule} ${quoted(path)}\n`)
      continue
    }
    const isLink = typeof content === "object" && "symlink" in content
    const bytes = Buffer.from(isLink ? content.symlink : content)
    say(`M ${isLink ? "120000" : "100644"} inline ${quoted(path)}\ndata ${bytes.length}\n`)
    parts.push(bytes)
    say("\n")
  }
  say("\n")
  return Buffer.concat(parts)
}
