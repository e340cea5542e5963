import { realpathSync } from "node:fs"
import { stat } from "node:fs/promises"
import { relative, sep } from "node:path"
import { Effect, type Option } from "effect"
import { Sources } from "../engine/index.ts"
import { asFailure, failed } from "./failures.ts"
import { busy } from "./progress.ts"
import type { Subject } from "./Subject.ts"
import { printable } from "./terminal.ts"

interface SubjectOptions {
  readonly branch: Option.Option<string>
  /** Take the folder as it lies there, whatever git knows of it. */
  readonly noGit: boolean
}

const looksRemote = (target: string) => /^[a-z][a-z0-9+.-]*:\/\//i.test(target) || /^[^/\\]+@[^/\\]+:/.test(target)

/** A working tree as it lies there, uncommitted changes and all; a bare repository at its HEAD; any other folder. */
const local = (path: string, noGit: boolean) =>
  Effect.tryPromise({
    try: async (): Promise<Subject> => {
      const found = await Sources.locate(path)
      if (found === null || noGit) {
        const { root, scope } = await partOf(realpathSync(path), found)
        return { source: { kind: "folder", root }, commit: Effect.succeed(null), home: root, scope }
      }
      const head = Sources.headCommit(path)
      if (found.kind === "working_tree") {
        const source = { kind: "worktree", root: found.root } as const
        return { source, commit: Effect.promise(() => head), home: found.root, scope: scopeOf(path, found.root) }
      }
      const commit = await head
      if (commit === null) throw failed(`${path} has no commits.`)
      const source = { kind: "git", gitDir: found.gitDir, commit } as const
      return { source, commit: Effect.succeed(commit), home: found.gitDir, scope: "" }
    },
    catch: asFailure
  }).pipe(Effect.tap(sayScope))

/**
 * The whole that a folder is a part of: its manifests and its other files decide what the part means. What git knows no file of,
 * such as a package unpacked below a repository, is a whole by itself, as is a folder without git: nothing says where its
 * project begins.
 */
const partOf = async (folder: string, found: Sources.Located | null): Promise<{ root: string; scope: string }> => {
  const alone = { root: folder, scope: "" }
  if (found?.kind !== "working_tree" || found.root === folder) return alone
  const isTracked = await Sources.isTracked(found, folder)
  return isTracked ? { root: found.root, scope: scopeOf(folder, found.root) } : alone
}

const scopeOf = (path: string, root: string): string => {
  const inside = relative(root, realpathSync(path)).split(sep).join("/")
  return inside === "" ? "" : `${inside}/`
}

/** Rules over many files need all of them, so the whole repository is read even where a part is asked for. */
const sayScope = ({ scope }: Subject) =>
  Effect.sync(() => {
    if (scope !== "") process.stderr.write(`Reading the whole repository, reporting what is in ${printable(scope)}.\n`)
  })

const exists = (path: string) =>
  Effect.promise(() =>
    stat(path).then(
      () => true,
      () => false
    )
  )

export const subjectOf = (target: string, { branch, noGit }: SubjectOptions) =>
  Effect.flatMap(exists(target), (isThere) =>
    isThere || !looksRemote(target)
      ? local(target, noGit)
      : busy(
          `Fetching ${printable(target)}`,
          // What fetches is a great deal of code, and most audits are of a folder.
          Effect.flatMap(
            Effect.promise(() => import("./remoteSubject.ts")),
            ({ remote }) => remote(target, branch)
          )
        )
  )
