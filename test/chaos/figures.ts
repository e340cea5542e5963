import { loadavg } from "node:os"

/** One line of the report: what was measured, what it should be at most, and whether it is. */
export interface Figure {
  readonly name: string
  readonly value: string
  readonly aim: string
  readonly isMet: boolean
}

/** A figure that is only reported. */
export const count = (name: string, value: number | string): Figure => ({
  name,
  value: String(value),
  aim: "",
  isMet: true
})

/** A figure with an upper bound, in seconds. */
export const seconds = (name: string, value: number, aim: number): Figure => ({
  name,
  value: `${value.toFixed(2)} s`,
  aim: `≤ ${aim} s`,
  isMet: value <= aim
})

/** A number of cases of which there should be none. */
export const none = (name: string, cases: ReadonlyArray<string>): Figure => ({
  name,
  value: [String(cases.length), ...cases.slice(0, 3)].join(" "),
  aim: "0",
  isMet: cases.length === 0
})

/** A number of faults that were to be made: fewer when the time was over. */
export const reached = (name: string, value: number, planned: number): Figure => ({
  name,
  value: String(value),
  aim: `${planned} planned`,
  isMet: value > 0
})

export const lineOf = (scenario: string, { name, value, aim, isMet }: Figure): string =>
  `${isMet ? "ok  " : "MISS"} ${scenario.padEnd(10)} ${name.padEnd(44)} ${value.padEnd(12)} ${aim}`.trimEnd()

/** Seconds as their middle, 95th percentile and largest. */
export const spread = (values: ReadonlyArray<number>) => {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { middle: at(0.5), p95: at(0.95), largest: sorted.at(-1) ?? 0 }
}

export const loadNow = (): string => loadavg()[0]!.toFixed(1)
