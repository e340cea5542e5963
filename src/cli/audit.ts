import { Args, Command, Options } from "@effect/cli"
import { Effect } from "effect"
import { Advisories, type Finding, type ScanResult } from "../engine/index.ts"
import { AppConfig } from "../layers/Config.ts"
import { subjectOf } from "./auditSubject.ts"
import { readBaseline } from "./baseline.ts"
import { chosenRules, ruleOptions } from "./chosenRules.ts"
import { fixesOf, fixSummary, folderToFix, patchOf, writeFiles } from "./fixing.ts"
import { enforce, failOnOption, openOutputs, outputOptions } from "./outputs.ts"
import type { Subject } from "./Subject.ts"
import { scanner } from "./scanning.ts"
import { writeOut } from "./terminal.ts"

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
  noGit: Options.boolean("no-git").pipe(
    Options.withDescription(
      "Audit the folder as it lies there, also what git ignores; of a repository's subfolder, the whole is read. Needed in no folder without git."
    )
  ),
  baseline: Options.text("baseline").pipe(
    Options.withPseudoName("file"),
    Options.withDescription("Report only what is not in this result of an earlier audit (JSON or SARIF)."),
    Options.optional
  ),
  ...ruleOptions,
  ...outputOptions,
  failOn: failOnOption,
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

/** 128 + SIGINT, as shells have it. */
const interrupted = 130

const exitsWith = (status: number) =>
  Effect.sync(() => {
    process.exitCode = status
  })

interface Scope {
  readonly full: boolean
  readonly suggestions: boolean
  readonly baseline: ReadonlyArray<string>
  readonly only?: ReadonlyArray<string>
}

const inspect = ({ source, home }: Subject, { full, ...scope }: Scope) =>
  Effect.flatMap(scanner(home), (scan) => scan({ source, suite: full ? "full" : "standard", ...scope })).pipe(
    Effect.scoped
  )

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

/** What of a result is in the part and of the rules that were asked for. */
const limited = (result: ScanResult, scope: string, isChosen: (finding: Finding) => boolean): ScanResult => ({
  ...result,
  findings: result.findings.filter(
    (finding) => isChosen(finding) && finding.locations.some(({ file_path }) => file_path.startsWith(scope))
  )
})

export const audit = Command.make(
  "audit",
  options,
  ({ target, full, suggestions, noCache, noGit, branch, baseline: baselineFile, only, exclude, failOn, ...flags }) =>
    Effect.gen(function* () {
      const output = yield* openOutputs(flags, flags.dryRun ? ["--dry-run"] : [])
      const baseline = yield* readBaseline(baselineFile)
      const { scope, isChosen } = yield* chosenRules({ only, exclude })
      const subject = yield* subjectOf(target, { branch, noGit })
      const folder = yield* folderToFix(subject.source, flags)
      const scanned = inspect(noCache ? { ...subject, home: null } : subject, { full, suggestions, baseline, ...scope })
      const inspected = Effect.map(scanned, (result) => limited(result, subject.scope, isChosen))
      const found = yield* inspected
      const fixes = folder === null ? null : yield* fixed(folder, found, flags.dryRun)
      const isChanged = !flags.dryRun && fixes !== null && fixes.files.length > 0
      const result = isChanged ? yield* inspected : found
      const commit = yield* subject.commit
      yield* output({
        scan: result,
        commit,
        document: { commit, ...result, ...(fixes === null ? {} : { fixes: fixes.reports }) }
      })
      yield* enforce(result.findings, failOn)
    }).pipe(
      Effect.scoped,
      // Half an audit must not look like one that found nothing.
      Effect.onInterrupt(() => exitsWith(interrupted))
    )
).pipe(Command.withDescription("Audit a repository once, without a server."))
