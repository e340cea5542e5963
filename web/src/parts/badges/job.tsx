import type { Schema } from "../../api/client.ts"
import { StateBadge, type StateLook } from "./Badge.tsx"

type Status = Schema<"JobResponse">["status"]

const states: Readonly<Record<Status, StateLook>> = {
  pending: { words: "Pending", icon: "wait", tone: "p3" },
  running: { words: "Running", icon: "run", tone: "info" },
  completed: { words: "Completed", icon: "done", tone: "good" },
  failed: { words: "Failed", icon: "fail", tone: "p0" },
  cancelled: { words: "Cancelled", icon: "skip", tone: "p3" }
}

export const JobState = ({ status }: { readonly status: Status }) => (
  <StateBadge look={states[status]} pill turning={status === "running"} />
)
