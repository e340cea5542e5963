import type { SourceFile } from "../core/files/SourceFile.ts"
import { mergedRanges, type Range } from "../languages/tree/Range.ts"
import { credentialsIn } from "./credentialsIn.ts"
import { REDACTED } from "./redact.ts"

/** Shorter values are words that occur everywhere; hiding those would make text unreadable, not safe. */
const MIN_VALUE = 6

/**
 * What no text about the file may show: the flagged ranges, whatever else in it looks like a credential (a rule may have
 * passed it over because of where it stands), and every other place of the same values.
 */
export const hiddenRanges = (file: SourceFile, flagged: ReadonlyArray<Range>): ReadonlyArray<Range> => {
  const { text } = file
  const credentials = credentialsIn(file).map(({ start, end }): Range => [start, end])
  const ranges: Array<Range> = [...flagged, ...credentials]
  for (const value of new Set(ranges.map(([start, end]) => text.slice(start, end)))) {
    if (value.length < MIN_VALUE) continue
    for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.length)) {
      ranges.push([at, at + value.length])
    }
  }
  return mergedRanges(ranges)
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
