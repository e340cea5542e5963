import { realpathSync } from "node:fs"
import { mkdtemp, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Args, Command, Options } from "@effect/cli"
import { Clock, Effect, Option } from "effect"
import {
  Advisories,
  loadCatalogue,
  type ScanResult,
  type SourceRequest,
  Sources,
  scanInProcess
} from "../engine/index.ts"
import { AppConfig } from "../layers/Config.ts"
import { outboundSettings } from "../layers/outbound.ts"
import { PlainGitCodeHost } from "../layers/PlainGitCodeHost.ts"
import type { Priority } from "../schema/Observation.ts"
import { CodeHost } from "../services/ports/CodeHost.ts"
import { reaches, renderReport } from "./auditReport.ts"
import { readBaseline } from "./baseline.ts"
import { cacheFolder } from "./cacheFolder.ts"
import { CommandFailed } from "./failures.ts"
import { type FixReport, fixesOf, fixSummary, folderToFix, patchOf, writeFiles } from "./fixing.ts"
import { outputFile } from "./outputFile.ts"
import { busy, progressBar } from "./progress.ts"
import { noticesOf, toSarif } from "./sarif.ts"
import { paintFor, printable, writeOut } from "./terminal.ts"
import { version } from "./version.ts"

const options = {
  target: Args.text({ name: "path or git URL" }).pipe(
    Args.withDescription("A folder in a git repository, audited as it lies there, or what git can clone.")
  ),
  full: Options.boolean("full").pipe(Options.withDescription("Run all tools, not only the focused standard set.")),
  suggestions: Options.boolean("suggestions").pipe(
    Options.withDescription("Also report suggestions: code that is neither wrong nor risky but could be better.")
  ),
  noCache: Options.boolean("no-cache").pipe(
    Options.withDescription("Analyse every file, also those that have not changed since the last audit.")
  ),
  branch: Options.text("branch").pipe(
    Options.withPseudoName("name"),
    Options.withDescription("Branch of a git URL, instead of its default branch."),
    Options.optional
  ),
  json: Options.boolean("json").pipe(Options.withDescription("Print the whole result as JSON instead of a table.")),
  sarif: Options.text("sarif").pipe(
    Options.withPseudoName("file"),
    Options.withDescription("Also write SARIF 2.1.0, as code hosts take it; - prints it instead of a table."),
    Options.optional
  ),
  baseline: Options.text("baseline").pipe(
    Options.withPseudoName("file"),
    Options.withDescription("Report only what is not in this result of an earlier audit (JSON or SARIF)."),
    Options.optional
  ),
  failOn: Options.choice("fail-on", ["P0", "P1", "P2", "P3"]).pipe(
    Options.withDescription("Exit with status 1 when a finding has this priority or a higher one."),
    Options.optional
  ),
  fix: Options.boolean("fix").pipe(
    Options.withDescription(
      "Fix what has a fixer in the working copy, then audit it again. Not over uncommitted changes."
    )
  ),
  dryRun: Options.boolean("dry-run").pipe(
    Options.withDescription("With --fix: print the changes as one unified diff and change nothing.")
  ),
  force: Options.boolean("force").pipe(
    Options.withDescription("With --fix: also where the working copy has uncommitted changes.")
  )
}

interface Subject {
  readonly source: SourceRequest
  readonly commit: string | null
  /** Where the repository lies on this machine; null where it will not be for the next audit. */
  readonly home: string | null
}

/** 128 + SIGINT, as shells have it. */
const interrupted = 130

const exitsWith = (status: number) =>
  Effect.sync(() => {
    process.exitCode = status
  })

const looksRemote = (target: string) => /^[a-z][a-z0-9+.-]*:\/\//i.test(target) || /^[^/\\]+@[^/\\]+:/.test(target)

const failed = (message: string) => new CommandFailed({ status: 2, message: `assay: ${message}` })

const asFailure = (error: unknown) =>
  error instanceof CommandFailed ? error : failed(error instanceof Error ? error.message : String(error))

/** A working tree as it lies there, uncommitted changes and all; a bare repository at its HEAD. */
const local = (path: string) =>
  Effect.tryPromise({
    try: async (): Promise<Subject> => {
      const found = await Sources.locate(path)
      if (found === null) throw failed(`${path} is not in a git repository.`)
      const commit = await Sources.headCommit(path)
      if (found.kind === "working_tree")
        return { source: { kind: "worktree", root: found.root }, commit, home: found.root }
      if (commit === null) throw failed(`${path} has no commits.`)
      return { source: { kind: "git", gitDir: found.gitDir, commit }, commit, home: found.gitDir }
    },
    catch: asFailure
  }).pipe(Effect.tap(({ source }) => sayWhole(path, source)))

