import { SqlClient } from "@effect/sql"
import { Effect, Option } from "effect"
import type { MissionStepId } from "../../schema/Ids.ts"
import {
  BudgetNotRaised,
  type Mission,
  type MissionNotFound,
  type MissionNumber,
  type MissionStatus,
  MissionStepNotFound
} from "../../schema/Mission.ts"
import { Caller } from "../access/Caller.ts"
import { AuditLog, actorOf } from "../audit_log/AuditLog.ts"
import { now } from "../support/now.ts"
import { transactional } from "../support/transactional.ts"
import { dollars, nanosOf, type Purse, raise } from "./budget.ts"
import { MissionReads, noMission } from "./MissionReads.ts"
import { MissionRun } from "./MissionRun.ts"
import { type ChangeDetails, MissionStates, purseOf } from "./MissionStates.ts"
import { loggedOf, objectOf } from "./Missions.ts"
import { type MissionState, MissionsRepo } from "./MissionsRepo.ts"
import { rejectedMove } from "./moves.ts"
import { isFinal, type MissionChange, nextOf, stepAfter } from "./transitions.ts"

/** What people decide of missions. Each decision is one transaction, with what it means to the run of the mission. */
export class MissionDecisions extends Effect.Service<MissionDecisions>()("MissionDecisions", {
  effect: Effect.gen(function* () {
    const repo = yield* MissionsRepo
    const reads = yield* MissionReads
    const states = yield* MissionStates
    const run = yield* MissionRun
    const auditLog = yield* AuditLog
    const inTransaction = transactional(yield* SqlClient.SqlClient)

    /** Of the locked mission; `body` changes it, or leaves it where it is as requested already. */
    const decide = <E>(
      number: MissionNumber,
      body: (mission: MissionState, details: ChangeDetails) => Effect.Effect<void, E>
    ): Effect.Effect<Mission, E | MissionNotFound, Caller> =>
      Effect.gen(function* () {
        const caller = yield* Caller
        const found = yield* repo.lockNumber({ workspace_id: caller.workspace_id, number })
        if (Option.isNone(found)) return yield* noMission(number)
        const before = yield* reads.get(number)
        yield* body(found.value, { by: actorOf(caller) })
        const after = yield* reads.get(number)
        yield* auditLog.record({ object: objectOf(number), before: loggedOf(before), after: loggedOf(after) })
        return after
      }).pipe(inTransaction)

    /** A change of status; none where the mission has that status already. */
    const move = Effect.fnUntraced(function* (
      mission: MissionState,
      { change, to, wayOut }: Move,
      details: ChangeDetails
    ) {
      if (mission.status === to) return false
      const moved = yield* states.apply(mission, change, details)
      if (Option.isNone(moved)) return yield* rejectedMove(mission, to, wayOut)
      return true
    })

    const approve = Effect.fn("MissionDecisions.approve")((number: MissionNumber) =>
      decide(
        number,
        Effect.fnUntraced(function* (mission, details) {
          if (!(yield* move(mission, moves.approve, details))) return
          const { workspace_id, id, plan_version } = mission
          const by = details.by ?? mission.created_by
          yield* repo.decidePlan({
            workspace_id,
            id,
            plan_version,
            decision: "approved",
            by,
            reason: null,
            at: yield* now
          })
          yield* run.advance(mission)
        })
      )
    )

    const sendBack = Effect.fn("MissionDecisions.sendBack")((number: MissionNumber, reason: string) =>
      decide(
        number,
        Effect.fnUntraced(function* (mission, details) {
          if (!(yield* move(mission, moves.sendBack, { ...details, note: reason }))) return
          const { workspace_id, id, plan_version } = mission
          const by = details.by ?? mission.created_by
          yield* repo.decidePlan({ workspace_id, id, plan_version, decision: "sent_back", by, reason, at: yield* now })
        })
      )
    )

    /** The step under way goes on to its end; no other begins. */
    const pause = Effect.fn("MissionDecisions.pause")((number: MissionNumber) =>
      decide(number, (mission, details) => Effect.asVoid(move(mission, moves.pause, details)))
    )

    const resume = Effect.fn("MissionDecisions.resume")((number: MissionNumber) =>
      decide(
        number,
        Effect.fnUntraced(function* (mission, details) {
          if (yield* move(mission, moves.resume, details)) yield* run.advance(mission)
        })
      )
    )

    const cancel = Effect.fn("MissionDecisions.cancel")((number: MissionNumber) =>
      decide(
        number,
        Effect.fnUntraced(function* (mission, details) {
          if (yield* move(mission, moves.cancel, details)) yield* run.stop(mission)
        })
      )
    )

    /** Only upwards; a mission that waits for it goes on. */
    const raiseBudget = Effect.fn("MissionDecisions.raiseBudget")((number: MissionNumber, budget_usd: number) =>
      decide(
        number,
        Effect.fnUntraced(function* (mission, details) {
          if (isFinal(mission.status)) {
            return yield* rejectedMove(mission, "running", "Its budget does not matter any more; resubmit it first.")
          }
          const purse = raise(purseOf(mission), nanosOf(budget_usd))
          if (purse === null) return yield* notRaised(purseOf(mission))
          const at = yield* now
          yield* states.setMoney(mission, purse, at)
          const note = `From ${dollars(nanosOf(mission.budget_usd))} to ${dollars(purse.budget)}.`
          yield* states.addEvent(mission, "budget_raised", mission.status, at, { ...details, note })
          if (mission.waiting_kind !== "budget") return
          yield* states.apply({ ...mission, budget_usd }, "resumed", details)
          yield* run.advance(mission)
        })
      )
    )

    /** The step of a locked mission, and whether the mission waits on a person because of it. */
    const stepOf = Effect.fnUntraced(function* (mission: MissionState, step_id: MissionStepId) {
      const steps = yield* repo.steps(mission)
      const step = steps.find(({ id }) => id === step_id)
      if (step === undefined) return yield* new MissionStepNotFound({ message: `No step ${step_id}.` })
      const next = nextOf(steps)
      const isWaitedFor = mission.waiting_kind === "step" && next.kind === "ask" && next.step.id === step_id
      return { step, isWaitedFor }
    })

    /** The mission goes on where it waited for the decision. */
    const goOn = (mission: MissionState, details: ChangeDetails) =>
      Effect.zipRight(states.apply(mission, "decided", details), run.advance(mission))

    const decideStep = (
      decision: "skipped" | "retried",
      number: MissionNumber,
      step_id: MissionStepId,
      note: string | null
    ) =>
      decide(
        number,
        Effect.fnUntraced(function* (mission, details) {
          const { step, isWaitedFor } = yield* stepOf(mission, step_id)
          if (stepAfter(step.status, decision) === null || isFinal(mission.status)) {
            if (decision === "skipped" && step.status === "skipped") return
            return yield* rejectedMove(mission, mission.status, stepWayOut[decision](step.position, step.status))
          }
          yield* states.decideStep(mission, step, decision, { ...details, note })
          if (isWaitedFor) yield* goOn(mission, details)
        })
      )

    const skip = Effect.fn("MissionDecisions.skip")((number: MissionNumber, step_id: MissionStepId, reason: string) =>
      decideStep("skipped", number, step_id, reason)
    )

    const retry = Effect.fn("MissionDecisions.retry")((number: MissionNumber, step_id: MissionStepId) =>
      decideStep("retried", number, step_id, null)
    )

    /** The answer goes to the step that asked, or that failed, and that is tried again. */
    const answer = Effect.fn("MissionDecisions.answer")((number: MissionNumber, text: string) =>
      decide(
        number,
        Effect.fnUntraced(function* (mission, details) {
          const next = nextOf(yield* repo.steps(mission))
          const isAsked = mission.waiting_kind === "question" || mission.waiting_kind === "step"
          if (!isAsked || next.kind === "await") {
            return yield* rejectedMove(mission, "running", "It has asked nothing.")
          }
          const answered = { ...details, note: text }
          if (next.kind === "finish") yield* states.addEvent(mission, "answered", mission.status, yield* now, answered)
          else if (next.kind === "start") yield* states.answerStep(mission, { ...next.step, answer: text }, answered)
          else yield* states.decideStep(mission, { ...next.step, answer: text }, "retried", answered)
          yield* goOn(mission, details)
        })
      )
    )

    return { approve, sendBack, pause, resume, cancel, raiseBudget, skip, retry, answer }
  })
}) {}

interface Move {
  readonly change: MissionChange
  readonly to: MissionStatus
  /** What the caller can do where the mission does not move there. */
  readonly wayOut: string
}

const moves = {
  approve: { change: "approved", to: "running", wayOut: "Only a plan that awaits approval can be approved." },
  sendBack: { change: "sent_back", to: "planning", wayOut: "Only a plan that awaits approval can be sent back." },
  pause: { change: "paused", to: "paused", wayOut: "Only a running mission can be paused." },
  resume: { change: "resumed", to: "running", wayOut: "Only a paused mission can be resumed." },
  cancel: { change: "cancelled", to: "cancelled", wayOut: "It has ended." }
} as const satisfies Readonly<Record<string, Move>>

const stepWayOut = {
  skipped: (position: number, status: string) =>
    `Step ${position} is ${status}; only a pending or failed step of a mission that goes on can be skipped.`,
  retried: (position: number, status: string) =>
    `Step ${position} is ${status}; only a failed step of a mission that goes on can be tried again.`
}

const notRaised = (purse: Purse) =>
  new BudgetNotRaised({
    message: `The budget is ${dollars(purse.budget)}; send more than that.`,
    param: "budget_usd",
    details: { budget_usd: purse.budget / 1e9 }
  })
