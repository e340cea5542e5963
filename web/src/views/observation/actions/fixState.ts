import type { FixAttempt, ObservationDetail } from "../../../api/observation.ts"

/** Attempts that are made without being asked for one more. */
export const automaticAttempts = 3

const openStates: ReadonlySet<FixAttempt["status"]> = new Set(["in_review", "revising", "needs_attention"])

export const hasOpenPr = ({ status }: Pick<FixAttempt, "status">): boolean => openStates.has(status)

export const openAttempt = ({ attempts }: Pick<ObservationDetail, "attempts">): FixAttempt | null =>
  attempts.findLast(hasOpenPr) ?? null

/** Whether a fix can be requested: as usual, as one more than the automatic ones, or not at all, and why. */
export const fixOffer = (
  observation: Pick<ObservationDetail, "attempts" | "fix_available" | "kind" | "status" | "fix_attempts">
): "fix" | "extra" | "running" | "none" => {
  const { attempts, fix_available, kind, status, fix_attempts } = observation
  if (fix_available) return "fix"
  if (status !== "new" || kind !== "finding" || openAttempt(observation) !== null) return "none"
  if (attempts.at(-1)?.outcome === "started") return "running"
  return fix_attempts >= automaticAttempts ? "extra" : "none"
}
