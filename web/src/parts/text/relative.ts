const units = [
  ["year", 31_557_600, "y"],
  ["month", 2_629_800, "mo"],
  ["day", 86_400, "d"],
  ["hour", 3_600, "h"],
  ["minute", 60, "min"]
] as const

const words = new Intl.RelativeTimeFormat("en", { numeric: "always" })

/** How long ago, or in how long: `2 h` for columns, `2 hours ago` for sentences. */
export const relative = (instant: Date, now: Date): { readonly short: string; readonly words: string } => {
  const seconds = (instant.getTime() - now.getTime()) / 1000
  for (const [unit, length, sign] of units) {
    const count = Math.trunc(seconds / length)
    if (count !== 0) return { short: `${Math.abs(count)} ${sign}`, words: words.format(count, unit) }
  }
  return { short: "now", words: "just now" }
}
