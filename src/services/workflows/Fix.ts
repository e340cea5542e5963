import { Effect, Option, Schema } from "effect"
import { closed } from "../../schema/closed.ts"
import { fixBranchOf, fixInstructions } from "../../schema/Fix.ts"
import { SubmissionInvalid } from "../../schema/Job.ts"
import { ObservationNumberFromRef } from "../../schema/Observation.ts"
import { optional } from "../../schema/Text.ts"
import { type AttemptState, FixPrs } from "../fixes/FixPrs.ts"
import { failed, passed } from "../fixes/gates.ts"
import { commitMessage, describeFix, pullRequestBody, pullRequestTitle } from "../fixes/pullRequestText.ts"
import { type StageContext, StageFailed, stage, type Workflow } from "../ports/Workflow.ts"
import { now } from "../support/now.ts"
import { FixPublication } from "./FixPublication.ts"
import { FixStages } from "./FixStages.ts"
import { outputOf, type Prepared } from "./fixData.ts"
import { Scanning } from "./Scanning.ts"

const Params = closed({ ref: ObservationNumberFromRef, instructions: optional(fixInstructions) })
const numberIn = (params: unknown) => Effect.map(Effect.orDie(Schema.decodeUnknown(Params)(params)), ({ ref }) => ref)

/** From an open finding to a pull request that fixes it, through gates. */
export class FixWorkflow extends Effect.Service<FixWorkflow>()("FixWorkflow", {
  effect: Effect.gen(function* () {
    const scanning = yield* Scanning
    const prs = yield* FixPrs
    const fixing = yield* FixStages
    const publication = yield* FixPublication
    const { stages, report, proposal } = fixing.of({
      budgetLeft: () => Effect.succeed(null),
      endsWithoutFindings: false
    })

    const begun = Effect.fnUntraced(function* (context: StageContext) {
      const { job } = context
      const number = yield* numberIn(job.params)
      const { id, workspace_id } = job
      const attempt = yield* context.commit(prs.begin({ id, workspace_id, number }))
      if (Option.isSome(attempt)) return attempt.value
      const reason = yield* prs.rejectionOfJob({ workspace_id, number })
      return yield* new StageFailed({
        failure_kind: "no_changes",
        message: reason ?? `The attempt that this job worked on has ended; submit a new fix of OBS-${number}.`
      })
    })

    /** A revision by an agent goes on from the branch; all else starts from the newest commit of the base branch. */
    const startOf = Effect.fnUntraced(function* (context: StageContext, attempt: AttemptState, branch: string) {
      const { head_commit, base_commit, pr_url } = attempt
      const pushed = pr_url === null ? null : head_commit
      const runners = yield* fixing.runnersOf(context.job.workspace_id)
      if (pushed === null || runners[0] !== "agent" || base_commit === null) {
        const { gitDir, commit } = yield* scanning.mirrorOf(context.job)
        return { mirror: gitDir, base: commit, parent: commit, pushed, runners }
      }
      const { gitDir, revision } = yield* scanning.revisionOf(context.job, { kind: "branch", name: branch })
      return { mirror: gitDir, base: base_commit, parent: revision, pushed: revision, runners }
    })

    const prepare = stage("prepare", (context) =>
      Effect.gen(function* () {
        const attempt = yield* begun(context)
        const { id: attempt_id, observation_number: number, instructions } = attempt
        const branch = attempt.branch ?? fixBranchOf(number, attempt.number)
        const start = yield* startOf(context, attempt, branch)
        const at = yield* now
        const targets = [{ number, attempt_id }]
        return { targets, instructions, branch, at, ...start } satisfies Prepared
      })
    )

    /** The edit that passed its gates, and what it is about. */
    const proposed = Effect.fnUntraced(function* (context: StageContext) {
      const found = yield* proposal(context)
      if (Option.isNone(found)) return yield* Effect.dieMessage("A fix without its finding goes on.")
      const { prepared, subjects } = found.value
      const [target] = prepared.targets
      const [subject] = subjects
      if (target === undefined || subject === undefined) return yield* Effect.dieMessage("A fix has no finding.")
      const key = { workspace_id: context.job.workspace_id, id: target.attempt_id }
      return { ...found.value, key, description: describeFix(subject.number, subject.finding, found.value.edited) }
    })

    const push = stage("push", (context) =>
      Effect.gen(function* () {
        const { round, prepared, edited, key, description } = yield* proposed(context)
        const { diff, runner, files } = edited
        const gitDir = yield* fixing.mirrorOf(context, prepared)
        const request = { prepared, files, message: commitMessage(description) }
        const commit = yield* Effect.tapError(publication.push(context, gitDir, request), (error) =>
          error._tag === "StageFailed"
            ? report(context, prepared, round, [failed("push", error.failure_kind, error.message)])
            : Effect.void
        )
        const gate = passed("push", `Pushed ${commit.slice(0, 12)} to ${prepared.branch}.`)
        yield* report(context, prepared, round, [gate])
        yield* context.commit(prs.proposed(key, { base_commit: prepared.base, head_commit: commit, diff, runner }))
        return { head_commit: commit, branch: prepared.branch }
      })
    )

    const pullRequest = stage("pull_request", (context) =>
      Effect.gen(function* () {
        const { round, prepared, edited, key, description } = yield* proposed(context)
        const { head_commit } = yield* outputOf(context, "push", Schema.Struct({ head_commit: Schema.String }))
        const text = { title: pullRequestTitle(description), body: pullRequestBody(description) }
        const request = { head: prepared.branch, mayBeOpen: prepared.pushed !== null, text }
        const pr = yield* Effect.tapError(publication.open(context, request), ({ message, failure_kind }) =>
          report(context, prepared, round, [failed("pull_request", failure_kind, message)])
        )
        yield* report(context, prepared, round, [passed("pull_request", `The pull request is open: ${pr.url}`)])
        const { diff, runner } = edited
        const { base: base_commit, branch } = prepared
        yield* context.commit(
          prepared.pushed === null
            ? prs.opened(key, { pr_url: pr.url, pr_number: pr.number, branch })
            : prs.revised(key, { base_commit, head_commit, diff, runner })
        )
        return {
          pr_url: pr.url,
          pr_number: pr.number,
          branch,
          base_commit,
          head_commit,
          runner,
          rounds: round,
          files: edited.files.map(({ path }) => path)
        }
      })
    )

    return {
      name: "fix",
      params: Params,
      stages: [prepare, ...stages, push, pullRequest],
      admits: ({ workspace_id, params }) =>
        Effect.gen(function* () {
          const reason = yield* prs.rejectionOfSubmission({ workspace_id, number: yield* numberIn(params) })
          if (reason === null) return
          return yield* new SubmissionInvalid({ message: `params.ref: ${reason}`, param: "params" })
        })
    } satisfies Workflow
  })
}) {}
