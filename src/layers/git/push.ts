import { Effect } from "effect"
import type { PushRequest } from "../../services/ports/PullRequest.ts"
import type { CodeHostError } from "../../services/ports/Remote.ts"
import { codeHostError, fromGit } from "./failures.ts"
import { listHeads } from "./listHeads.ts"
import { type GitFailure, runGit } from "./run.ts"
import type { Transport } from "./transport.ts"

type Push = Pick<PushRequest, "gitDir" | "commit" | "branch" | "expected">

/** Makes the commit the newest one of the branch at the remote. */
export const pushBranch = Effect.fn("CodeHost.pushBranch")(function* (
  transport: Transport,
  { gitDir, commit, branch, expected }: Push
): Effect.fn.Return<void, CodeHostError> {
  const { heads } = yield* listHeads(transport)
  const current = heads.get(branch) ?? null
  if (current === commit) return
  if (current !== expected) return yield* movedOn(branch)
  yield* send(transport, gitDir, [`--force-with-lease=refs/heads/${branch}:${expected ?? ""}`], `${commit}:${branch}`)
})

/** Deletes the branch at the remote, if it is there. */
export const deleteBranch = Effect.fn("CodeHost.deleteBranch")(function* (
  transport: Transport,
  { gitDir, branch }: Pick<Push, "gitDir" | "branch">
): Effect.fn.Return<void, CodeHostError> {
  const { heads } = yield* listHeads(transport)
  if (!heads.has(branch)) return
  yield* send(transport, gitDir, [], `:${branch}`)
})

const send = (transport: Transport, gitDir: string, options: ReadonlyArray<string>, refs: string) => {
  const [source = "", branch = ""] = refs.split(/:(.*)/s)
  const refspec = `${source}:refs/heads/${branch}`
  return runGit({
    gitDir,
    reach: { ...transport.reach, writable: [...transport.reach.writable, ...transport.pushed] },
    args: [
      "push",
      "--quiet",
      "--no-verify",
      "--no-signed",
      "--recurse-submodules=no",
      ...transport.pushArgs,
      ...options,
      "--",
      transport.url,
      refspec
    ],
    environment: transport.environment
  }).pipe(
    Effect.catchAll((failure) => Effect.suspend(() => rejected(transport.shown, branch)(failure))),
    Effect.asVoid
  )
}

/** What a remote that took no push means by it. Its own words are matched, and not repeated. */
const rejected =
  (shown: string, branch: string) =>
  (failure: GitFailure): CodeHostError => {
    const { stderr } = failure
    if (/refusing to allow .* workflow/is.test(stderr)) {
      return codeHostError("workflow_file", `${shown} lets no app push a change of a workflow definition.`)
    }
    if (/\(stale info\)|\(fetch first\)|\(non-fast-forward\)|\[rejected\]/.test(stderr)) return movedOn(branch)
    if (/\[remote rejected\]/.test(stderr)) {
      return codeHostError(
        "push_rejected",
        `${shown} rejects the branch ${branch}${reasons.find(({ when }) => when.test(stderr))?.because ?? ""}.`
      )
    }
    return fromGit(shown)(failure)
  }

const reasons = [
  { when: /hook declined/i, because: ": a hook of the repository declined it" },
  { when: /protected/i, because: ": a rule protects it" },
  { when: /permission|denied|not allowed|prohibited/i, because: ": the credentials may not push" },
  {
    when: /refusing to (?:create|update)|funny refname|cannot lock ref/i,
    because: ": the name is taken or not allowed"
  }
]

const movedOn = (branch: string) =>
  codeHostError("push_rejected", `The branch ${branch} has other commits than those pushed from here.`)
