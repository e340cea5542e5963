import { SqlClient } from "@effect/sql"
import { Effect, Option } from "effect"
import { MissionId, MissionStepId, UserId } from "../../src/schema/Ids.ts"
import { MissionNumber } from "../../src/schema/Mission.ts"
import { MissionRun } from "../../src/services/missions/MissionRun.ts"
import { type MissionKey, MissionsRepo } from "../../src/services/missions/MissionsRepo.ts"
import { newId } from "../../src/services/support/ids.ts"
import { now } from "../../src/services/support/now.ts"
import { asOwner } from "./Database.ts"
import { type Tenant, until } from "./jobs.ts"

const actor = { kind: "user", user_id: null, api_key: null, label: "ada@example.com" } as const

/** A mission whose plan was approved: one step for each list of observations. It runs once it is woken. */
export const anApprovedMission = (
  tenant: Tenant,
  steps: ReadonlyArray<ReadonlyArray<string>>,
  { budget_usd = 5 }: { readonly budget_usd?: number } = {}
) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const missions = yield* MissionsRepo
    const { workspace_id } = tenant.caller
    const { repository_id } = tenant
    yield* asOwner(sql`UPDATE workspaces SET features = '{missions}' WHERE id = ${workspace_id}`)
    const key: MissionKey = { workspace_id, id: yield* newId(MissionId) }
    const number = MissionNumber.make(1)
    yield* missions.insert({
      ...key,
      repository_id,
      number,
      title: "No planted defects",
      goal: {},
      goal_md: "Fix what was planted.",
      limits_md: null,
      budget_usd,
      created_by: actor,
      requested_by: UserId.make("01a1f84d-c1ea-70a9-a51e-fdfa95578da4"),
      at: yield* now
    })
    const planned = yield* Effect.forEach(steps, (refs, index) =>
      Effect.map(newId(MissionStepId), (id) => ({
        id,
        position: index + 1,
        title: `Fix ${refs.join(", ")}`,
        brief_md: `Fix ${refs.join(", ")}.`,
        estimate_usd: 0.0001,
        observations: refs.map((ref) => Number(ref.slice("OBS-".length))),
        issues: []
      }))
    )
    yield* missions.insertSteps({ ...key, repository_id }, 1, planned)
    yield* sql`UPDATE missions SET status = 'running' WHERE id = ${key.id}`
    return key
  })

export const wake = (key: MissionKey) => Effect.flatMap(MissionRun, ({ advance }) => advance(key))

export const missionOf = (key: MissionKey) =>
  Effect.gen(function* () {
    const missions = yield* MissionsRepo
    const mission = Option.getOrThrow(yield* missions.find(key))
    return { ...mission, steps: yield* missions.steps(key) }
  })

type MissionNow = Effect.Effect.Success<ReturnType<typeof missionOf>>

/** The mission once this holds. */
export const whenMission = (key: MissionKey, holds: (mission: MissionNow) => boolean) => until(missionOf(key), holds)

/** Wakes the mission, and waits until it runs no more. */
export const carriedOn = (key: MissionKey) =>
  Effect.zipRight(
    wake(key),
    whenMission(key, ({ status }) => status !== "running")
  )
