import { Effect, Option, Schema } from "effect"
import { closed } from "../../schema/closed.ts"
import { MissionStepId } from "../../schema/Ids.ts"
import { MissionNumberFromRef, missionRefOf } from "../../schema/Mission.ts"
import { type ObservationNumber, ObservationNumberFromRef, refOf } from "../../schema/Observation.ts"
import { type BegunStep, FixPrs } from "../fixes/FixPrs.ts"
import { failed, passed } from "../fixes/gates.ts"
import { describeFix, stepCommitMessage } from "../fixes/pullRequestText.ts"
import { type MissionState, MissionsRepo, type StepRow } from "../missions/MissionsRepo.ts"
import { MissionRunsRepo } from "../missions/run/MissionRunsRepo.ts"
import { CodeHost } from "../ports/CodeHost.ts"
import { type StageContext, StageFailed, stage, type Workflow } from "../ports/Workflow.ts"
import { now } from "../support/now.ts"
import { FixPublication } from "./FixPublication.ts"
import { FixStages } from "./FixStages.ts"
import type { Prepared } from "./fixData.ts"
import { hostFailed, Scanning } from "./Scanning.ts"

const Params = closed({ mission: MissionNumberFromRef, step_id: MissionStepId })

const numbersOf = Schema.decodeSync(Schema.Array(ObservationNumberFromRef))

/** The branch of a mission's commits. */
const branchOf = (mission: MissionState) =>
  mission.branch ?? `assay/mission-${missionRefOf(mission.number).toLowerCase()}`

