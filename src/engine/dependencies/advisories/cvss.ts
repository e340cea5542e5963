import type { Severity } from "./Advisory.ts"

const weights: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  AV: { N: 0.85, A: 0.62, L: 0.55, P: 0.2 },
  AC: { L: 0.77, H: 0.44 },
  UI: { N: 0.85, R: 0.62 },
  C: { H: 0.56, L: 0.22, N: 0 },
  I: { H: 0.56, L: 0.22, N: 0 },
  A: { H: 0.56, L: 0.22, N: 0 }
}
const privileges: Readonly<Record<string, readonly [unchanged: number, changed: number]>> = {
  N: [0.85, 0.85],
  L: [0.62, 0.68],
  H: [0.27, 0.5]
}

/** To one decimal, upwards, without the traps of binary fractions. */
const roundedUp = (score: number): number => {
  const scaled = Math.round(score * 100_000)
  return scaled % 10_000 === 0 ? scaled / 100_000 : (Math.floor(scaled / 10_000) + 1) / 10
}

/** Base score of a CVSS 3 vector; null for what is none. */
export const cvss3Score = (vector: string): number | null => {
  if (!/^CVSS:3\.[01]\//.test(vector)) return null
  const metrics = new Map(vector.split("/").map((part) => part.split(":", 2) as [string, string | undefined]))
  const weight = (name: string): number => weights[name]?.[metrics.get(name) ?? ""] ?? Number.NaN
  const scope = metrics.get("S")
  const isChanged = scope === "C"
  const required = privileges[metrics.get("PR") ?? ""]?.[isChanged ? 1 : 0] ?? Number.NaN
  const exploitability = 8.22 * weight("AV") * weight("AC") * required * weight("UI")
  const base = 1 - (1 - weight("C")) * (1 - weight("I")) * (1 - weight("A"))
  if (Number.isNaN(exploitability) || Number.isNaN(base) || (scope !== "U" && !isChanged)) return null
  const impact = isChanged ? 7.52 * (base - 0.029) - 3.25 * (base - 0.02) ** 15 : 6.42 * base
  if (impact <= 0) return 0
  return roundedUp(Math.min((isChanged ? 1.08 : 1) * (impact + exploitability), 10))
}

export const severityOfScore = (score: number): Severity =>
  score >= 9 ? "critical" : score >= 7 ? "high" : score >= 4 ? "moderate" : "low"
