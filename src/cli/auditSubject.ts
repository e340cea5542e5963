import { realpathSync } from "node:fs"
import { mkdtemp, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, relative, sep } from "node:path"
import { Effect, Option } from "effect"
import { type SourceRequest, Sources } from "../engine/index.ts"
import { AppConfig } from "../layers/Config.ts"
import { outboundSettings } from "../layers/outbound.ts"
import { PlainGitCodeHost } from "../layers/PlainGitCodeHost.ts"
import { CodeHost } from "../services/ports/CodeHost.ts"
import { asFailure, failed } from "./failures.ts"
import { busy } from "./progress.ts"
import { printable } from "./terminal.ts"

/** What is audited. */
export interface Subject {
  readonly source: SourceRequest
  readonly commit: string | null
  /** Where the repository lies on this machine; null where it will not be for the next audit. */
  readonly home: string | null
  /** Folder of the repository, with a slash at its end, to which the result is limited; empty for all of it. */
  readonly scope: string
}

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
      const found = noGit ? null : await Sources.locate(path)
      if (found === null) {
        const root = realpathSync(path)
        return { source: { kind: "folder", root }, commit: null, home: root, scope: "" }
      }
      const commit = await Sources.headCommit(path)
      if (found.kind === "working_tree") {
        const source = { kind: "worktree", root: found.root } as const
        return { source, commit, home: found.root, scope: scopeOf(path, found.root) }
      }
      if (commit === null) throw failed(`${path} has no commits.`)
      return { source: { kind: "git", gitDir: found.gitDir, commit }, commit, home: found.gitDir, scope: "" }
    },
    catch: asFailure
  }).pipe(Effect.tap(sayScope))

const scopeOf = (path: string, root: string): string => {
  const inside = relative(root, realpathSync(path)).split(sep).join("/")
  return inside === "" ? "" : `${inside}/`
}

/** Rules over many files need all of them, so the whole repository is read even where a part is asked for. */
const sayScope = ({ scope }: Subject) =>
  Effect.sync(() => {
    if (scope !== "") process.stderr.write(`Reading the whole repository, reporting what is in ${printable(scope)}.\n`)
  })

const temporaryFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "assay-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
)

const remote = (url: string, requestedBranch: Option.Option<string>) =>
  Effect.gen(function* () {
    const config = yield* AppConfig
    const dataDir = yield* temporaryFolder
    return yield* Effect.gen(function* () {
      const host = yield* CodeHost
      const branch = Option.getOrNull(requestedBranch) ?? (yield* host.inspect({ url })).default_branch
      if (branch === null) return yield* failed(`${url} has no commits, or names no default branch (use --branch).`)
      const { gitDir, commit } = yield* host.fetch({ repositoryId: "one-shot", remote: { url }, branch })
      return { source: { kind: "git", gitDir, commit }, commit, home: null, scope: "" } satisfies Subject
    }).pipe(
      Effect.catchTag("CodeHostError", ({ message }) => failed(message)),
      Effect.provide(
        PlainGitCodeHost.layer({ dataDir, localRoots: config.localRepoRoots, ...(yield* outboundSettings(config)) })
      )
    )
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
      : busy(`Fetching ${printable(target)}`, remote(target, branch))
  )
