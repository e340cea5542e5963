import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { Args, Command, Options } from "@effect/cli"
import { Clock, Effect, Option } from "effect"
import { Advisories, loadCatalogue, Sources, scanInProcess } from "../engine/index.ts"
import { AppConfig } from "../layers/Config.ts"
import { compareCommits } from "../layers/git/compare.ts"
import { MAX_COMMENTS, reviewText } from "../services/reviews/comments.ts"
import { directed } from "../services/reviews/directed.ts"
import { inWords, knownRules, noDirectives, readInstructions } from "../services/reviews/instructions.ts"
import { review as reviewOf } from "../services/reviews/introduced.ts"
import { reaches, renderReport } from "./auditReport.ts"
import { cacheFolder } from "./cacheFolder.ts"
import { CommandFailed } from "./failures.ts"
import { progressBar } from "./progress.ts"
import { paintFor, writeOut } from "./terminal.ts"

const MAX_FILES = 3_000

const options = {
  path: Args.text({ name: "path" }).pipe(
    Args.withDescription("A folder in a git repository; its newest commit is reviewed, not what is uncommitted.")
  ),
  base: Options.text("base").pipe(
    Options.withPseudoName("branch"),
    Options.withDescription("Branch that the commit is to go into.")
  ),
  full: Options.boolean("full").pipe(Options.withDescription("Run all tools, not only the focused standard set.")),
  instructions: Options.file("instructions").pipe(
    Options.withDescription("Review instructions: a text with lines such as `ignore paths: docs/`."),
    Options.optional
  ),
  json: Options.boolean("json").pipe(Options.withDescription("Print findings and review comments as JSON."))
}

const failed = (message: string) => new CommandFailed({ status: 2, message: `assay: ${message}` })

/** The two commits, and the folder that holds them. */
const subject = (path: string, base: string) =>
  Effect.tryPromise({
    try: async () => {
      const found = await Sources.locate(path)
      if (found === null) throw failed(`${path} is not in a git repository.`)
      const cwd = found.kind === "bare" ? found.gitDir : found.root
      const ask = (...args: ReadonlyArray<string>) =>
        Sources.gitLine({ gitDir: found.gitDir, cwd }, ["rev-parse", ...args])
      const commitOf = (name: string) => ask("--verify", "-q", `${name}^{commit}`)
      const head = await commitOf("HEAD")
      if (head === null) throw failed(`${path} has no commits.`)
      const target = (await commitOf(`refs/heads/${base}`)) ?? (await commitOf(`refs/remotes/origin/${base}`))
      if (target === null) throw failed(`${path} has no branch ${base}, neither its own nor of origin.`)
      return { gitDir: (await ask("--absolute-git-dir")) ?? join(cwd, ".git"), head, target, home: cwd }
    },
    catch: (error) =>
      error instanceof CommandFailed ? error : failed(error instanceof Error ? error.message : String(error))
  })

const leftOut = (count: number) => (count === 0 ? "" : ` Left out as the review instructions ask: ${count}.`)

/** The directives of the file that is named, read before anything is scanned. */
const directivesIn = (file: Option.Option<string>) =>
  Option.match(file, {
    onNone: () => Effect.succeed(noDirectives),
    onSome: (name) =>
      Effect.gen(function* () {
        const text = yield* Effect.tryPromise({
          try: () => readFile(name, "utf8"),
          catch: () => failed(`${name} cannot be read.`)
        })
        const { directives, problems } = readInstructions(text, knownRules(yield* Effect.promise(loadCatalogue)))
        if (problems.length > 0) return yield* failed(`${name}\n${problems.map(inWords).join("\n")}`)
        return directives
      })
  })

export const review = Command.make("review", options, ({ path, base, full, instructions, json }) =>
  Effect.gen(function* () {
    const directives = yield* directivesIn(instructions)
    const { gitDir, head, target, home } = yield* subject(path, base)
    const { merge_base, files } = yield* compareCommits({ gitDir, base: target, head, maxFiles: MAX_FILES }).pipe(
      Effect.mapError(({ message }) => failed(message))
    )
    if (files.length === 0) {
      const nothing = {
        base_sha: merge_base,
        head_sha: head,
        files_changed: 0,
        introduced: [],
        resolved: [],
        comments: []
      }
      return yield* writeOut(json ? `${JSON.stringify(nothing, null, 2)}\n` : `Nothing that ${base} does not have.\n`)
    }
    const onEvent = yield* progressBar
    const advisories = Advisories.advisoriesFolder((yield* AppConfig).dataDir)
    const cache = yield* cacheFolder(home)
    const focus = [...new Set(files.flatMap((file) => [file.path, file.previous_path ?? file.path]))]
    const scan = (commit: string) =>
      scanInProcess(
        {
          source: { kind: "git", gitDir, commit },
          suite: full ? "full" : "standard",
          advisories,
          focus,
          spareCache: true,
          ...(cache === null ? {} : { cache })
        },
        { onEvent }
      ).pipe(Effect.mapError(({ message }) => failed(message)))
    const before = yield* scan(merge_base)
    const after = yield* scan(head)
    const reviewed = directed(reviewOf(before, after, files), directives)
    const unfinished = after.tools.filter(({ status }) => status !== "completed").map(({ id }) => id)
    const text = reviewText(reviewed, files, unfinished, directives.max_comments ?? MAX_COMMENTS)
    const findings = reviewed.introduced.map(({ finding }) => finding)
    const result = { base_sha: merge_base, head_sha: head, files_changed: files.length, ...reviewed, ...text }
    if (json) yield* writeOut(`${JSON.stringify(result, null, 2)}\n`)
    else {
      const table = renderReport(
        { ...after, findings, suppressed: [] },
        {
          now: yield* Clock.currentTimeMillis,
          width: process.stdout.isTTY ? process.stdout.columns : null,
          paint: paintFor(process.stdout),
          hint: false
        }
      )
      yield* writeOut(
        `${table}\nFiles changed since ${base}: ${files.length}. Resolved: ${reviewed.resolved.length}.${leftOut(reviewed.left_out)}\n`
      )
    }
    if (reaches(findings, "P1"))
      return yield* new CommandFailed({ status: 1, message: "The change introduces something of priority P0 or P1." })
  }).pipe(Effect.scoped)
).pipe(Command.withDescription("Report what the commits of a branch introduce, without a server."))
