import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { Args, Command, Options } from "@effect/cli"
import { Effect, Option } from "effect"
import { type Finding, loadCatalogue, Sources } from "../engine/index.ts"
import { compareCommits } from "../layers/git/compare.ts"
import { MAX_COMMENTS, reviewText } from "../services/reviews/comments.ts"
import { directed } from "../services/reviews/directed.ts"
import { inWords, knownRules, noDirectives, readInstructions } from "../services/reviews/instructions.ts"
import { review as reviewOf } from "../services/reviews/introduced.ts"
import { chosenRules, ruleOptions } from "./chosenRules.ts"
import { CommandFailed, failed } from "./failures.ts"
import { compactLine } from "./findingText.ts"
import { enforce, failOnOption, openOutputs, outputOptions } from "./outputs.ts"
import { scanner } from "./scanning.ts"

const MAX_FILES = 3_000

const options = {
  path: Args.text({ name: "path" }).pipe(
    Args.withDescription("A folder in a git repository; its newest commit is reviewed, not what is uncommitted.")
  ),
  base: Options.text("base").pipe(
    Options.withPseudoName("revision"),
    Options.withDescription("What the commit is to go into: a branch, origin/main, a tag or a commit id.")
  ),
  full: Options.boolean("full").pipe(Options.withDescription("Run all tools, not only the focused standard set.")),
  instructions: Options.file("instructions").pipe(
    Options.withDescription("Review instructions: a text with lines such as `ignore paths: docs/`."),
    Options.optional
  ),
  ...ruleOptions,
  ...outputOptions,
  failOn: Options.map(
    failOnOption,
    Option.orElseSome(() => "P1" as const)
  )
}

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
      const names = [`refs/heads/${base}`, `refs/remotes/origin/${base}`, `refs/remotes/${base}`, `refs/tags/${base}`]
      const named = await firstOf(names, commitOf)
      const target = named ?? (/^[\w.][\w./~^@{}-]*$/.test(base) ? await commitOf(base) : null)
      if (target === null)
        throw failed(
          `--base ${base} is no branch, remote branch, tag or commit of ${path}; a shallow clone may lack it (git fetch).`
        )
      return { gitDir: (await ask("--absolute-git-dir")) ?? join(cwd, ".git"), head, target, home: cwd }
    },
    catch: (error) =>
      error instanceof CommandFailed ? error : failed(error instanceof Error ? error.message : String(error))
  })

const firstOf = async (names: ReadonlyArray<string>, find: (name: string) => Promise<string | null>) => {
  for (const name of names) {
    const found = await find(name)
    if (found !== null) return found
  }
  return null
}

const leftOut = (count: number): ReadonlyArray<string> =>
  count === 0 ? [] : [`Left out as the review instructions ask: ${count}.`]

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

const MAX_RESOLVED_LISTED = 20

/** What the change is rid of, by name: a number alone cannot be checked. */
const resolvedLines = (resolved: ReadonlyArray<Finding>): ReadonlyArray<string> => [
  `Resolved: ${resolved.length}.`,
  ...resolved.slice(0, MAX_RESOLVED_LISTED).map((finding) => `  ${compactLine(finding)}`),
  ...(resolved.length > MAX_RESOLVED_LISTED ? [`  and ${resolved.length - MAX_RESOLVED_LISTED} more`] : [])
]

export const review = Command.make(
  "review",
  options,
  ({ path, base, full, instructions, only, exclude, failOn, ...flags }) =>
    Effect.gen(function* () {
      const output = yield* openOutputs(flags)
      const directives = yield* directivesIn(instructions)
      const { scope, isChosen } = yield* chosenRules({ only, exclude })
      const { gitDir, head, target, home } = yield* subject(path, base)
      const { merge_base, files } = yield* compareCommits({ gitDir, base: target, head, maxFiles: MAX_FILES }).pipe(
        Effect.mapError(({ message }) => failed(message))
      )
      const focus = [...new Set(files.flatMap((file) => [file.path, file.previous_path ?? file.path]))]
      const scan = yield* scanner(home)
      const at = (commit: string) =>
        scan({
          source: { kind: "git", gitDir, commit },
          suite: full ? "full" : "standard",
          focus,
          spareCache: true,
          ...scope
        })
      const after = yield* at(head)
      const before = files.length === 0 ? after : yield* at(merge_base)
      const { introduced, resolved, ...rest } = reviewOf(before, after, files)
      const chosen = {
        ...rest,
        introduced: introduced.filter(({ finding }) => isChosen(finding)),
        resolved: resolved.filter(isChosen)
      }
      const reviewed = directed(chosen, directives)
      const unfinished = after.tools.filter(({ status }) => status !== "completed").map(({ id }) => id)
      const text = reviewText(reviewed, files, unfinished, directives.max_comments ?? MAX_COMMENTS)
      const findings = reviewed.introduced.map(({ finding }) => finding)
      yield* output({
        scan: { ...after, findings, suppressed: [] },
        commit: head,
        document: { base_sha: merge_base, head_sha: head, files_changed: files.length, ...reviewed, ...text },
        footer: [
          files.length === 0 ? `Nothing that ${base} does not have.` : `Files changed since ${base}: ${files.length}.`,
          ...resolvedLines(reviewed.resolved),
          ...leftOut(reviewed.left_out)
        ]
      })
      yield* enforce(findings, failOn)
    }).pipe(Effect.scoped)
).pipe(Command.withDescription("Report what the commits of a branch introduce, without a server."))
