import { SqlClient } from "@effect/sql"
import { Effect, Option } from "effect"
import type { AuditActor } from "../../schema/AuditLog.ts"
import type { JobId, MissionStepId } from "../../schema/Ids.ts"
import type { MissionStep } from "../../schema/Mission.ts"
import { now } from "../support/now.ts"
import { transactional } from "../support/transactional.ts"
import { dollars, left, nanosOf, type Purse, reserve, settle, usdOf } from "./budget.ts"
import { MissionNotices } from "./MissionNotices.ts"
import {
  type MissionKey,
  type MissionState,
  MissionsRepo,
  type NewEvent,
  type StepRow,
  type Waiting
} from "./MissionsRepo.ts"
import { afterFailure, isFinal, type MissionChange, missionAfter, type StepChange, stepAfter } from "./transitions.ts"

/** The run of a mission, where no person acts. */
export const missionActor: AuditActor = { kind: "job", user_id: null, api_key: null, label: "mission" }

export interface ChangeDetails {
  /** Who acts; the run of the mission where no one is named. */
  readonly by?: AuditActor
  readonly note?: string | null
  readonly step_id?: MissionStepId | null
  /** What a person is asked in the new state. */
  readonly waiting?: Waiting | null
}

export interface StepStart {
  readonly step_id: MissionStepId
  readonly job_id: JobId
  /** What the try is forecast to cost: set aside until it ends. */
  readonly forecast_usd: number
}

/** How a try of a step has ended. */
export interface StepEnd {
  readonly step_id: MissionStepId
  /** The try's job: the end of an earlier one means nothing. */
  readonly job_id: JobId
  /** `released`: its job was cancelled or lost; that is no failed try. */
  readonly outcome: "completed" | "failed" | "released"
  readonly cost_usd: number
  readonly commits: ReadonlyArray<string>
  readonly gates: MissionStep["gates"]
  readonly failure: string | null
}

export const purseOf = ({ budget_usd, spent_usd, reserved_usd }: MissionState): Purse => ({
  budget: nanosOf(budget_usd),
  spent: nanosOf(spent_usd),
  reserved: nanosOf(reserved_usd)
})

/**
 * The only place that changes the status of a mission or of a step: by the tables of transitions, with an event, and with
 * the money that the change moves. Each change is one transaction, in which the mission's row is locked; a job's row is
 * locked before its mission's.
 */
