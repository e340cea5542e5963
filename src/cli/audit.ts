import { mkdtemp, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Args, Command, Options } from "@effect/cli"
import { SingleBar } from "cli-progress"
import { Effect, Option } from "effect"
import { AppConfig } from "../layers/Config.ts"
import { PlainGitCodeHost } from "../layers/PlainGitCodeHost.ts"
import type { Priority } from "../schema/Observation.ts"
import { type ScanEvent, scanInProcess } from "../services/audit/ScanProcess.ts"
import type { ScanResult } from "../services/audit/ScanResult.ts"
import type { SourceRequest } from "../services/audit/scanRequest.ts"
import { headCommit, locate } from "../services/audit/source/locate.ts"
import { tools } from "../services/audit/tools/index.ts"
import { CodeHost } from "../services/ports/CodeHost.ts"
import { reaches, renderReport } from "./auditReport.ts"
import { CommandFailed } from "./failures.ts"
import { toSarif } from "./sarif.ts"
import { version } from "./version.ts"

const options = {
  target: Args.text({ name: "path or git URL" }),
  full: Options.boolean("full").pipe(Options.withDescription("All tools, not only the focused standard set.")),
  branch: Options.text("branch").pipe(
    Options.optional,
    Options.withDescription("Branch of a git URL; default: the remote's own.")
  ),
  json: Options.boolean("json").pipe(Options.withDescription("The whole result as JSON on standard output.")),
  sarif: Options.text("sarif").pipe(
    Options.optional,
    Options.withDescription("Also write a SARIF 2.1.0 file; `-` is standard output.")
  ),
  failOn: Options.choice("fail-on", ["P0", "P1", "P2", "P3"]).pipe(
    Options.optional,
    Options.withDescription("Exit with status 1 when a finding has this priority or a higher one.")
  )
}

interface Subject {
  readonly source: SourceRequest
  readonly commit: string | null
}

const looksRemote = (target: string) => /^[a-z][a-z0-9+.-]*:\/\//i.test(target) || /^[^/\\]+@[^/\\]+:/.test(target)

const failed = (message: string) => new CommandFailed({ status: 2, message: `assay: ${message}` })

/** A working tree as it lies there, uncommitted changes and all; a bare repository at its HEAD. */
const local = (path: string) =>
  Effect.tryPromise({
    try: async (): Promise<Subject> => {
      const found = await locate(path)
      if (found === null) throw new Error(`${path} is not in a git repository.`)
      const commit = await headCommit(path)
      if (found.kind === "working_tree") return { source: { kind: "worktree", root: found.root }, commit }
      if (commit === null) throw new Error(`${path} has no commits.`)
      return { source: { kind: "git", gitDir: found.gitDir, commit }, commit }
    },
    catch: (error) => failed(error instanceof Error ? error.message : String(error))
  })

const temporaryFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "assay-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
)

const remote = (url: string, wanted: Option.Option<string>) =>
  Effect.gen(function* () {
    const config = yield* AppConfig
    const dataDir = yield* temporaryFolder
    return yield* Effect.gen(function* () {
      const host = yield* CodeHost
      const branch = Option.getOrNull(wanted) ?? (yield* host.inspect({ url })).default_branch
      if (branch === null) return yield* failed(`${url} has no commits, or names no default branch (use --branch).`)
      const { gitDir, commit } = yield* host.fetch({ repositoryId: "one-shot", remote: { url }, branch })
      return { source: { kind: "git", gitDir, commit }, commit } satisfies Subject
    }).pipe(
      Effect.catchTag("CodeHostError", ({ message }) => failed(message)),
      Effect.provide(
        PlainGitCodeHost.layer({
          dataDir,
          localRoots: config.localRepoRoots,
          allowPrivateNetwork: config.allowPrivateNetwork
        })
      )
    )
  })

const isFolder = (path: string) =>
  Effect.promise(() =>
    stat(path).then(
      () => true,
      () => false
    )
  )

/** A bar on standard error where that is a terminal; nothing otherwise, so that logs stay readable. */
const progressBar = Effect.acquireRelease(
  Effect.sync(() => {
    if (process.stderr.isTTY !== true) return null
    const bar = new SingleBar({
      format: "{stage} [{bar}] {value}/{total} files",
      clearOnComplete: true,
      hideCursor: true,
      stream: process.stderr
    })
    bar.start(1, 0, { stage: "reading" })
    return bar
  }),
  (bar) => Effect.sync(() => bar?.stop())
)

const show = (bar: SingleBar | null) => (event: ScanEvent) =>
  Effect.sync(() => {
    if (bar === null || event.type !== "progress") return
    bar.setTotal(event.total)
    bar.update(event.done, { stage: event.stage })
  })

const write = (text: string) =>
  Effect.async<void>((resume) => {
    process.stdout.write(text, () => resume(Effect.void))
  })

const writeSarif = (target: string, result: ScanResult, commit: string | null) => {
  const text = `${JSON.stringify(toSarif({ version, tools, findings: result.findings, commit }), null, 2)}\n`
  return target === "-"
    ? write(text)
    : Effect.tryPromise({ try: () => writeFile(target, text), catch: (error) => failed(String(error)) })
}

const inspect = (subject: Subject, full: boolean) =>
  Effect.gen(function* () {
    const bar = yield* progressBar
    return yield* scanInProcess(
      { source: subject.source, suite: full ? "full" : "standard" },
      { onEvent: show(bar) }
    ).pipe(Effect.mapError(({ message }) => failed(message)))
  }).pipe(Effect.scoped)

const enforce = (result: ScanResult, threshold: Option.Option<Priority>) =>
  Option.isSome(threshold) && reaches(result.findings, threshold.value)
    ? Effect.fail(
        new CommandFailed({ status: 1, message: `Found something of priority ${threshold.value} or higher.` })
      )
    : Effect.void

export const audit = Command.make("audit", options, ({ target, full, branch, json, sarif, failOn }) =>
  Effect.gen(function* () {
    const isLocal = (yield* isFolder(target)) || !looksRemote(target)
    const subject = yield* isLocal ? local(target) : remote(target, branch)
    const result = yield* inspect(subject, full)
    if (Option.isSome(sarif)) yield* writeSarif(sarif.value, result, subject.commit)
    if (json) yield* write(`${JSON.stringify({ commit: subject.commit, ...result }, null, 2)}\n`)
    else if (Option.getOrNull(sarif) !== "-") yield* write(`${renderReport(result, process.stdout.columns ?? 120)}\n`)
    yield* enforce(result, failOn)
  }).pipe(Effect.scoped)
).pipe(Command.withDescription("Audit a repository once, without a server."))