/** Who names a subfolder gets the whole repository: rules over many files need all of them. */
const sayWhole = (path: string, source: SourceRequest) =>
  Effect.sync(() => {
    if (source.kind === "worktree" && realpathSync(path) !== source.root)
      process.stderr.write(`${path} is a part of ${source.root}, which is audited as a whole.\n`)
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
      return { source: { kind: "git", gitDir, commit }, commit, home: null } satisfies Subject
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

/** Where the SARIF document goes: opened before anything is audited, so that no result is lost to a wrong path. */
const sarifOutput = (target: string) =>
  target === "-"
    ? Effect.succeed(writeOut)
    : Effect.map(
        outputFile(target),
        (write) => (text: string) => Effect.tryPromise({ try: () => write(text), catch: asFailure })
      ).pipe(Effect.mapError((error) => failed(`cannot write ${target}: ${error.message}`)))

const sarifText = (result: ScanResult, commit: string | null) =>
  Effect.map(
    Effect.promise(loadCatalogue),
    (tools) =>
      `${JSON.stringify(toSarif({ version, tools, findings: result.findings, commit, notices: noticesOf(result) }), null, 2)}\n`
  )

const subjectOf = (target: string, branch: Option.Option<string>) =>
  Effect.flatMap(exists(target), (isThere) =>
    isThere || !looksRemote(target) ? local(target) : busy(`Fetching ${printable(target)}`, remote(target, branch))
  )

interface Scope {
  readonly full: boolean
  readonly suggestions: boolean
  readonly baseline: ReadonlyArray<string>
}

const inspect = (subject: Subject, options: Scope) =>
  Effect.gen(function* () {
    const onEvent = yield* progressBar
    const advisories = Advisories.advisoriesFolder((yield* AppConfig).dataDir)
    const { source, home } = subject
    const cache = home === null ? null : yield* cacheFolder(home)
    const suite = options.full ? "full" : "standard"
    const request = {
      source,
      suite,
      advisories,
      suggestions: options.suggestions,
      baseline: options.baseline,
      ...(cache === null ? {} : { cache })
    } as const
    return yield* scanInProcess(request, { onEvent }).pipe(Effect.mapError(({ message }) => failed(message)))
  }).pipe(Effect.scoped)

const enforce = (result: ScanResult, threshold: Option.Option<Priority>) =>
  Option.isSome(threshold) && reaches(result.findings, threshold.value)
    ? Effect.fail(
        new CommandFailed({ status: 1, message: `Found something of priority ${threshold.value} or higher.` })
      )
    : Effect.void

const table = (result: ScanResult, now: number, hint: boolean) =>
  renderReport(result, {
    now,
    width: process.stdout.isTTY ? process.stdout.columns : null,
    paint: paintFor(process.stdout),
    hint: hint && process.stdout.isTTY
  })

/** Fixes the findings in the folder, or prints the patch that would. */
const fixed = (folder: string, { findings }: ScanResult, dryRun: boolean) =>
  Effect.gen(function* () {
    const fixes = yield* fixesOf(folder, findings, Advisories.advisoriesFolder((yield* AppConfig).dataDir))
    if (dryRun) yield* writeOut(yield* patchOf(folder, fixes.files))
    else yield* writeFiles(folder, fixes.files)
    const { files, reports } = fixes
    process.stderr.write(fixSummary(reports, files.length, findings.length - reports.length))
    return fixes
  })

interface OutputOptions {
  readonly json: boolean
  readonly sarif: Option.Option<string>
  readonly dryRun: boolean
}

/** Standard output takes one document. */
const checkOutputs = ({ json, sarif, dryRun }: OutputOptions) => {
  const outputs = [json ? "--json" : "", Option.getOrNull(sarif) === "-" ? "--sarif -" : "", dryRun ? "--dry-run" : ""]
  const named = outputs.filter((output) => output !== "")
  return named.length > 1 ? failed(`${named.join(" and ")} both want standard output.`) : Effect.void
}

type Print = OutputOptions & {
  readonly commit: string | null
  readonly reports: ReadonlyArray<FixReport> | null
}

const print = (result: ScanResult, { json, sarif, commit, reports }: Print) =>
  Effect.gen(function* () {
    const fixes = reports === null ? {} : { fixes: reports }
    if (json) yield* writeOut(`${JSON.stringify({ commit, ...result, ...fixes }, null, 2)}\n`)
    else if (Option.getOrNull(sarif) !== "-")
      yield* writeOut(`${table(result, yield* Clock.currentTimeMillis, Option.isNone(sarif))}\n`)
  })

export const audit = Command.make(
  "audit",
  options,
  ({ target, full, suggestions, noCache, branch, failOn, baseline: baselineFile, ...flags }) =>
    Effect.gen(function* () {
      yield* checkOutputs(flags)
      const baseline = yield* readBaseline(baselineFile)
      const writeSarif = Option.isSome(flags.sarif) ? yield* sarifOutput(flags.sarif.value) : null
      const subject = yield* subjectOf(target, branch)
      const folder = yield* folderToFix(subject.source, flags)
      const inspected = inspect(noCache ? { ...subject, home: null } : subject, { full, suggestions, baseline })
      const found = yield* inspected
      const fixes = folder === null ? null : yield* fixed(folder, found, flags.dryRun)
      const isChanged = !flags.dryRun && fixes !== null && fixes.files.length > 0
      const result = isChanged ? yield* inspected : found
      if (writeSarif !== null) yield* writeSarif(yield* sarifText(result, subject.commit))
      if (!flags.dryRun) yield* print(result, { ...flags, commit: subject.commit, reports: fixes?.reports ?? null })
      yield* enforce(result, failOn)
    }).pipe(
      Effect.scoped,
      // Half an audit must not look like one that found nothing.
      Effect.onInterrupt(() => exitsWith(interrupted))
    )
).pipe(Command.withDescription("Audit a repository once, without a server."))
