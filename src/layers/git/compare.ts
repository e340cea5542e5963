import { Effect } from "effect"
import { Sources } from "../../engine/index.ts"
import type { CodeHostError, CompareRequest, RenamesRequest } from "../../services/ports/CodeHost.ts"
import type { ComparedTexts, Comparison } from "../../services/ports/Comparison.ts"
import { changedFiles, readBinaries, readPatch, readPatchTexts, readRaw } from "../../services/reviews/readDiff.ts"
import { codeHostError, fromGit } from "./failures.ts"
import { type GitFailure, runGit } from "./run.ts"

const maxPatchBytes = 64 * 1024 * 1024
const maxTextBytes = 16 * 1024 * 1024
const commitId = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/

// Bare, so that no attributes are read: they could call a text binary, or name a program that converts it.
const environment = Sources.gitEnvironment({ config: { "core.bare": "true", "core.quotePath": "true" } })

// -l bounds the comparison of every removed with every added file; beyond it only exact renames are found.
const plain = ["-r", "-M", "-l2000", "--no-ext-diff", "--no-textconv", "--no-color", "--ignore-submodules=none"]

const tooLarge = (message: string) => codeHostError("diff_too_large", message)

const failed = (failure: GitFailure) => Effect.suspend(() => Effect.fail(fromGit("the repository")(failure)))

const patch = ["-p", "-U0", "--inter-hunk-context=0", "--submodule=short", "--src-prefix=a/", "--dst-prefix=b/"]

const diffBetween =
  (gitDir: string, from: string, to: string, maxOutputBytes: number) =>
  (...args: ReadonlyArray<string>) =>
    runGit({
      gitDir,
      args: ["diff-tree", ...plain, ...args, from, to],
      environment,
      maxOutputBytes
    }).pipe(
      Effect.catchAll((failure) =>
        failure.reason === "too_much_output"
          ? tooLarge("The change is too large to be compared line by line.")
          : failed(failure)
      )
    )

/** The lines that lie between two commits. Reads objects only. */
export const compareTexts = Effect.fn("git.compareTexts")(function* ({
  gitDir,
  from,
  to
}: RenamesRequest): Effect.fn.Return<ComparedTexts, CodeHostError> {
  if (!commitId.test(from) || !commitId.test(to)) return yield* Effect.dieMessage("Not a commit id.")
  const diff = diffBetween(gitDir, from, to, maxTextBytes)
  const binaries = readBinaries(yield* diff("-z", "--numstat"))
  return { texts: readPatchTexts(yield* diff(...patch)), binaries }
})

/** What `head` changed since it left `base`: files and lines. Reads objects only. */
export const compareCommits = Effect.fn("git.compareCommits")(function* (
  request: CompareRequest
): Effect.fn.Return<Comparison, CodeHostError> {
  const { gitDir, maxFiles } = request
  const merge_base = yield* mergeBase(request)
  const diff = diffBetween(gitDir, merge_base, request.head, maxPatchBytes)
  const raw = readRaw(yield* diff("-z", "--raw", "--no-abbrev"))
  if (raw.length > maxFiles) {
    return yield* tooLarge(`The change touches ${raw.length} files; at most ${maxFiles} are reviewed at once.`)
  }
  const lines = readPatch(yield* diff(...patch))
  return { merge_base, files: changedFiles(raw, lines) }
})

const mergeBase = Effect.fnUntraced(function* ({ gitDir, base, head }: CompareRequest) {
  if (!commitId.test(base) || !commitId.test(head)) return yield* Effect.dieMessage("Not a commit id.")
  const answer = yield* runGit({ gitDir, args: ["merge-base", base, head], environment }).pipe(
    Effect.map((output) => output.toString().trim()),
    // Status 1, without a word: there is none.
    Effect.catchAll((failure) => (failure.exitCode === 1 ? Effect.succeed("") : failed(failure)))
  )
  if (!commitId.test(answer)) {
    return yield* codeHostError("no_common_history", "The change and its base branch have no commit in common.")
  }
  return answer
})
