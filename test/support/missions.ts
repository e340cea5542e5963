import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import type { Mission, MissionStatus, WaitingKind } from "../../src/schema/Mission.ts"
import { ObservationNumberFromRef } from "../../src/schema/Observation.ts"
import { Caller } from "../../src/services/access/Caller.ts"
import { Missions } from "../../src/services/missions/Missions.ts"
import { anObservation, type Person, withFeatures } from "./builders.ts"

/** A rule that has a fixer: a plan without an agent runner takes its findings. */
export const fixableRule = "weak_cryptography.outdated_tls"

const numberOf = Schema.decodeSync(ObservationNumberFromRef)

interface MissionRequest {
  readonly repository: string
  readonly refs: ReadonlyArray<string>
  readonly title?: string
  readonly budget_usd?: number
}

/** A mission whose plan awaits approval. */
export const aMission = (person: Person, { refs, ...request }: MissionRequest) =>
  Effect.flatMap(Missions, (missions) =>
    missions.create({
      title: "A mission",
      budget_usd: 5,
      ...request,
      goal: { refs: refs.map((ref) => numberOf(ref)) }
    })
  ).pipe(Effect.provideService(Caller, person.caller), Effect.orDie)

export interface MissionState {
  readonly status: MissionStatus
  readonly waiting?: WaitingKind
  /** Of its first step. */
  readonly step?: "pending" | "failed"
}

/** As if the run, or people, had brought it there. */
export const missionIn = ({ id }: Pick<Mission, "id">, { status, waiting, step = "pending" }: MissionState) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const isFinal = status === "completed" || status === "failed" || status === "cancelled"
    yield* sql`UPDATE missions SET status = ${status}, waiting_kind = ${waiting ?? null}::text,
      waiting_message = ${waiting === undefined ? null : "Decide."}::text,
      waiting_since = CASE WHEN ${waiting === undefined}::boolean THEN NULL ELSE created_at END,
      finished_at = CASE WHEN ${isFinal}::boolean THEN created_at END WHERE id = ${id}`
    yield* sql`UPDATE mission_steps SET status = ${step} WHERE mission_id = ${id} AND position = 1`
  }).pipe(Effect.orDie)

/** What each operation on a mission is sampled on, in the state that it needs. */
const sampled = {
  read: { status: "awaiting_approval", waiting: "plan" },
  approve: { status: "awaiting_approval", waiting: "plan" },
  send_back: { status: "awaiting_approval", waiting: "plan" },
  raise_budget: { status: "awaiting_approval", waiting: "plan" },
  skip_step: { status: "awaiting_approval", waiting: "plan" },
  retry_step: { status: "waiting_on_person", waiting: "step", step: "failed" },
  answer: { status: "waiting_on_person", waiting: "question" },
  pause: { status: "running" },
  resume: { status: "paused" },
  cancel: { status: "awaiting_approval", waiting: "plan" },
  resubmit: { status: "cancelled" }
} as const satisfies Readonly<Record<string, MissionState>>

export interface KnownMission {
  readonly ref: string
  readonly number: number
  readonly step_id: string
}

/** By the operation that is sampled on it; and observations that no mission is about yet. */
export interface KnownMissions {
  readonly of: Readonly<Record<keyof typeof sampled, KnownMission>>
  readonly free: ReadonlyArray<string>
}

type Known = KnownMissions["of"]

const names = Object.keys(sampled) as ReadonlyArray<keyof Known>

const nothing: KnownMission = { ref: "", number: 0, step_id: "" }

const byName = (known: ReadonlyArray<KnownMission>) =>
  Object.fromEntries(names.map((name, index) => [name, known[index] ?? nothing])) as Known

/** Missions of a repository, one for each operation. */
export const missionsOf = (
  person: Person,
  repository: { readonly id: string; readonly slug: string },
  title = "A mission"
) =>
  Effect.gen(function* () {
    yield* withFeatures(person)
    const made = yield* Effect.forEach(names, (name) =>
      Effect.gen(function* () {
        const ref = yield* anObservation(person, repository, { title, rule_id: fixableRule })
        const mission = yield* aMission(person, { repository: repository.slug, refs: [ref], title })
        yield* missionIn(mission, sampled[name])
        return { ref: mission.ref, number: mission.number, step_id: mission.steps[0]?.id ?? "" }
      })
    )
    const free = yield* Effect.forEach([1, 2], () => anObservation(person, repository, { title, rule_id: fixableRule }))
    return { of: byName(made), free } satisfies KnownMissions
  })

const absentId = "01a1f7c5-495f-744f-8d63-41fef1b8b78f"

/** Names of missions that do not exist. */
export const absentMissions: KnownMissions = {
  of: byName(names.map((_, index) => ({ ref: `MSN-${990 + index}`, number: 990 + index, step_id: absentId }))),
  free: ["OBS-988", "OBS-989"]
}
