import { Effect, Option } from "effect"
import { Sources } from "../../engine/index.ts"
import type { PullRequestState, PushedChange } from "../../services/ports/PullRequest.ts"
import { runGit } from "./run.ts"

/** A pushed branch and the branch it is to be merged into, as a mirror has both. */
export interface PushedBranch extends PushedChange {
  readonly gitDir: string
  /** Newest commit of the base branch. */
  readonly base: string
  /** Newest commit of the branch at the remote; null once it is gone. */
  readonly head: string | null
}

/**
 * The state of a pull request on a host that keeps none: merged once the base branch contains its commits or, squashed or
 * rebased, their patches or the very files; closed when the branch is gone unmerged.
 */
export const pullRequestState = Effect.fn("CodeHost.pullRequestState")(function* (
  branch: PushedBranch
): Effect.fn.Return<PullRequestState> {
  const { head } = branch
  const tip = head ?? branch.head_commit
  const state = { head_commit: head, merge_commit: null, conflicted: null }
  const merge_commit = yield* mergeOf(branch, tip)
  if (Option.isSome(merge_commit)) return { ...state, state: "merged", merge_commit: merge_commit.value }
  if (head === null) return { ...state, state: "closed" }
  return { ...state, state: "open", conflicted: yield* conflicts(branch, head) }
})

/** What of the base branch is read at most to find a squashed or rebased change. */
const maxCommits = 2_000
const maxPatchBytes = 64 * 1024 * 1024

const mergeOf = Effect.fnUntraced(function* (branch: PushedBranch, tip: string) {
  const { gitDir, base, base_commit } = branch
  if (yield* isAncestor(gitDir, tip, base)) return Option.some(yield* firstWith(branch, tip))
  // Where the base branch was rewritten there is nothing to compare from.
  if (!(yield* isAncestor(gitDir, base_commit, base))) return Option.none()
  const pushed = yield* patchesOf(branch, tip)
  const landed = yield* patchIds(
    gitDir,
    git(gitDir, [
      "log",
      "-p",
      ...patchFormat,
      `--max-count=${maxCommits}`,
      "--no-merges",
      `${base_commit}..${base}`,
      "--",
      ...pushed.paths
    ])
  )
  const commitOf = new Map(landed.map(({ patch, commit }) => [patch, commit]))
  const whole = pushed.whole.find((patch) => commitOf.has(patch))
  if (whole !== undefined) return Option.some(commitOf.get(whole) ?? null)
  if (pushed.each.length > 0 && pushed.each.every((patch) => commitOf.has(patch))) {
    return Option.some(commitOf.get(pushed.each[0]!) ?? null)
  }
  return (yield* hasSameFiles(branch, tip, pushed.paths)) ? Option.some(null) : Option.none()
})

const patchFormat = ["--no-color", "--no-ext-diff", "--no-textconv", "--full-index", "--no-renames"]

/** The patches of a branch: as one change, and commit by commit where the commits are known here. */
const patchesOf = Effect.fnUntraced(function* ({ gitDir, base_commit, diff }: PushedBranch, tip: string) {
  const range = `${base_commit}..${tip}`
  const known = yield* git(gitDir, ["diff", ...patchFormat, base_commit, tip])
  if (Option.isNone(known)) {
    const recorded = Option.map(Option.fromNullable(diff), (text) => Buffer.from(text))
    return {
      whole: (yield* patchIds(gitDir, Effect.succeed(recorded))).map(({ patch }) => patch),
      each: [],
      paths: pathsOf(diff ?? "")
    }
  }
  const each = yield* patchIds(gitDir, git(gitDir, ["log", "-p", ...patchFormat, "--no-merges", range]))
  const names = yield* git(gitDir, ["diff", "--name-only", "-z", "--no-renames", base_commit, tip])
  const listed = Option.match(names, { onNone: () => "", onSome: (output) => output.toString() })
  return {
    whole: (yield* patchIds(gitDir, Effect.succeed(known))).map(({ patch }) => patch),
    each: each.map(({ patch }) => patch),
    paths: listed.split("\0").filter((path) => path !== "")
  }
})

/** Paths that a unified diff names. */
const pathsOf = (diff: string) => [...diff.matchAll(/^(?:---|\+\+\+) [ab]\/(.+)$/gm)].map(([, path]) => path ?? "")

const git = (gitDir: string, args: ReadonlyArray<string>, input?: Uint8Array) =>
  runGit({
    gitDir,
    args: ["--literal-pathspecs", ...args],
    environment: Sources.gitEnvironment(),
    maxOutputBytes: maxPatchBytes,
    ...(input === undefined ? {} : { input })
  }).pipe(Effect.option)

const patchIds = Effect.fnUntraced(function* (gitDir: string, patches: Effect.Effect<Option.Option<Uint8Array>>) {
  const text = yield* patches
  if (Option.isNone(text) || text.value.length === 0) return []
  const output = yield* git(gitDir, ["patch-id", "--stable"], text.value)
  return Option.getOrElse(output, () => Buffer.alloc(0))
    .toString()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [patch = "", commit = ""] = line.split(" ")
      return { patch, commit: /^0+$/.test(commit) ? null : commit }
    })
})

const isAncestor = (gitDir: string, commit: string, of: string) =>
  Effect.map(git(gitDir, ["merge-base", "--is-ancestor", commit, of]), Option.isSome)

/** The first commit of the base branch that contains the branch: the merge, unless it was fast-forwarded. */
const firstWith = ({ gitDir, base }: PushedBranch, tip: string) =>
  Effect.map(
    git(gitDir, ["rev-list", "--ancestry-path", "--first-parent", "--reverse", `${tip}..${base}`]),
    (commits) =>
      Option.match(commits, { onNone: () => tip, onSome: (output) => output.toString().split("\n")[0] || tip })
  )

/** Someone may have applied the change by hand, together with others. */
const hasSameFiles = Effect.fnUntraced(function* (
  { gitDir, base }: PushedBranch,
  tip: string,
  paths: ReadonlyArray<string>
) {
  if (paths.length === 0) return false
  return Option.isSome(yield* git(gitDir, ["diff", "--quiet", "--no-ext-diff", tip, base, "--", ...paths]))
})

/** git ends with 1 where the merge has conflicts, and without a result with something else. */
const conflicts = ({ gitDir, base }: PushedBranch, head: string) =>
  runGit({
    gitDir,
    reach: { writable: [gitDir] },
    args: ["merge-tree", "--write-tree", "--no-messages", "--name-only", base, head],
    environment: Sources.gitEnvironment()
  }).pipe(Effect.match({ onSuccess: () => false, onFailure: ({ exitCode }) => (exitCode === 1 ? true : null) }))
