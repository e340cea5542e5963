import { mergedRanges, type Range } from "../languages/tree/Range.ts"
import { credentialRanges } from "./redaction/credentialRanges.ts"
import { scanSecrets } from "./scanSecrets.ts"

export const REDACTED = "[redacted]"

/** Every range of a text that looks like a credential, live or not, in order and without overlaps. */
export const secretRanges = (text: string): ReadonlyArray<Range> => {
  const ranges: Array<Range> = scanSecrets(text, { unquoted: true, highEntropy: true, harmless: true }).map(
    ({ start, end }) => [start, end] as const
  )
  return mergedRanges([...ranges, ...credentialRanges(text, "unknown")])
}

/** Ranges of a text replaced, one mark for each. */
const withoutRanges = (text: string, ranges: ReadonlyArray<Range>): string => {
  let out = ""
  let at = 0
  for (const [start, end] of mergedRanges(ranges)) {
    out += text.slice(at, start) + REDACTED
    at = end
  }
  return at === 0 ? text : out + text.slice(at)
}

/**
 * A text fit to be stored, shown or logged. It hides more than it should rather than less: made-up keys, weak passwords
 * and any long random value go as well. What it returns, it leaves alone the next time.
 */
export const redactSecrets = (text: string): string => withoutRanges(text, secretRanges(text))

/** A text about code, in which names, digests and other long values are to stay readable. */
export const redactCredentials = (text: string): string => {
  const keys = scanSecrets(text, { harmless: true }).filter(({ kind }) => kind === "provider")
  return withoutRanges(text, [
    ...keys.map(({ start, end }): Range => [start, end]),
    ...credentialRanges(text, "unknown")
  ])
}

/** The same value with every text in it redacted. */
export const redactTexts = <A>(value: A): A =>
  JSON.parse(JSON.stringify(value), (_, item: unknown) =>
    typeof item === "string" ? redactCredentials(item) : item
  ) as A
