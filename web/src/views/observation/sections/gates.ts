import type { FixAttempt } from "../../../api/observation.ts"
import type { StateLook } from "../../../parts/badges/Badge.tsx"
import type { IconName } from "../../../parts/icon/Icon.tsx"

type Gate = FixAttempt["gates"][number]

export const gateWords: Readonly<Record<Gate["name"], string>> = {
  still_present: "Still present",
  edit: "Edit",
  scope: "Scope",
  size: "Size",
  parse: "Parses",
  finding_gone: "Finding gone",
  no_new_findings: "No new findings",
  format: "Format",
  build: "Build",
  lint: "Lint",
  test: "Tests",
  push: "Push",
  pull_request: "Pull request"
}

export const gateIcons: Readonly<Record<Gate["result"], IconName>> = {
  passed: "check",
  failed: "x",
  warned: "warn",
  skipped: "skip"
}

const byStatus: Readonly<Record<NonNullable<FixAttempt["status"]>, StateLook>> = {
  in_review: { words: "In review", icon: "pr", tone: "review" },
  revising: { words: "Revising", icon: "run", tone: "info" },
  needs_attention: { words: "Needs attention", icon: "warn", tone: "p1" },
  merged: { words: "Merged", icon: "check", tone: "good" },
  closed: { words: "Closed", icon: "skip", tone: "p3" },
  abandoned: { words: "Abandoned", icon: "skip", tone: "p3" }
}

const byOutcome: Readonly<Record<NonNullable<FixAttempt["outcome"]>, StateLook>> = {
  started: { words: "Running", icon: "run", tone: "info" },
  pr_merged: { words: "Merged", icon: "check", tone: "good" },
  pr_rejected: { words: "Rejected", icon: "skip", tone: "p3" },
  cancelled: { words: "Cancelled", icon: "skip", tone: "p3" },
  failed: { words: "Failed", icon: "fail", tone: "p0" },
  declined: { words: "Declined", icon: "skip", tone: "p3" },
  withdrawn: { words: "Withdrawn", icon: "skip", tone: "p3" }
}

export const statusLook = (status: NonNullable<FixAttempt["status"]>): StateLook => byStatus[status]

/** The state of an attempt: of its pull request where there is one. */
export const attemptLook = ({ status, outcome }: Pick<FixAttempt, "status" | "outcome">): StateLook =>
  status === null || outcome === "withdrawn" ? byOutcome[outcome] : byStatus[status]
