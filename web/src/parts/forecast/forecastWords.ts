import type { Schema } from "../../api/client.ts"
import { duration } from "../text/duration.ts"
import { dollars } from "../text/Money.tsx"

type Forecast = Schema<"Forecast">

/** A range of money, `$1.40–2.60`; one amount where both ends read the same. */
export const moneyRange = (low: number, high: number): string => {
  const [from, to] = [dollars(low), dollars(high)]
  if (from === to) return from
  return from.startsWith("$") && to.startsWith("$") ? `${from}–${to.slice(1)}` : `${from} to ${to}`
}

/** A range of time, `9–16 min`. */
export const timeRange = (low: number, high: number): string => {
  const [from, to] = [duration(low), duration(high)]
  if (from === to) return from
  const [, count, unit] = /^(\d+) (\w+)$/.exec(from) ?? []
  return count !== undefined && to.endsWith(` ${unit}`) ? `${count}–${to}` : `${from} to ${to}`
}

/** What a job takes in a repository that is not registered yet; the default is for 50,000 lines. */
export const timeAnywhere = ({ source, duration_low, duration_high }: Forecast): string => {
  const range = timeRange(duration_low, Math.max(duration_high, 1))
  return source === "default" ? `takes ${range} for some 50,000 lines, longer for more` : `took ${range} in others`
}

/** `about $1.80`; an amount too small to name is not about anything. */
export const aboutPrice = (usd: number): string =>
  usd === 0 ? "$0.00" : usd < 0.01 ? dollars(usd) : `about ${dollars(usd)}`

/** How many jobs the forecast comes from, in words. */
export const sampleWords = ({ sample_size, confidence }: Forecast): string =>
  sample_size === 0
    ? "No audit of this size ran here yet: the range is wide."
    : `From ${sample_size} ${sample_size === 1 ? "run" : "runs"}, ${confidence} confidence.`
