import { Effect, Option, Schema } from "effect"
import { closed } from "../../schema/closed.ts"
import { fixBranchOf, fixInstructions } from "../../schema/Fix.ts"
import { SubmissionInvalid } from "../../schema/Job.ts"
import { ObservationNumberFromRef } from "../../schema/Observation.ts"
import { optional } from "../../schema/Text.ts"
import { type AttemptState, FixPrs } from "../fixes/FixPrs.ts"
import { type FailedGate, failed, type Gate, isFailed, passed } from "../fixes/gates.ts"
import { CodeHost } from "../ports/CodeHost.ts"
import { type StageContext, StageFailed, type StageStopped, stage, type Workflow } from "../ports/Workflow.ts"
import { now } from "../support/now.ts"
import { FixPublication } from "./FixPublication.ts"
import { FixRounds } from "./FixRounds.ts"
import { FixSubjects } from "./FixSubjects.ts"
import { compared, editOf, outputOf, type Prepared, preparedFix, RoundEnd } from "./fixData.ts"
import { Scanning } from "./Scanning.ts"

/** Edits of one attempt at most: the first, and two after gates that failed. */
const maxRounds = 3

const Params = closed({ ref: ObservationNumberFromRef, instructions: optional(fixInstructions) })
const numberIn = (params: unknown) => Effect.map(Effect.orDie(Schema.decodeUnknown(Params)(params)), ({ ref }) => ref)

const stageOf = (name: "edit" | "check", round: number) => (round === 1 ? name : `${name}_${round}`)

const unused = { state: "unused", feedback: [] } as const

