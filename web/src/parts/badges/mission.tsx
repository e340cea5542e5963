import type { Schema } from "../../api/client.ts"
import { StateBadge, type StateLook } from "./Badge.tsx"

type Status = Schema<"Mission">["status"]
type StepStatus = Schema<"MissionStep">["status"]

const states: Readonly<Record<Status, StateLook>> = {
  planning: { words: "Planning", icon: "run", tone: "info" },
  awaiting_approval: { words: "Waiting for approval", icon: "person", tone: "p1" },
  running: { words: "Running", icon: "run", tone: "info" },
  paused: { words: "Paused", icon: "skip", tone: "p3" },
  waiting_on_person: { words: "Waiting on a person", icon: "person", tone: "p1" },
  completed: { words: "Completed", icon: "done", tone: "good" },
  failed: { words: "Failed", icon: "fail", tone: "p0" },
  cancelled: { words: "Cancelled", icon: "dismiss", tone: "p3" }
}

const stepStates: Readonly<Record<StepStatus, StateLook>> = {
  pending: { words: "Pending", icon: "wait", tone: "p3" },
  running: { words: "Running", icon: "run", tone: "info" },
  completed: { words: "Completed", icon: "done", tone: "good" },
  failed: { words: "Failed", icon: "fail", tone: "p0" },
  skipped: { words: "Skipped", icon: "skip", tone: "p3" }
}

const turning: ReadonlySet<string> = new Set(["planning", "running"])

export const missionStatusWords = (status: Status): string => states[status].words

export const MissionState = ({ status }: { readonly status: Status }) => (
  <StateBadge look={states[status]} pill turning={turning.has(status)} />
)

export const StepState = ({ status }: { readonly status: StepStatus }) => (
  <StateBadge look={stepStates[status]} turning={turning.has(status)} />
)
