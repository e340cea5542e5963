import type { FixOutcome, FixPrStatus } from "../../schema/Fix.ts"
import type { ObservationEvent } from "../../schema/Observation.ts"

/** The states of an attempt, as its row has them. `conflicted` distinguishes the two reasons to need attention. */
export const attemptStates = {
  /** Under way, without a pull request. */
  working: { outcome: "started", pr_status: null, conflicted: false },
  in_review: { outcome: "started", pr_status: "in_review", conflicted: false },
  revising: { outcome: "started", pr_status: "revising", conflicted: false },
  /** Its revision failed. */
  needs_attention: { outcome: "started", pr_status: "needs_attention", conflicted: false },
  /** The base branch has moved so that the change does not apply. */
  conflicted: { outcome: "started", pr_status: "needs_attention", conflicted: true },
  merged: { outcome: "pr_merged", pr_status: "merged", conflicted: false },
  rejected: { outcome: "pr_rejected", pr_status: "closed", conflicted: false },
  withdrawn: { outcome: "withdrawn", pr_status: "closed", conflicted: false },
  /** The code host does not know the pull request any more. */
  abandoned: { outcome: "failed", pr_status: "abandoned", conflicted: false },
  failed: { outcome: "failed", pr_status: null, conflicted: false },
  declined: { outcome: "declined", pr_status: null, conflicted: false },
  cancelled: { outcome: "cancelled", pr_status: null, conflicted: false }
} as const satisfies Readonly<Record<string, StateColumns>>

export interface StateColumns {
  readonly outcome: FixOutcome
  readonly pr_status: FixPrStatus | null
  readonly conflicted: boolean
}

export type AttemptStateName = keyof typeof attemptStates
const stateNames = Object.keys(attemptStates) as ReadonlyArray<AttemptStateName>

interface EventRule {
  /** Where it does not apply: ignored as late or repeated news, or rejected with an error to the person who asked. */
  readonly otherwise: "ignored" | "rejected"
  /** What the observation's history calls it. */
  readonly history: ObservationEvent["event"]
}

/** Everything that can happen to an attempt. */
export const fixEvents = {
  started: { otherwise: "rejected", history: "fix_started" },
  opened: { otherwise: "ignored", history: "fix_pr_opened" },
  revision_requested: { otherwise: "rejected", history: "fix_revision_requested" },
  revised: { otherwise: "ignored", history: "fix_pr_updated" },
  conflicted: { otherwise: "ignored", history: "fix_pr_conflicted" },
  conflict_resolved: { otherwise: "ignored", history: "fix_pr_conflict_resolved" },
  merged: { otherwise: "ignored", history: "fix_pr_merged" },
  closed_unmerged: { otherwise: "ignored", history: "fix_pr_closed" },
  pr_reopened: { otherwise: "ignored", history: "fix_pr_reopened" },
  pr_lost: { otherwise: "ignored", history: "fix_pr_abandoned" },
  withdrawn: { otherwise: "rejected", history: "fix_pr_withdrawn" },
  failed: { otherwise: "ignored", history: "fix_failed" },
  declined: { otherwise: "ignored", history: "fix_declined" },
  cancelled: { otherwise: "ignored", history: "fix_cancelled" },
  reopened_by_retry: { otherwise: "rejected", history: "fix_retried" }
} as const satisfies Readonly<Record<string, EventRule>>

export type FixEvent = keyof typeof fixEvents

type Transition = readonly [from: AttemptStateName | null, event: FixEvent, to: AttemptStateName]

/** Every change of an attempt that there is, from nothing (`null`) on; whatever is not listed does not happen. */
export const transitions: ReadonlyArray<Transition> = [
  [null, "started", "working"],

  ["working", "opened", "in_review"],
  ["working", "failed", "failed"],
  ["working", "declined", "declined"],
  ["working", "cancelled", "cancelled"],

  ["in_review", "revision_requested", "revising"],
  ["in_review", "conflicted", "conflicted"],
  ["in_review", "merged", "merged"],
  ["in_review", "closed_unmerged", "rejected"],
  ["in_review", "withdrawn", "withdrawn"],
  ["in_review", "pr_lost", "abandoned"],

  ["revising", "revised", "in_review"],
  // What becomes of the revision is not what becomes of the pull request, which stays open.
  ["revising", "failed", "needs_attention"],
  ["revising", "declined", "needs_attention"],
  ["revising", "cancelled", "in_review"],
  ["revising", "merged", "merged"],
  ["revising", "closed_unmerged", "rejected"],
  ["revising", "withdrawn", "withdrawn"],
  ["revising", "pr_lost", "abandoned"],

  ["needs_attention", "revision_requested", "revising"],
  ["needs_attention", "conflicted", "conflicted"],
  ["needs_attention", "merged", "merged"],
  ["needs_attention", "closed_unmerged", "rejected"],
  ["needs_attention", "withdrawn", "withdrawn"],
  ["needs_attention", "pr_lost", "abandoned"],

  ["conflicted", "revision_requested", "revising"],
  ["conflicted", "conflict_resolved", "in_review"],
  ["conflicted", "merged", "merged"],
  ["conflicted", "closed_unmerged", "rejected"],
  ["conflicted", "withdrawn", "withdrawn"],
  ["conflicted", "pr_lost", "abandoned"],

  // On the code host people reopen what was closed there.
  ["rejected", "pr_reopened", "in_review"],

  ["failed", "reopened_by_retry", "working"],
  ["declined", "reopened_by_retry", "working"],
  ["cancelled", "reopened_by_retry", "working"]
]

const targets: ReadonlyMap<string, AttemptStateName> = new Map(
  transitions.map(([from, event, to]) => [`${from}/${event}`, to])
)

/** The state after the event; null where the table has no such change. */
export const stateAfter = (from: AttemptStateName | null, event: FixEvent): AttemptStateName | null =>
  targets.get(`${from}/${event}`) ?? null

/** The state that a row is in. */
export const stateOf = (row: StateColumns): AttemptStateName => {
  const found = stateNames.find((name) => {
    const { outcome, pr_status, conflicted } = attemptStates[name]
    return outcome === row.outcome && pr_status === row.pr_status && conflicted === row.conflicted
  })
  if (found === undefined) throw new Error(`A fix attempt is ${row.outcome} with a pull request ${row.pr_status}.`)
  return found
}

/** Whether the attempt goes on, or its pull request is open. */
export const isOngoing = (state: AttemptStateName): boolean => attemptStates[state].outcome === "started"

/** Whether a pull request is open. */
export const hasOpenPr = (state: AttemptStateName): boolean => isOngoing(state) && state !== "working"

/** Whether a try came to nothing: the last of the automatic ones closes the observation. */
export const isSpent = (state: AttemptStateName): boolean =>
  state === "failed" || state === "declined" || state === "rejected" || state === "abandoned"