/** One step of a mission: one commit on its branch, through the gates of a fix. */
export class MissionStepWorkflow extends Effect.Service<MissionStepWorkflow>()("MissionStepWorkflow", {
  effect: Effect.gen(function* () {
    const host = yield* CodeHost
    const scanning = yield* Scanning
    const prs = yield* FixPrs
    const missions = yield* MissionsRepo
    const runs = yield* MissionRunsRepo
    const fixing = yield* FixStages
    const publication = yield* FixPublication
    const { stages, report, proposal } = fixing.of({
      budgetLeft: ({ job: { id: job_id, workspace_id } }) => runs.budgetLeft({ workspace_id, job_id }),
      endsWithoutFindings: true
    })

    const stepOf = Effect.fnUntraced(function* ({ job: { id: job_id, workspace_id } }: StageContext) {
      const found = yield* missions.ofJob({ workspace_id, job_id })
      if (Option.isNone(found)) return yield* movedOn
      const key = { workspace_id, id: found.value.mission_id }
      const mission = yield* missions.find(key)
      const step = (yield* missions.steps(key)).find(({ id }) => id === found.value.step_id)
      if (Option.isNone(mission) || step === undefined) return yield* movedOn
      return { key, mission: mission.value, step }
    })

    const begun = Effect.fnUntraced(function* (context: StageContext, mission: MissionState, step: StepRow) {
      const { id, workspace_id } = context.job
      const numbers = numbersOf(step.observations)
      const request = { id, workspace_id, numbers, mission: { id: mission.id, branch: branchOf(mission) } }
      const start = yield* context.commit(prs.beginStep(request))
      for (const { number, reason } of start.left_out) yield* context.log(`${refOf(number)} is left out: ${reason}`)
      if (start.targets.length === 0 && numbers.length > 0) return yield* nothingToFix(start, numbers)
      return start.targets
    })

    /** The newest commit of the branch at the remote; null where there is none. */
    const tipOf = Effect.fnUntraced(function* (context: StageContext, branch: string) {
      const { remote } = yield* scanning.remoteOf(context.job)
      const { heads } = yield* Effect.mapError(host.inspect(remote), hostFailed)
      return heads.get(branch) ?? null
    })

    /**
     * The step before it made the commit that this one goes on from; the first one goes on from the base branch. What a lost
     * try pushed is replaced, and what people pushed is kept.
     */
    const startOf = Effect.fnUntraced(function* (context: StageContext, mission: MissionState) {
      const branch = branchOf(mission)
      const { head_commit, announced } = yield* runs.stateOf(mission)
      const tip = yield* tipOf(context, branch)
      const base = yield* scanning.mirrorOf(context.job)
      const from = head_commit ?? base.commit
      if (tip === null || (head_commit === null && !announced.includes(tip))) {
        const isHere = yield* host.has({ gitDir: base.gitDir, commit: from })
        if (!isHere) return yield* branchDeleted(branch)
        return { branch, mirror: base.gitDir, base: from, parent: from, pushed: null }
      }
      const { gitDir, revision } = yield* scanning.revisionOf(context.job, { kind: "branch", name: branch })
      const parent = revision === head_commit || announced.includes(revision) ? from : revision
      return { branch, mirror: gitDir, base: parent, parent, pushed: revision }
    })

    const prepare = stage("prepare", (context) =>
      Effect.gen(function* () {
        const { mission, step } = yield* stepOf(context)
        const targets = yield* begun(context, mission, step)
        const start = yield* startOf(context, mission)
        const runners = yield* fixing.runnersOf(context.job.workspace_id)
        const agents = runners.filter((runner) => runner === "agent")
        const at = yield* now
        return {
          targets,
          instructions: instructionsOf(step),
          at,
          // Fixers fix findings; a step without any is an agent's.
          runners: targets.length === 0 && agents.length > 0 ? agents : runners,
          ...start
        } satisfies Prepared
      })
    )

    const push = stage("push", (context) =>
      Effect.gen(function* () {
        const found = yield* proposal(context)
        if (Option.isNone(found)) return { head_commit: null, branch: null, base_commit: null }
        const { round, prepared, subjects, edited } = found.value
        const { mission, step } = yield* stepOf(context)
        const { id: job_id, workspace_id } = context.job
        const { files, diff, runner, summary } = edited
        const message = stepCommitMessage({
          mission: missionRefOf(mission.number),
          title: step.title,
          job_id,
          fixes: subjects.map(({ number, finding }) => describeFix(number, finding, edited)),
          summary
        })
        const gitDir = yield* fixing.mirrorOf(context, prepared)
        const announce = (commit: string) => context.commit(runs.announce({ workspace_id, step_id: step.id, commit }))
        const commit = yield* Effect.tapError(
          publication.push(context, gitDir, { prepared, files, message, announce }),
          (error) =>
            error._tag === "StageFailed"
              ? report(context, prepared, round, [failed("push", error.failure_kind, error.message)])
              : Effect.void
        )
        yield* report(context, prepared, round, [
          passed("push", `Pushed ${commit.slice(0, 12)} to ${prepared.branch}.`)
        ])
        const fixed = new Set(subjects.map(({ number }) => number))
        const made = { base_commit: prepared.base, head_commit: commit, diff, runner }
        yield* context.commit(
          Effect.forEach(
            prepared.targets.filter(({ number }) => fixed.has(number)),
            ({ attempt_id }) => prs.proposed({ workspace_id, id: attempt_id }, made),
            { discard: true }
          )
        )
        return {
          head_commit: commit,
          branch: prepared.branch,
          base_commit: prepared.base,
          runner,
          rounds: round,
          files: files.map(({ path }) => path)
        }
      })
    )

    return {
      name: "mission_step",
      beta: "missions",
      params: Params,
      stages: [prepare, ...stages, push]
    } satisfies Workflow
  })
}) {}

const movedOn = new StageFailed({ failure_kind: "no_changes", message: "The mission no longer has this step." })

const branchDeleted = (branch: string) =>
  new StageFailed({
    failure_kind: "repo_unavailable",
    message: `The branch ${branch} was deleted, and its commits are not here any more. Push it again, or cancel the mission.`
  })

const nothingToFix = ({ left_out }: BegunStep, numbers: ReadonlyArray<ObservationNumber>) =>
  new StageFailed({
    failure_kind: "no_changes",
    message: `Nothing of ${numbers.map((number) => refOf(number)).join(", ")} can be fixed now. ${left_out.map(({ reason }) => reason).join(" ")}`
  })

/** What an agent is to know beyond the findings; the brief has the limits of the mission. */
const instructionsOf = ({ brief_md, answer }: StepRow): string =>
  answer === null ? brief_md : `A person answered:\n\n${answer}\n\n${brief_md}`
