/** Written by `npm run web:types`. */
export const webhookEvents = [
  "job.completed",
  "job.failed",
  "job.cancelled",
  "observation.created",
  "observation.closed",
  "observation.reopened",
  "fix_pr.opened",
  "fix_pr.updated",
  "fix_pr.merged",
  "fix_pr.closed",
  "context_entry.proposed",
  "context_entry.confirmed",
  "issue.created",
  "issue.updated",
  "issue.closed",
  "mission.waiting",
  "mission.completed",
  "mission.failed",
  "*"
] as const
