import { mergedRanges, type Range } from "../languages/tree/Range.ts"
import { scanSecrets } from "./scanSecrets.ts"

export const REDACTED = "[redacted]"

/** Credentials that only their place gives away: headers, command lines and query parameters. */
const placed =
  /(?:\b(?:Bearer|Basic|Token)\s+|[?&](?:access_token|api_?key|apikey|auth|token|secret|password|sig(?:nature)?|key)=|--?(?:password|passwd|token|secret|api-?key)[= ])["']?([A-Za-z0-9+/=_.~%!*-]{6,4096})/gi

/** Every range of a text that looks like a credential, live or not, in order and without overlaps. */
const secretRanges = (text: string): ReadonlyArray<Range> => {
  const ranges: Array<Range> = scanSecrets(text, { unquoted: true, highEntropy: true, harmless: true }).map(
    ({ start, end }) => [start, end] as const
  )
  for (const match of text.matchAll(placed)) {
    if (!/\d|[A-Z].*[a-z].*[A-Z]/.test(match[1]!.slice(0, 200))) continue
    const end = match.index + match[0].length
    ranges.push([end - match[1]!.length, end])
  }
  return mergedRanges(ranges)
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
