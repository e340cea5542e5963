import type { IssueCloseReason, IssueStatus } from "../../schema/Issue.ts"

/** Where an issue may be moved to. What is closed is opened by reopening it, and in no other way. */
const moves: Readonly<Record<IssueStatus, ReadonlyArray<IssueStatus>>> = {
  open: ["in_progress", "blocked", "in_review", "done", "cancelled"],
  in_progress: ["open", "blocked", "in_review", "done", "cancelled"],
  blocked: ["open", "in_progress", "cancelled"],
  in_review: ["in_progress", "done", "open", "cancelled"],
  done: [],
  cancelled: []
}

export const isClosed = (status: IssueStatus): status is "done" | "cancelled" =>
  status === "done" || status === "cancelled"

export const mayMove = (from: IssueStatus, to: IssueStatus): boolean => moves[from].includes(to)

/** The statuses that an issue can have next, reopening included. */
export const nextStatuses = (from: IssueStatus): ReadonlyArray<IssueStatus> => (isClosed(from) ? ["open"] : moves[from])

/** The status of an issue that was closed for a reason. */
export const closedAs: Readonly<Record<IssueCloseReason, "done" | "cancelled">> = {
  completed: "done",
  cancelled: "cancelled",
  duplicate: "cancelled"
}
