import type { Schema } from "../../api/client.ts"

type JobEvent = Schema<"JobEvent">
type Job = Schema<"JobResponse">

export type StageStatus = "waiting" | "running" | "done" | "failed" | "skipped" | "stopped"

export interface Stage {
  readonly name: string
  readonly status: StageStatus
  readonly startedAt: string | null
  readonly endedAt: string | null
  /** Why it failed or was skipped, in words. */
  readonly reason: string | null
  /** Known only where the stage counts its work. */
  readonly progress: { readonly done: number; readonly total: number } | null
  /** What the stage went through itself. */
  readonly phases: ReadonlyArray<Stage>
}

export interface Gate {
  readonly name: string
  readonly result: "passed" | "failed" | "warned" | "skipped"
  readonly reason: string | null
}

export interface Story {
  readonly stages: ReadonlyArray<Stage>
  readonly gates: ReadonlyArray<Gate>
}

/** The stages that each run of a workflow goes through; those of other workflows appear as they start. */
const stagesAhead: Readonly<Partial<Record<Job["workflow"], ReadonlyArray<string>>>> = {
  standard_audit: ["prepare", "inspect", "record"],
  audit: ["prepare", "inspect", "record"],
  discover: ["prepare", "observe", "record"],
  revalidate: ["prepare", "inspect", "record"],
  review: ["prepare", "inspect_base", "inspect_head", "compare", "post"],
  change_review: ["prepare", "inspect", "ask", "decide"]
}

const waiting = (name: string): Stage => ({
  name,
  status: "waiting",
  startedAt: null,
  endedAt: null,
  reason: null,
  progress: null,
  phases: []
})

const isOpen = ({ status }: Stage) => status === "running"

const replaced = (stages: ReadonlyArray<Stage>, name: string, change: (stage: Stage) => Stage): ReadonlyArray<Stage> =>
  stages.some((stage) => stage.name === name)
    ? stages.map((stage) => (stage.name === name ? change(stage) : stage))
    : [...stages, change(waiting(name))]

/** Changes the named stage, or the phase of the running stage that has the name. */
const withStage = (
  stages: ReadonlyArray<Stage>,
  name: string,
  change: (stage: Stage) => Stage
): ReadonlyArray<Stage> => {
  const running = stages.find(isOpen)
  if (running === undefined || running.name === name) return replaced(stages, name, change)
  return replaced(stages, running.name, (stage) => ({ ...stage, phases: replaced(stage.phases, name, change) }))
}

const starts = ({ ts }: JobEvent) => {
  // A stage that a lost worker left half done runs again from its beginning.
  return (stage: Stage): Stage => ({ ...waiting(stage.name), status: "running", startedAt: ts })
}

const progresses =
  ({ data }: JobEvent) =>
  (stage: Stage): Stage => {
    const [done, total] = [data?.done, data?.total]
    return done == null || total == null || total === 0 ? stage : { ...stage, progress: { done, total } }
  }

const ends =
  (status: StageStatus, { ts, detail }: JobEvent) =>
  (stage: Stage): Stage => ({
    ...stage,
    status,
    endedAt: ts,
    reason: status === "done" || detail === "" ? null : detail
  })

/** What was still open when the job ended took no end of its own. */
const closed =
  (status: StageStatus, at: string) =>
  (stage: Stage): Stage => ({
    ...stage,
    ...(isOpen(stage) ? { status, endedAt: at } : {}),
    phases: stage.phases.map(closed(status, at))
  })

const endOfJob: Readonly<Record<string, StageStatus>> = { completed: "done", failed: "failed", cancelled: "stopped" }

const gateOf = ({ stage, type, detail, data }: JobEvent): Gate => ({
  name: stage,
  result: type === "stage_skipped" ? "skipped" : (data?.gate_result ?? "passed"),
  reason: (data?.gate_reason ?? detail) || null
})

const withGate = (gates: ReadonlyArray<Gate>, gate: Gate) => [...gates.filter(({ name }) => name !== gate.name), gate]

const after = (story: Story, event: JobEvent): Story => {
  const { stages } = story
  const on = (change: (stage: Stage) => Stage) => ({ ...story, stages: withStage(stages, event.stage, change) })
  switch (event.type) {
    case "stage_started":
      return on(starts(event))
    case "stage_progress":
      return on(progresses(event))
    case "stage_completed":
      return on(ends("done", event))
    case "stage_failed":
      return on(ends("failed", event))
    case "stage_skipped":
    case "gate_evaluated":
      return { ...story, gates: withGate(story.gates, gateOf(event)) }
    case "status_changed": {
      const status = endOfJob[event.data?.intended_status ?? ""]
      return status === undefined ? story : { ...story, stages: stages.map(closed(status, event.ts)) }
    }
    default:
      return story
  }
}

/** Stages with their times, and gates, as the events of a job report them. */
export const storyOf = (workflow: Job["workflow"], events: ReadonlyArray<JobEvent>): Story =>
  events.reduce(after, { stages: (stagesAhead[workflow] ?? []).map(waiting), gates: [] })

/** The stage that runs now, or the phase of it. */
export const currentOf = ({ stages }: Story): Stage | null => {
  const stage = stages.find(isOpen)
  return stage === undefined ? null : (stage.phases.find(isOpen) ?? stage)
}

/** The events that the log shows: progress and costs are shown in places of their own. */
export const isLogged = ({ type }: JobEvent) => type !== "stage_progress" && type !== "cost_recorded"
