import { Effect } from "effect"
import { CodeHost } from "../ports/CodeHost.ts"
import type { PullRequestText } from "../ports/PullRequest.ts"
import type { StageContext, StageStopped } from "../ports/Workflow.ts"
import { type TreeFile, WorkTrees } from "../ports/WorkTrees.ts"
import type { Prepared } from "./fixData.ts"
import { hostFailed, Scanning } from "./Scanning.ts"

export interface CommitToPush {
  readonly prepared: Prepared
  readonly files: ReadonlyArray<TreeFile>
  readonly message: string
  /** Keeps which commit is about to be pushed. */
  readonly announce?: (commit: string) => Effect.Effect<void, StageStopped>
}

export interface PullRequestToOpen {
  /** The branch that is merged. */
  readonly head: string
  /** Whether an open pull request of the branch may have another text. */
  readonly mayBeOpen: boolean
  readonly text: PullRequestText
}

/** What of a fix is seen outside: its branch and its pull request. Each is looked for before it is made. */
export class FixPublication extends Effect.Service<FixPublication>()("FixPublication", {
  effect: Effect.gen(function* () {
    const host = yield* CodeHost
    const trees = yield* WorkTrees
    const scanning = yield* Scanning

    /** Pushes the fix as one commit, which is the same in every run of the stage; gives its ID. */
    const push = Effect.fn("FixPublication.push")(function* (
      context: StageContext,
      mirror: string,
      { prepared, files, message, announce }: CommitToPush
    ) {
      const { remote, repositoryId } = yield* scanning.remoteOf(context.job)
      const { branch, parent, at, pushed: expected } = prepared
      const pushed = Effect.gen(function* () {
        const tree = yield* Effect.mapError(trees.open(mirror), hostFailed)
        const commit = yield* Effect.mapError(tree.commit({ parent, files, at, message }), hostFailed)
        yield* announce?.(commit) ?? Effect.void
        const request = { repositoryId, remote, gitDir: tree.gitDir, commit, branch, expected }
        yield* Effect.mapError(host.push(request), hostFailed)
        return commit
      })
      return yield* Effect.scoped(pushed)
    })

    /** Unified diff between two commits of the mirror. */
    const diff = Effect.fn("FixPublication.diff")(
      function* (mirror: string, from: string, to: string) {
        const tree = yield* trees.open(mirror)
        return yield* tree.diff(from, to)
      },
      Effect.scoped,
      Effect.mapError(hostFailed)
    )

    /** Opens the pull request of the branch, or brings the text of an open one up to date. */
    const open = Effect.fn("FixPublication.open")(function* (
      context: StageContext,
      { head, mayBeOpen, text }: PullRequestToOpen
    ) {
      const { remote, repositoryId, branch: base } = yield* scanning.remoteOf(context.job)
      const key = { repositoryId, remote, base, head }
      const pr = yield* Effect.mapError(host.openPullRequest({ ...key, ...text }), hostFailed)
      if (mayBeOpen) {
        yield* Effect.mapError(host.updatePullRequest({ ...key, number: pr.number, ...text }), hostFailed)
      }
      return pr
    })

    return { push, diff, open }
  })
}) {}
