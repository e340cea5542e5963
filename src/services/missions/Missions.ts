import { SqlClient } from "@effect/sql"
import { Effect, Option, Schema } from "effect"
import { MissionId, MissionStepId } from "../../schema/Ids.ts"
import {
  type CreateMission,
  type Mission,
  MissionGoal,
  type MissionNumber,
  missionRefOf,
  type ResubmitMission
} from "../../schema/Mission.ts"
import type { JsonObject } from "../../schema/Text.ts"
import { Caller, personOf } from "../access/Caller.ts"
import { AuditLog, actorOf } from "../audit_log/AuditLog.ts"
import { Repositories } from "../repositories/Repositories.ts"
import { newId } from "../support/ids.ts"
import { now } from "../support/now.ts"
import { transactional } from "../support/transactional.ts"
import { dollars, nanosOf, usdOf } from "./budget.ts"
import { type EstimatedStep, goalInWords, MissionPlanner } from "./MissionPlanner.ts"
import { MissionReads, noMission } from "./MissionReads.ts"
import { MissionReadsRepo } from "./MissionReadsRepo.ts"
import { MissionStates } from "./MissionStates.ts"
import { type MissionState, MissionsRepo, type Waiting } from "./MissionsRepo.ts"
import { rejectedMove } from "./moves.ts"
import { missionAfter } from "./transitions.ts"

type Planned = Effect.Effect.Success<ReturnType<MissionPlanner["plan"]>>

const encodeGoal = Schema.encodeSync(MissionGoal)
const decodeGoal = Schema.decodeUnknownSync(MissionGoal)

