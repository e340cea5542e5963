import { SqlClient } from "@effect/sql"
import { Effect, Layer, Option, Queue, Stream } from "effect"
import { JobId } from "../../../schema/Ids.ts"
import { type Actor, type InternalWorkflow } from "../../../schema/Job.ts"
import { missionRefOf } from "../../../schema/Mission.ts"
import type { JsonObject } from "../../../schema/Text.ts"
import { Caller, callerOfJob } from "../../access/Caller.ts"
import { withinWorkspace, withReach } from "../../access/Reach.ts"
import { Spend } from "../../access/Spend.ts"
import { FixPrs } from "../../fixes/FixPrs.ts"
import { Forecasts } from "../../forecasts/Forecasts.ts"
import { JobAdmissionRepo } from "../../jobs/JobAdmissionRepo.ts"
import { JobsRepo } from "../../jobs/JobsRepo.ts"
import { chooseInternal, dedupeHash } from "../../jobs/submission.ts"
import { Notifications } from "../../ports/Notifications.ts"
import { Workflows } from "../../ports/Workflows.ts"
import { newId } from "../../support/ids.ts"
import { now } from "../../support/now.ts"
import { transactional } from "../../support/transactional.ts"
import { MissionRun } from "../MissionRun.ts"
import { MissionStates } from "../MissionStates.ts"
import { type MissionKey, type MissionState, MissionsRepo, type StepRow } from "../MissionsRepo.ts"
import { nextOf } from "../transitions.ts"
import { type DueMission, MissionRunsRepo, missionsChannel, type RunState } from "./MissionRunsRepo.ts"

const tickInterval = "30 seconds"
const missionsAtOnce = 4

interface JobOfMission {
  readonly mission: MissionState
  readonly state: RunState
  readonly workflow: InternalWorkflow
  readonly params: JsonObject
}

/**
 * Carries missions on: one step after the other, each a job, then the pull request. What happened is in the rows, so that
 * whatever process ends, the next one goes on from them; a mission's row is locked while its next step is decided.
 */