export class MissionStates extends Effect.Service<MissionStates>()("MissionStates", {
  effect: Effect.gen(function* () {
    const repo = yield* MissionsRepo
    const notices = yield* MissionNotices
    const inTransaction = transactional(yield* SqlClient.SqlClient)

    const setMoney = (mission: MissionState, purse: Purse, at: string) =>
      repo.setMoney({
        workspace_id: mission.workspace_id,
        id: mission.id,
        budget_usd: usdOf(purse.budget),
        spent_usd: usdOf(purse.spent),
        reserved_usd: usdOf(purse.reserved),
        at
      })

    const setStep = (
      mission: MissionState,
      step: StepRow,
      change: StepChange,
      fields: Partial<StepRow>,
      at: string
    ) => {
      const status = stepAfter(step.status, change)
      if (status === null) return Effect.succeed(false)
      const { workspace_id, id } = mission
      const final = status === "completed" || status === "skipped"
      return Effect.as(
        repo.setStep({ ...step, ...fields, status, final, at, workspace_id, id, step_id: step.id }),
        true
      )
    }

    const addEvent = (
      mission: NewEvent["mission"] & { readonly status: MissionState["status"] | null },
      event: NewEvent["event"],
      to_status: MissionState["status"],
      at: string,
      { by = missionActor, note = null, step_id = null }: ChangeDetails
    ) => repo.addEvent({ mission, at, actor: by, event, from_status: mission.status, to_status, step_id, note })

    /** Of a locked mission: what the table gives, with its event; nothing where the table gives nothing. */
    const apply = Effect.fn("MissionStates.apply")(function* (
      mission: MissionState,
      change: MissionChange,
      details: ChangeDetails = {}
    ) {
      const status = missionAfter(mission.status, change)
      if (status === null) return Option.none<MissionState>()
      const { workspace_id, id } = mission
      const { waiting = null, note = null } = details
      const at = yield* now
      const ended_because = status === "failed" || status === "cancelled" ? note : null
      yield* repo.setStatus({ workspace_id, id, status, waiting, ended_because, final: isFinal(status), at })
      yield* addEvent(mission, change, status, at, details)
      if (mission.waiting_kind !== null) yield* notices.waitsNoLonger(mission)
      if (waiting !== null) yield* notices.waits(mission, waiting)
      return Option.some<MissionState>({ ...mission, status, waiting_kind: waiting?.kind ?? null })
    })

    const locked = (key: MissionKey) => Effect.map(repo.lock(key), Option.getOrNull)

    const stepOf = Effect.fnUntraced(function* (mission: MissionState, step_id: MissionStepId) {
      const steps = yield* repo.steps(mission)
      return steps.find(({ id }) => id === step_id) ?? null
    })

    /** A change by the run of a mission, which may have moved on meanwhile: whether it took place. */
    const change = Effect.fn("MissionStates.change")(function* (
      key: MissionKey,
      name: MissionChange,
      details: ChangeDetails = {}
    ) {
      const mission = yield* locked(key)
      return mission !== null && Option.isSome(yield* apply(mission, name, details))
    }, inTransaction)

    /**
     * A try of a step begins: its forecast is set aside. `over_budget`: the mission is paused instead, and waits on a
     * person to raise the budget. `stale`: the mission does not run, or the step is not pending.
     */
    const stepStarts = Effect.fn("MissionStates.stepStarts")(function* (
      key: MissionKey,
      { step_id, job_id, forecast_usd }: StepStart
    ) {
      const mission = yield* locked(key)
      const step = mission === null ? null : yield* stepOf(mission, step_id)
      if (mission?.status !== "running" || step === null || stepAfter(step.status, "started") === null) return "stale"
      const at = yield* now
      const forecast = nanosOf(forecast_usd)
      const purse = reserve(purseOf(mission), forecast)
      if (purse === null) {
        yield* apply(mission, "over_budget", { step_id, waiting: budgetWaiting(step, forecast, purseOf(mission)) })
        return "over_budget"
      }
      yield* setMoney(mission, purse, at)
      const attempts = step.attempts + 1
      const reserved_usd = usdOf(forecast)
      yield* setStep(mission, step, "started", { job_id, attempts, reserved_usd, failure: null, gates: [] }, at)
      yield* addEvent(mission, "step_started", mission.status, at, { step_id })
      return "started"
    }, inTransaction)

    /**
     * A try of a step has ended, however the mission stands: what it cost is spent, what was set aside is free. The first
     * failure releases the step for another try, the second leaves it failed. The step's change; nothing where the job is
     * not its newest try.
     */
    const stepEnds = Effect.fn("MissionStates.stepEnds")(function* (key: MissionKey, end: StepEnd) {
      const mission = yield* locked(key)
      const step = mission === null ? null : yield* stepOf(mission, end.step_id)
      if (mission === null || step === null) return Option.none<StepChange>()
      if (step.status !== "running" || step.job_id !== end.job_id) return Option.none<StepChange>()
      const at = yield* now
      const cost = nanosOf(end.cost_usd)
      const outcome = end.outcome === "failed" ? afterFailure(step.attempts) : end.outcome
      yield* setMoney(mission, settle(purseOf(mission), nanosOf(step.reserved_usd), cost), at)
      yield* setStep(
        mission,
        step,
        outcome,
        {
          reserved_usd: 0,
          cost_usd: usdOf(nanosOf(step.cost_usd) + cost),
          commits: end.commits,
          gates: end.gates,
          failure: end.failure,
          attempts: end.outcome === "released" ? step.attempts - 1 : step.attempts
        },
        at
      )
      yield* addEvent(mission, `step_${outcome}`, mission.status, at, { step_id: end.step_id, note: end.failure })
      return Option.some<StepChange>(outcome)
    }, inTransaction)

    /** A person decides on a step of a locked mission that is not under way; whether the table has that. */
    const decideStep = Effect.fn("MissionStates.decideStep")(function* (
      mission: MissionState,
      step: StepRow,
      decision: "skipped" | "retried",
      details: ChangeDetails
    ) {
      const at = yield* now
      const { workspace_id, id } = mission
      const changed = yield* setStep(mission, step, decision, {}, at)
      if (!changed) return false
      if (decision === "skipped") {
        yield* repo.setSkipReason({ workspace_id, id, step_id: step.id, reason: details.note ?? "" })
      }
      yield* setMoney(mission, purseOf(mission), at)
      yield* addEvent(mission, `step_${decision}`, mission.status, at, { ...details, step_id: step.id })
      return true
    })

    /** A person's answer, for the next try of a pending step. */
    const answerStep = Effect.fn("MissionStates.answerStep")(function* (
      mission: MissionState,
      step: StepRow,
      details: ChangeDetails
    ) {
      const at = yield* now
      const { workspace_id, id } = mission
      yield* repo.setStep({ ...step, workspace_id, id, step_id: step.id, final: false, at })
      yield* addEvent(mission, "answered", mission.status, at, { ...details, step_id: step.id })
    })

    /** The branch that the first commit makes. */
    const setBranch = Effect.fn("MissionStates.setBranch")(function* (
      key: MissionKey,
      branch: { readonly branch: string; readonly base_commit: string }
    ) {
      yield* repo.setBranch({ ...key, ...branch, at: yield* now })
    })

    const setPullRequest = Effect.fn("MissionStates.setPullRequest")(function* (
      key: MissionKey,
      pullRequest: { readonly pr_url: string; readonly pr_number: number | null }
    ) {
      const mission = yield* locked(key)
      if (mission === null || mission.pr_url === pullRequest.pr_url) return
      const at = yield* now
      yield* repo.setPullRequest({ ...key, ...pullRequest, at })
      yield* addEvent(mission, "pull_request_opened", mission.status, at, { note: pullRequest.pr_url })
    }, inTransaction)

    return {
      apply,
      change,
      stepStarts,
      stepEnds,
      decideStep,
      answerStep,
      setMoney,
      addEvent,
      setBranch,
      setPullRequest
    }
  })
}) {}

/** What a person is asked where the budget does not have a step's forecast. */
const budgetWaiting = (step: StepRow, forecast: number, purse: Purse): Waiting => ({
  kind: "budget",
  message: `Raise the budget, or cancel the mission: step ${step.position} (${step.title}) is forecast to cost ${dollars(forecast)}, and ${dollars(Math.max(0, left(purse)))} of ${dollars(purse.budget)} is left.`
})
