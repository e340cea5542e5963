import type { Range } from "./Fingerprint.ts"

/** Stands for a secret in everything that is shown or stored. */
export const REDACTED = "[redacted]"
/** Shorter values are words that occur everywhere; hiding those would make text unreadable, not safe. */
const MIN_VALUE = 6

/** Ranges in order, overlapping ones merged. */
const mergeRanges = (ranges: ReadonlyArray<Range>): ReadonlyArray<Range> => {
  const merged: Array<[number, number]> = []
  for (const [start, end] of [...ranges].sort((a, b) => a[0] - b[0] || a[1] - b[1])) {
    const last = merged.at(-1)
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end)
    else if (end > start) merged.push([start, end])
  }
  return merged
}

/** The flagged ranges and every other place of the file where the same value stands. */
export const secretRanges = (text: string, flagged: ReadonlyArray<Range>): ReadonlyArray<Range> => {
  const ranges: Array<Range> = [...flagged]
  for (const value of new Set(flagged.map(([start, end]) => text.slice(start, end)))) {
    if (value.length < MIN_VALUE) continue
    for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.length)) {
      ranges.push([at, at + value.length])
    }
  }
  return mergeRanges(ranges)
}

/** Text of a range with secrets replaced; line breaks inside a secret stay, so that lines keep their numbers. */
export const sliceRedacted = (text: string, start: number, end: number, secrets: ReadonlyArray<Range>): string => {
  let out = ""
  let at = start
  for (const [from, to] of secrets) {
    if (to <= at || from >= end) continue
    if (from > at) out += text.slice(at, from)
    const hidden = text.slice(Math.max(from, at), Math.min(to, end))
    out += REDACTED + "\n".repeat(hidden.split("\n").length - 1)
    at = Math.min(to, end)
  }
  return at < end ? out + text.slice(at, end) : out
}

/** Hides the secrets' values wherever they occur in a text about the file: messages, titles, symbols. */
export const hiderOf = (text: string, secrets: ReadonlyArray<Range>): ((written: string) => string) => {
  const values = new Set<string>()
  for (const [start, end] of secrets) {
    const value = text.slice(start, end)
    for (const part of [value, ...value.split(/\s+/)]) if (part.length >= MIN_VALUE) values.add(part)
  }
  if (values.size === 0) return (written) => written
  const longestFirst = [...values].sort((a, b) => b.length - a.length)
  return (written) => longestFirst.reduce((out, value) => out.replaceAll(value, REDACTED), written)
}