/** Missions as agents submit them: each gets its plan, which then waits for a person. What people decide is MissionDecisions'. */
export class Missions extends Effect.Service<Missions>()("Missions", {
  effect: Effect.gen(function* () {
    const repo = yield* MissionsRepo
    const reads = yield* MissionReads
    const readsRepo = yield* MissionReadsRepo
    const states = yield* MissionStates
    const planner = yield* MissionPlanner
    const repositories = yield* Repositories
    const auditLog = yield* AuditLog
    const inTransaction = transactional(yield* SqlClient.SqlClient)

    /** The plan is written, and from now on waits for approval; `kept` steps of the last one are done. */
    const propose = Effect.fnUntraced(function* (
      mission: MissionState,
      { steps, left_out }: Planned,
      { kept, goal, limits_md }: { readonly kept: number; readonly goal: JsonObject; readonly limits_md: string | null }
    ) {
      const by = actorOf(yield* Caller)
      const { plan_version } = mission
      const at = yield* now
      yield* repo.insertPlan({ mission, version: plan_version, goal, limits_md, left_out, submitted_by: by, at })
      const rows = yield* Effect.forEach(steps, (step, index) =>
        Effect.map(newId(MissionStepId), (id) => ({ ...step, id, position: kept + index + 1 }))
      )
      yield* repo.insertSteps(mission, plan_version, rows)
      yield* states.apply(mission, "planned", { by, waiting: approvalOf(steps, left_out.length, mission.budget_usd) })
    })

    const create = Effect.fn("Missions.create")(function* (request: CreateMission) {
      const caller = yield* Caller
      const { workspace_id } = caller
      const repository = yield* repositories.find(yield* repositories.pathOfSlug(request.repository, "repository"))
      const limits_md = request.limits_md ?? null
      const planned = yield* planner.plan(repository, { goal: request.goal, limits_md, again: null })
      const goal = encodeGoal(request.goal)
      const write = Effect.gen(function* () {
        const id = yield* newId(MissionId)
        const number = yield* repo.drawNumber(workspace_id)
        const by = actorOf(caller)
        const at = yield* now
        yield* repo.insert({
          id,
          workspace_id,
          repository_id: repository.id,
          number,
          title: request.title,
          goal,
          goal_md: goalInWords(request.goal),
          limits_md,
          budget_usd: usdOf(nanosOf(request.budget_usd)),
          created_by: by,
          requested_by: personOf(caller).user_id,
          at
        })
        const mission = Option.getOrThrow(yield* repo.lock({ workspace_id, id }))
        yield* states.addEvent({ ...mission, status: null }, "submitted", mission.status, at, { by })
        yield* propose(mission, planned, { kept: 0, goal, limits_md })
        const created = yield* Effect.orDie(reads.get(number))
        yield* auditLog.record({ object: objectOf(number), before: null, after: loggedOf(created) })
        return created
      })
      return yield* inTransaction(write)
    })

    /** A new plan of a mission that was sent back, failed or was cancelled; what is done stays done. */
    const resubmit = Effect.fn("Missions.resubmit")(function* (number: MissionNumber, request: ResubmitMission) {
      const { workspace_id } = yield* Caller
      const before = yield* reads.get(number)
      const known = yield* repo.find({ workspace_id, id: before.id })
      if (Option.isNone(known)) return yield* noMission(number)
      if (missionAfter(known.value.status, "resubmitted") === null) {
        return yield* rejectedMove(
          known.value,
          "planning",
          "It is resubmitted once its plan was sent back, or it has failed or was cancelled."
        )
      }
      const limits_md = request.limits_md ?? known.value.limits_md
      const nextGoal = request.goal ?? decodeGoal(known.value.goal)
      const done = new Set(before.steps.flatMap((step) => (step.status === "completed" ? step.observations : [])))
      const repository = yield* readsRepo.repositoryOf(known.value)
      if (Option.isNone(repository)) return yield* noMission(number)
      const planned = yield* planner.plan(repository.value, { goal: nextGoal, limits_md, again: { number, done } })
      const goal = encodeGoal(nextGoal)
      const write = Effect.gen(function* () {
        const found = yield* repo.lockNumber({ workspace_id, number })
        if (Option.isNone(found)) return yield* noMission(number)
        const mission = found.value
        // Another call may have planned it meanwhile: its plan is not replaced unseen.
        if (mission.version !== known.value.version) {
          return yield* rejectedMove(mission, "planning", "It has changed since; read it again.")
        }
        const by = actorOf(yield* Caller)
        const moved = yield* states.apply(mission, "resubmitted", { by })
        if (Option.isNone(moved)) return yield* rejectedMove(mission, "planning", "It cannot be resubmitted now.")
        const plan_version = mission.plan_version + 1
        const key = { workspace_id, id: mission.id }
        const kept = yield* repo.keepCompleted({ ...key, from: mission.plan_version, to: plan_version })
        yield* repo.setGoal({ ...key, goal, goal_md: goalInWords(nextGoal), limits_md, plan_version })
        yield* propose({ ...moved.value, plan_version }, planned, { kept, goal, limits_md })
        const after = yield* reads.get(number)
        yield* auditLog.record({ object: objectOf(number), before: loggedOf(before), after: loggedOf(after) })
        return after
      })
      return yield* inTransaction(write)
    })

    return { create, resubmit }
  })
}) {}

export const objectOf = (number: MissionNumber) => ({ kind: "mission", ref: missionRefOf(number) }) as const

/** What people and keys decide of a mission; its progress is in its own events. */
export const loggedOf = ({ title, status, goal_md, limits_md, budget_usd, plan_version, steps }: Mission) => ({
  title,
  status,
  goal_md,
  limits_md,
  budget_usd,
  plan_version,
  steps: steps.map((step) => `${step.position}. ${step.title}: ${step.status}`)
})

const count = (n: number, noun: string) => `${n} ${noun}${n === 1 ? "" : "s"}`

const approvalOf = (steps: ReadonlyArray<EstimatedStep>, leftOut: number, budget_usd: number): Waiting => {
  const estimate = steps.reduce((sum, step) => sum + nanosOf(step.estimate_usd), 0)
  const budget = nanosOf(budget_usd)
  const cost = `estimated at ${dollars(estimate)} of a budget of ${dollars(budget)}`
  const tooMuch = estimate > budget ? " The budget does not cover the estimate: the mission will wait for more." : ""
  const omitted = leftOut === 0 ? "" : ` The plan leaves out ${leftOut} of what the goal names.`
  return {
    kind: "plan",
    message: `Approve the plan of ${count(steps.length, "step")}, ${cost}, or send it back.${tooMuch}${omitted}`
  }
}
