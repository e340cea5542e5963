import { Effect } from "effect"
import type { Finding } from "../../engine/index.ts"
import { type ObservationNumber, refOf } from "../../schema/Observation.ts"
import { commitMessage, type FixDescription, pullRequestBody, pullRequestTitle } from "../fixes/pullRequestText.ts"
import { CodeHost } from "../ports/CodeHost.ts"
import type { StageContext } from "../ports/Workflow.ts"
import { WorkTrees } from "../ports/WorkTrees.ts"
import type { Edited, Prepared } from "./fixData.ts"
import { hostFailed, Scanning } from "./Scanning.ts"

/** An edit that passed its gates. */
export interface FixProposal {
  readonly prepared: Prepared
  readonly number: ObservationNumber
  readonly finding: Finding
  readonly edited: Edited
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
      proposal: FixProposal
    ) {
      const { prepared, edited } = proposal
      const { remote, repositoryId } = yield* scanning.remoteOf(context.job)
      const { branch, parent, at, pushed: expected } = prepared
      const { files } = edited
      const pushed = Effect.gen(function* () {
        const tree = yield* trees.open(mirror)
        const message = commitMessage(describe(proposal))
        const commit = yield* tree.commit({ parent, files, at, message })
        yield* host.push({ repositoryId, remote, gitDir: tree.gitDir, commit, branch, expected })
        return commit
      })
      return yield* Effect.mapError(Effect.scoped(pushed), hostFailed)
    })

    /** Opens the pull request of the branch, or brings the text of an open one up to date. */
    const open = Effect.fn("FixPublication.open")(function* (context: StageContext, proposal: FixProposal) {
      const { remote, repositoryId, branch: base } = yield* scanning.remoteOf(context.job)
      const { branch: head, pushed } = proposal.prepared
      const description = describe(proposal)
      const text = { title: pullRequestTitle(description), body: pullRequestBody(description) }
      const key = { repositoryId, remote, base, head }
      const pr = yield* Effect.mapError(host.openPullRequest({ ...key, ...text }), hostFailed)
      if (pushed !== null) {
        yield* Effect.mapError(host.updatePullRequest({ ...key, number: pr.number, ...text }), hostFailed)
      }
      return pr
    })

    return { push, open }
  })
}) {}

const describe = ({ number, finding, edited }: FixProposal): FixDescription => {
  const { title, description, rule_id, cwe, locations, snippet, steps } = finding
  const { file_path, line_start } = locations[0]
  return {
    ref: refOf(number),
    title,
    description,
    rule_id,
    cwe,
    file_path,
    line_start,
    snippet,
    evidence: steps.map(({ file_path, line, note }) => `\`${file_path}${line === null ? "" : `:${line}`}\` ${note}`),
    summary: edited.summary,
    runner: edited.runner,
    gates: edited.gates
  }
}
