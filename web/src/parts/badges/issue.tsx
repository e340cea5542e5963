import type { Schema } from "../../api/client.ts"
import { StateBadge, type StateLook } from "./Badge.tsx"

type Status = Schema<"IssueDetail">["status"]

const states: Readonly<Record<Status, StateLook>> = {
  open: { words: "Open", icon: "issue", tone: "info" },
  in_progress: { words: "In progress", icon: "run", tone: "info" },
  in_review: { words: "In review", icon: "pr", tone: "review" },
  blocked: { words: "Blocked", icon: "skip", tone: "p1" },
  done: { words: "Done", icon: "done", tone: "good" },
  cancelled: { words: "Cancelled", icon: "dismiss", tone: "p3" }
}

export const issueStatusWords = (status: Status): string => states[status].words

export const IssueState = ({ status }: { readonly status: Status }) => <StateBadge look={states[status]} pill />
