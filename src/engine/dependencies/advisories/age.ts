const DAY_MS = 86_400_000

/** Whole days from an ISO 8601 date or time; null when it is none. */
export const daysSince = (date: string, now: number): number | null => {
  const then = Date.parse(date)
  return Number.isNaN(then) ? null : Math.max(0, Math.floor((now - then) / DAY_MS))
}
