import type { SourceFile } from "../core/files/SourceFile.ts"
import { mergedRanges, type Range } from "../languages/tree/Range.ts"
import { credentialsIn } from "./credentialsIn.ts"
import { REDACTED, redactCredentials } from "./redact.ts"
import { isMixed, isName } from "./redaction/literal.ts"
import { redactedRanges } from "./redaction/redactedRanges.ts"

/** Shorter values are words that occur everywhere; hiding those would make text unreadable, not safe. */
const MIN_VALUE = 6

/** A password that is a word is redacted where it stands; the word is in other places for other reasons. */
const isDistinct = (value: string): boolean => value.length >= MIN_VALUE && (isMixed(value) || !isName(value))

/**
 * What no text about the file may show: the flagged ranges, whatever else in it looks like a credential (a rule may have
 * passed it over because of where it stands), and every other place of the same values.
 */
export const hiddenRanges = (file: SourceFile, flagged: ReadonlyArray<Range>): ReadonlyArray<Range> => {
  const { text } = file
  const credentials = credentialsIn(file).map(({ start, end }): Range => [start, end])
  const ranges: Array<Range> = [...flagged, ...credentials, ...redactedRanges(file)]
  for (const value of new Set(ranges.map(([start, end]) => text.slice(start, end)))) {
    if (!isDistinct(value)) continue
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

/** Redacts a text about the file, such as a message, a title or a symbol: the secrets' values, and what looks like one. */
export const hiderOf = (text: string, secrets: ReadonlyArray<Range>): ((written: string) => string) => {
  const values = new Set<string>()
  for (const [start, end] of secrets) {
    const value = text.slice(start, end)
    for (const part of [value, ...value.split(/\s+/)]) if (isDistinct(part)) values.add(part)
  }
  const longestFirst = [...values].sort((a, b) => b.length - a.length)
  return (written) => redactCredentials(longestFirst.reduce((out, value) => out.replaceAll(value, REDACTED), written))
}
