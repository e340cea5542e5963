import type { ApiKey } from "../../api/keys.ts"
import { day } from "../../parts/text/day.ts"

const dayMillis = 86_400_000

/** Within this time of its end, a key is marked. */
const warnedDays = 7

export type Lifetime = "7" | "30" | "90" | "365" | "never"

export const instantAfter = (lifetime: Lifetime, now: Date): string | null =>
  lifetime === "never" ? null : new Date(now.getTime() + Number(lifetime) * dayMillis).toISOString()

export const lifetimeOptions = (now: Date): ReadonlyArray<{ readonly value: Lifetime; readonly label: string }> => [
  ...(["7", "30", "90", "365"] as const).map((value) => ({
    value,
    label: `In ${value} days, ${day(new Date(now.getTime() + Number(value) * dayMillis))}`
  })),
  { value: "never", label: "Never" }
]

type Ends = Pick<ApiKey, "expires_at" | "revoked_at">

/** Whether a key works, and how soon it stops to. */
export const lifeOf = ({ expires_at, revoked_at }: Ends, now: Date): "live" | "expiring" | "expired" | "revoked" => {
  if (revoked_at !== null) return "revoked"
  if (expires_at === null) return "live"
  const left = new Date(expires_at).getTime() - now.getTime()
  if (left <= 0) return "expired"
  return left < warnedDays * dayMillis ? "expiring" : "live"
}

export const isLive = (key: Ends, now: Date): boolean => ["live", "expiring"].includes(lifeOf(key, now))