export class MissionRuns extends Effect.Service<MissionRuns>()("MissionRuns", {
  effect: Effect.gen(function* () {
    const missions = yield* MissionsRepo
    const runs = yield* MissionRunsRepo
    const states = yield* MissionStates
    const jobs = yield* JobsRepo
    const admissions = yield* JobAdmissionRepo
    const forecasts = yield* Forecasts
    const spend = yield* Spend
    const workflows = yield* Workflows
    const prs = yield* FixPrs
    const notifications = yield* Notifications
    const inTransaction = transactional(yield* SqlClient.SqlClient)

    const forecastOf = ({ mission, state, workflow, params }: JobOfMission) =>
      forecasts.of({
        workflow,
        repository: { id: mission.repository_id, repo_name: state.repo_name },
        commit_sha: null,
        params
      })

    const queued = Effect.fnUntraced(function* (
      { mission, workflow, params }: JobOfMission,
      job: { readonly id: JobId; readonly forecast: Effect.Effect.Success<ReturnType<typeof forecastOf>> }
    ) {
      const { workspace_id, repository_id } = mission
      const inserted = yield* jobs.insert({
        ...job,
        workspace_id,
        repository_id,
        workflow,
        params,
        commit_sha: null,
        dedupe_hash: dedupeHash(workflow, params, null),
        parent_job_id: null,
        original_job_id: job.id,
        attempt: 1,
        requested_by: actorOf(mission),
        at: yield* now
      })
      if (!inserted)
        return yield* Effect.dieMessage("The repository of a mission was deleted while its job was queued.")
    })

    /** Paused before anything is spent where a ceiling, the credit or the budget has no room for the step. */
    const start = Effect.fnUntraced(function* (mission: MissionState, state: RunState, step: StepRow) {
      const params = { mission: missionRefOf(mission.number), step_id: step.id }
      const request: JobOfMission = { mission, state, workflow: "mission_step", params }
      const forecast = yield* forecastOf(request)
      const rejection = yield* spend.admit(forecast).pipe(
        Effect.as(null),
        Effect.catchAll(({ message }) => Effect.succeed(message))
      )
      if (rejection !== null) {
        const message = `Step ${step.position} (${step.title}) cannot begin: ${rejection} Resume the mission once there is room, or cancel it.`
        yield* states.change(mission, "over_budget", { step_id: step.id, waiting: { kind: "budget", message } })
        return
      }
      const id = yield* newId(JobId)
      const started = yield* states.stepStarts(mission, {
        step_id: step.id,
        job_id: id,
        forecast_usd: forecast.cost_mid
      })
      if (started === "started") yield* queued(request, { id, forecast })
    })

    const ask = (mission: MissionState, { id: step_id, position, title, attempts, failure }: StepRow) =>
      states.change(mission, "asked", {
        step_id,
        note: failure,
        waiting: {
          kind: "step",
          message: `Step ${position} (${title}) has failed ${attempts} times: ${failure ?? "its job failed."} Retry it, skip it, or cancel the mission.`
        }
      })

    const finish = Effect.fnUntraced(function* (mission: MissionState, state: RunState, steps: ReadonlyArray<StepRow>) {
      // Every step was skipped, or had nothing left to do.
      if (steps.every(({ commits }) => commits.length === 0)) {
        yield* states.change(mission, "completed")
        return
      }
      const params = { mission: missionRefOf(mission.number) }
      const request: JobOfMission = { mission, state, workflow: "mission_pull_request", params }
      const id = yield* newId(JobId)
      yield* queued(request, { id, forecast: yield* forecastOf(request) })
      yield* runs.setPullRequestJob(mission, id)
    })

    /** Whether the mission does not go on at all; why is written to it. */
    const isHeld = Effect.fnUntraced(function* (mission: MissionState, { repository_deleted }: RunState) {
      if (repository_deleted) {
        return yield* states.change(mission, "failed", { note: "The repository was deleted." })
      }
      const rejection = yield* chooseInternal(
        workflows,
        yield* admissions.policy(mission.workspace_id),
        "mission_step"
      ).pipe(
        Effect.as(null),
        Effect.catchAll(({ message }) => Effect.succeed(message))
      )
      return rejection !== null && (yield* states.change(mission, "paused", { note: rejection }))
    })

    /** What a running mission does next; nothing where it has a job, or does not run. */
    const advance = Effect.fn("MissionRuns.advance")(
      function* (key: MissionKey) {
        // Ceilings are exact under this lock; it comes before the mission's, as a submission of anything has no mission.
        yield* admissions.lock(key.workspace_id)
        const mission = Option.getOrNull(yield* missions.lock(key))
        if (mission?.status !== "running") return
        const state = yield* runs.stateOf(key)
        if (yield* isHeld(mission, state)) return
        const steps = yield* missions.steps(key)
        const next = nextOf(steps)
        if (next.kind === "start") yield* start(mission, state, next.step)
        else if (next.kind === "ask") yield* ask(mission, next.step)
        else if (next.kind === "finish") yield* finish(mission, state, steps)
      },
      inTransaction,
      (effect, { workspace_id }) => Effect.provideService(effect, Caller, callerOfJob(workspace_id))
    )

    /** What a mission has begun that was cancelled, or failed: its job ends, and others may fix its observations. */
    const settle = Effect.fn("MissionRuns.settle")(function* (key: MissionKey) {
      const { workspace_id } = key
      // Each in a transaction of its own: a job's row is locked before its mission's.
      for (const { id } of yield* runs.activeJobs(key)) yield* jobs.cancel({ workspace_id, id, at: yield* now })
      for (const { id } of yield* runs.attemptsUnderWay(key)) {
        yield* prs.ended({ workspace_id, id }, "cancelled", "The mission has ended without a pull request.")
      }
    })

    const attend = (mission: DueMission) =>
      (mission.status === "running" ? Effect.asVoid(advance(mission)) : settle(mission)).pipe(
        Effect.catchAllCause((cause) => Effect.logError("A mission could not be carried on.", cause)),
        Effect.annotateLogs({ mission_id: mission.id }),
        withinWorkspace(mission.workspace_id),
        withReach
      )

    const tick = Effect.fn("MissionRuns.tick")(function* () {
      yield* Effect.forEach(yield* runs.due, attend, { concurrency: missionsAtOnce, discard: true })
    })

    /** For ever: at every wake, at least every 30 seconds. One process of an installation runs this at a time. */
    const loop = Effect.gen(function* () {
      const wakes = yield* Queue.sliding<unknown>(1)
      yield* Effect.forkScoped(
        Stream.runForEach(notifications.watch(missionsChannel), () => Queue.offer(wakes, undefined))
      )
      const unfailing = Effect.catchAllCause(tick(), (cause) => Effect.logWarning("The run of missions failed.", cause))
      return yield* Effect.forever(Effect.zipRight(unfailing, Effect.timeoutOption(Queue.take(wakes), tickInterval)))
    }).pipe(Effect.scoped)

    return { tick, loop }
  })
}) {}

const actorOf = ({ number }: MissionState): Actor => ({
  kind: "system",
  label: missionRefOf(number),
  api_key_id: null,
  user_id: null
})

/** Decisions of people take effect with their transaction: the run looks at the mission then. */
export const MissionRunLive = Layer.effect(
  MissionRun,
  Effect.map(MissionRunsRepo, ({ wake }) => ({ advance: wake, stop: wake }))
)
