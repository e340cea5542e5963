import type { ObservationEvent } from "../../../api/observation.ts"
import type { IconName } from "../../../parts/icon/Icon.tsx"

type Kind = ObservationEvent["event"]

const shown: Readonly<Record<Kind, readonly [words: string, icon: IconName]>> = {
  found: ["First seen", "finding"],
  seen_again: ["Seen again", "eye"],
  resurfaced: ["Found again, reopened", "again"],
  acknowledged: ["Acknowledged", "eye"],
  dismissed: ["Dismissed", "dismiss"],
  completed: ["Completed", "done"],
  reopened: ["Reopened", "again"],
  fixed: ["Fixed: an audit no longer finds it", "check"],
  expired: ["Expired", "clock"],
  undone: ["Change undone", "again"],
  fix_started: ["Fix requested", "fix"],
  fix_retried: ["Fix requested again", "again"],
  fix_failed: ["Fix failed", "fail"],
  fix_declined: ["Fix declined", "skip"],
  fix_cancelled: ["Fix cancelled", "skip"],
  fix_pr_opened: ["Pull request opened", "pr"],
  fix_pr_updated: ["Pull request updated", "pr"],
  fix_pr_conflicted: ["Pull request has conflicts", "warn"],
  fix_pr_conflict_resolved: ["Conflicts resolved", "check"],
  fix_pr_merged: ["Pull request merged", "check"],
  fix_pr_closed: ["Pull request closed", "skip"],
  fix_pr_reopened: ["Pull request reopened", "pr"],
  fix_pr_abandoned: ["Pull request abandoned", "skip"],
  fix_pr_withdrawn: ["Pull request withdrawn", "skip"],
  fix_revision_requested: ["Revision requested", "again"]
}

export const eventText = ({ event }: Pick<ObservationEvent, "event">): string => shown[event]?.[0] ?? event

export const eventIcon = ({ event }: Pick<ObservationEvent, "event">): IconName => shown[event]?.[1] ?? "info"

const byAudits: ReadonlySet<Kind> = new Set(["found", "seen_again", "resurfaced", "fixed", "expired"])

/** Who it was: a person, a key, or the audit. */
export const nameOf = ({ kind, label }: ObservationEvent["actor"], event?: Kind): string => {
  if (kind === "system" || (event !== undefined && byAudits.has(event))) {
    return event?.startsWith("fix_") ? "a fix job" : "an audit"
  }
  const name = label ?? "deleted"
  return kind === "api_key" ? `key ${name}` : name
}
