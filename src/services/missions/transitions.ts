import type { MissionStatus, MissionStepStatus } from "../../schema/Mission.ts"

/** Everything that changes the status of a mission. */
export type MissionChange =
  | "submitted"
  | "planned"
  | "approved"
  | "sent_back"
  | "resubmitted"
  | "paused"
  | "over_budget"
  | "asked"
  | "resumed"
  | "decided"
  | "completed"
  | "failed"
  | "cancelled"

type Transition<Status, Change> = readonly [from: Status | null, change: Change, to: Status]

/** Every change of a mission that there is, from nothing (`null`) on; whatever is not listed does not happen. */
export const missionTransitions: ReadonlyArray<Transition<MissionStatus, MissionChange>> = [
  [null, "submitted", "planning"],

  ["planning", "planned", "awaiting_approval"],
  // A plan that was sent back waits here for the next goal.
  ["planning", "resubmitted", "planning"],
  ["planning", "failed", "failed"],
  ["planning", "cancelled", "cancelled"],

  ["awaiting_approval", "approved", "running"],
  ["awaiting_approval", "sent_back", "planning"],
  ["awaiting_approval", "cancelled", "cancelled"],

  ["running", "paused", "paused"],
  ["running", "over_budget", "paused"],
  ["running", "asked", "waiting_on_person"],
  ["running", "completed", "completed"],
  ["running", "failed", "failed"],
  ["running", "cancelled", "cancelled"],

  ["paused", "resumed", "running"],
  // A step under way when it was paused goes on to its end, and that may be the end of the mission.
  ["paused", "failed", "failed"],
  ["paused", "cancelled", "cancelled"],

  ["waiting_on_person", "decided", "running"],
  ["waiting_on_person", "cancelled", "cancelled"],

  ["failed", "resubmitted", "planning"],
  ["cancelled", "resubmitted", "planning"]
]

/** Everything that changes the status of a step. */
export type StepChange = "planned" | "started" | "completed" | "released" | "failed" | "retried" | "skipped"

export const stepTransitions: ReadonlyArray<Transition<MissionStepStatus, StepChange>> = [
  [null, "planned", "pending"],

  ["pending", "started", "running"],
  ["pending", "skipped", "skipped"],

  ["running", "completed", "completed"],
  // It is tried once more, or its job was cancelled: it begins again where the mission goes on.
  ["running", "released", "pending"],
  ["running", "failed", "failed"],

  ["failed", "retried", "pending"],
  ["failed", "skipped", "skipped"]
]

const lookup = <Status extends string, Change extends string>(
  transitions: ReadonlyArray<Transition<Status, Change>>
): ((from: Status | null, change: Change) => Status | null) => {
  const targets = new Map<string, Status>(transitions.map(([from, change, to]) => [`${from}/${change}`, to]))
  return (from, change) => targets.get(`${from}/${change}`) ?? null
}

/** The status after the change; null where the table has no such change. */
export const missionAfter = lookup(missionTransitions)
export const stepAfter = lookup(stepTransitions)

/** The statuses that a mission can get to from this one. */
export const reachableFrom = (from: MissionStatus): ReadonlyArray<MissionStatus> => [
  ...new Set(missionTransitions.filter(([start]) => start === from).map(([, , to]) => to))
]

export const isFinal = (status: MissionStatus): boolean =>
  status === "completed" || status === "failed" || status === "cancelled"

/** Tries of a step before it waits on a person. */
export const triesPerStep = 2

/** What becomes of a step whose try has failed. */
export const afterFailure = (attempts: number): StepChange => (attempts < triesPerStep ? "released" : "failed")

/** What a running mission does next. */
export type Next<Step> =
  | { readonly kind: "start"; readonly step: Step }
  | { readonly kind: "ask"; readonly step: Step }
  | { readonly kind: "await"; readonly step: Step }
  | { readonly kind: "finish" }

interface StepState {
  readonly status: MissionStepStatus
}

/** Steps in order: what is under way is awaited, what failed is a person's to decide, the first pending one begins. */
export const nextOf = <Step extends StepState>(steps: ReadonlyArray<Step>): Next<Step> => {
  const running = steps.find(({ status }) => status === "running")
  if (running !== undefined) return { kind: "await", step: running }
  const open = steps.find(({ status }) => status === "failed" || status === "pending")
  if (open === undefined) return { kind: "finish" }
  return { kind: open.status === "failed" ? "ask" : "start", step: open }
}