/** From an open finding to a pull request that fixes it, through gates. */
export class FixWorkflow extends Effect.Service<FixWorkflow>()("FixWorkflow", {
  effect: Effect.gen(function* () {
    const host = yield* CodeHost
    const scanning = yield* Scanning
    const prs = yield* FixPrs
    const subjects = yield* FixSubjects
    const rounds = yield* FixRounds
    const publication = yield* FixPublication

    const keyOf = ({ job }: StageContext, { attempt_id }: Pick<Prepared, "attempt_id">) => ({
      workspace_id: job.workspace_id,
      id: attempt_id
    })

    /** The mirror that was prepared, where it is on this machine; a stage may run on another one. */
    const mirrorOf = Effect.fnUntraced(function* ({ job }: StageContext, { mirror, base, parent }: Prepared) {
      const isHere = yield* Effect.forEach([base, parent], (commit) => host.has({ gitDir: mirror, commit }))
      return isHere.every(Boolean) ? mirror : (yield* scanning.mirrorOf(job)).gitDir
    })

    /** In the job's events and with the attempt. */
    const report = (context: StageContext, prepared: Prepared, round: number, gates: ReadonlyArray<Gate>) =>
      Effect.forEach(
        gates,
        ({ name, result, reason }) =>
          Effect.zipRight(
            context.gate({ name, result, reason }),
            context.commit(prs.gate(keyOf(context, prepared), { name, result, reason, round }))
          ),
        { discard: true }
      )

    /** Ends the job; the attempt ends with it. */
    const failWith = ({ name, failure_kind, reason }: FailedGate) =>
      new StageFailed({ failure_kind, message: `The gate ${name} failed. ${reason}` })

    const decline = (context: StageContext, prepared: Prepared, gate: FailedGate) =>
      Effect.zipRight(
        context.commit(prs.ended(keyOf(context, prepared), "declined", gate.reason)),
        Effect.fail(failWith(gate))
      )

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
      const runners = yield* rounds.runnersOf(context.job.workspace_id)
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
        const branch = attempt.branch ?? fixBranchOf(attempt.observation_number, attempt.number)
        const start = yield* startOf(context, attempt, branch)
        const { id: attempt_id, number, instructions } = attempt
        const at = yield* now
        return { attempt_id, attempt: number, instructions, branch, at, ...start }
      })
    )

    const stillPresent = stage("still_present", (context) =>
      Effect.gen(function* () {
        const prepared = yield* preparedFix(context)
        const number = yield* numberIn(context.job.params)
        const gitDir = yield* mirrorOf(context, prepared)
        const subject = yield* subjects.find(context, { number, gitDir, commit: prepared.base })
        if (Option.isNone(subject)) {
          const reason = `The finding is no longer there at commit ${prepared.base.slice(0, 12)}.`
          const gate = failed("still_present", "no_changes", reason)
          yield* report(context, prepared, 1, [gate])
          return yield* decline(context, prepared, gate)
        }
        yield* compared.write(context, subject.value)
        const { rule_id, locations } = subject.value.finding
        const { file_path, line_start } = locations[0]
        const gate = passed("still_present", `The rule ${rule_id} matches at ${file_path}:${line_start}.`)
        yield* report(context, prepared, 1, [gate])
        return { reason: gate.reason }
      })
    )

    const endOf = (context: StageContext, name: "edit" | "check", round: number) =>
      outputOf(context, stageOf(name, round), RoundEnd)

    /** What the round before left open; nothing where this round is not needed. */
    const opening = Effect.fnUntraced(function* (context: StageContext, round: number) {
      if (round === 1) return Option.some<RoundEnd["feedback"]>([])
      const { state, feedback } = yield* endOf(context, "check", round - 1)
      return state === "open" ? Option.some(feedback) : Option.none()
    })

    /** A round that failed: an agent, where one takes part, gets the reason; else the attempt ends. */
    const settle = Effect.fnUntraced(function* (
      context: StageContext,
      prepared: Prepared,
      round: number,
      gate: FailedGate
    ): Effect.fn.Return<RoundEnd, StageFailed | StageStopped> {
      if (round < maxRounds && prepared.runners.includes("agent")) {
        return { state: "open", feedback: [{ name: gate.name, reason: gate.reason }] } as const
      }
      return yield* gate.name === "edit" ? decline(context, prepared, gate) : failWith(gate)
    })

    const edit = (round: number) =>
      stage(stageOf("edit", round), (context) =>
        Effect.gen(function* () {
          const feedback = yield* opening(context, round)
          if (Option.isNone(feedback)) return unused
          const prepared = yield* preparedFix(context)
          const gitDir = yield* mirrorOf(context, prepared)
          const { finding } = yield* compared.read(context)
          const runner = round === 1 ? (prepared.runners[0] ?? "rules") : "agent"
          const number = yield* numberIn(context.job.params)
          const request = { prepared, number, gitDir, finding, runner, feedback: feedback.value } as const
          const edited = yield* rounds.edit(context, request)
          yield* report(context, prepared, round, edited.gates)
          yield* editOf(round).write(context, edited)
          const gate = edited.gates.find(isFailed)
          return gate === undefined
            ? ({ state: "proposed", feedback: [] } as const)
            : yield* settle(context, prepared, round, gate)
        })
      )

    const check = (round: number) =>
      stage(stageOf("check", round), (context) =>
        Effect.gen(function* () {
          const start = yield* endOf(context, "edit", round)
          if (start.state !== "proposed") return start
          const prepared = yield* preparedFix(context)
          const gitDir = yield* mirrorOf(context, prepared)
          const edited = yield* editOf(round).read(context)
          const base = yield* compared.read(context)
          const gates = yield* rounds.check(context, { prepared, gitDir, edited, base })
          yield* report(context, prepared, round, gates)
          yield* editOf(round).write(context, { ...edited, gates: [...edited.gates, ...gates] })
          const gate = gates.find(isFailed)
          return gate === undefined
            ? ({ state: "passed", feedback: [] } as const)
            : yield* settle(context, prepared, round, gate)
        })
      )

    /** The edit that passed all gates so far, with what describes it. */
    const proposal = Effect.fnUntraced(function* (context: StageContext) {
      const prepared = yield* preparedFix(context)
      for (let round = 1; round <= maxRounds; round++) {
        const { state } = yield* endOf(context, "check", round)
        if (state !== "passed") continue
        const number = yield* numberIn(context.job.params)
        const { finding } = yield* compared.read(context)
        const { reason } = yield* outputOf(context, "still_present", Schema.Struct({ reason: Schema.String }))
        const edited = yield* editOf(round).read(context)
        const gates = [passed("still_present", reason), ...edited.gates]
        return { round, prepared, number, finding, edited: { ...edited, gates } }
      }
      return yield* Effect.dieMessage("A fix is pushed without a round that passed.")
    })

    const push = stage("push", (context) =>
      Effect.gen(function* () {
        const found = yield* proposal(context)
        const { round, prepared, edited } = found
        const gitDir = yield* mirrorOf(context, prepared)
        const commit = yield* Effect.tapError(publication.push(context, gitDir, found), ({ message, failure_kind }) =>
          report(context, prepared, round, [failed("push", failure_kind, message)])
        )
        const gate = passed("push", `Pushed ${commit.slice(0, 12)} to ${prepared.branch}.`)
        yield* report(context, prepared, round, [gate])
        const { diff, runner } = edited
        const key = keyOf(context, prepared)
        yield* context.commit(prs.proposed(key, { base_commit: prepared.base, head_commit: commit, diff, runner }))
        return { head_commit: commit, branch: prepared.branch }
      })
    )

    const pullRequest = stage("pull_request", (context) =>
      Effect.gen(function* () {
        const found = yield* proposal(context)
        const { round, prepared, edited } = found
        const { head_commit } = yield* outputOf(context, "push", Schema.Struct({ head_commit: Schema.String }))
        const pr = yield* Effect.tapError(publication.open(context, found), ({ message, failure_kind }) =>
          report(context, prepared, round, [failed("pull_request", failure_kind, message)])
        )
        yield* report(context, prepared, round, [passed("pull_request", `The pull request is open: ${pr.url}`)])
        const key = keyOf(context, prepared)
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
      stages: [
        prepare,
        stillPresent,
        ...Array.from({ length: maxRounds }, (_, index) => [edit(index + 1), check(index + 1)]).flat(),
        push,
        pullRequest
      ],
      admits: ({ workspace_id, params }) =>
        Effect.gen(function* () {
          const reason = yield* prs.rejectionOfSubmission({ workspace_id, number: yield* numberIn(params) })
          if (reason === null) return
          return yield* new SubmissionInvalid({ message: `params.ref: ${reason}`, param: "params" })
        })
    } satisfies Workflow
  })
}) {}
