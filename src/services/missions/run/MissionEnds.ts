import { Effect, Layer, Option } from "effect"
import { FixAttempts } from "../../fixes/FixAttempts.ts"
import { type EndedMissionJob, MissionJobs } from "../../jobs/MissionJobs.ts"
import { MissionStates } from "../MissionStates.ts"
import { MissionsRepo } from "../MissionsRepo.ts"
import { MissionRunsRepo } from "./MissionRunsRepo.ts"

const outcomes = { completed: "completed", failed: "failed", cancelled: "released" } as const

/** What becomes of a mission when one of its jobs ends, in the transaction of that end. */
export class MissionEnds extends Effect.Service<MissionEnds>()("MissionEnds", {
  effect: Effect.gen(function* () {
    const missions = yield* MissionsRepo
    const runs = yield* MissionRunsRepo
    const states = yield* MissionStates
    const attempts = yield* FixAttempts

    /** A fix that is on the branch goes on until the pull request opens. */
    const endAttempts = Effect.fnUntraced(function* ({ id: job_id, workspace_id, status, error }: EndedMissionJob) {
      if (status === "completed") return
      for (const { id } of yield* runs.attemptsOfJob({ workspace_id, job_id })) {
        const key = { workspace_id, id }
        if (status === "cancelled") yield* attempts.apply(key, "cancelled")
        else yield* attempts.apply(key, "failed", { reason: error })
      }
    })

    const stepEnded = Effect.fnUntraced(function* (job: EndedMissionJob) {
      const { id: job_id, workspace_id, status, error } = job
      const found = yield* missions.ofJob({ workspace_id, job_id })
      if (Option.isNone(found)) return
      const { mission_id, step_id } = found.value
      const key = { workspace_id, id: mission_id }
      const { cost_usd, head_commit, branch, base_commit, gates } = yield* runs.endOf({ workspace_id, job_id })
      const commit = status === "completed" ? head_commit : null
      yield* endAttempts(job)
      yield* states.stepEnds(key, {
        step_id,
        job_id,
        outcome: outcomes[status],
        cost_usd,
        commits: commit === null ? [] : [commit],
        gates,
        failure: error
      })
      if (commit !== null && branch !== null && base_commit !== null) {
        const before = yield* missions.find(key)
        if (Option.exists(before, (mission) => mission.branch === null)) {
          yield* states.setBranch(key, { branch, base_commit })
        }
        yield* runs.setHead(key, commit)
      }
      if (status === "cancelled")
        yield* states.change(key, "paused", { step_id, note: "The step's job was cancelled." })
      yield* runs.wake(key)
    })

    const pullRequestEnded = Effect.fnUntraced(function* ({
      id: job_id,
      workspace_id,
      status,
      error
    }: EndedMissionJob) {
      const found = yield* runs.ofPullRequestJob({ workspace_id, job_id })
      if (Option.isNone(found)) return
      const key = { workspace_id, id: found.value.id }
      // The mission's row first, as everything does that changes it.
      yield* missions.lock(key)
      yield* runs.setPullRequestJob(key, null)
      if (status === "completed") yield* states.change(key, "completed")
      if (status === "cancelled")
        yield* states.change(key, "paused", { note: "The job of its pull request was cancelled." })
      if (status === "failed") {
        const message = `The pull request could not be opened: ${error ?? "its job failed."} Answer to try again, or cancel the mission.`
        yield* states.change(key, "asked", { waiting: { kind: "question", message }, note: error })
      }
      yield* runs.wake(key)
    })

    /** Once for each job, however it ends. */
    const ended = (job: EndedMissionJob) => (job.workflow === "mission_step" ? stepEnded(job) : pullRequestEnded(job))

    return { ended }
  })
}) {}

/** What jobs call when they end. */
export const MissionJobsLive = Layer.effect(
  MissionJobs,
  Effect.map(MissionEnds, ({ ended }) => ({ ended }))
)
