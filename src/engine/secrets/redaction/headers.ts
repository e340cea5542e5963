import { isExpression, isInString, isMixed, isName, literalIn, type Redact } from "./literal.ts"
import type { Writing } from "./settings.ts"

const scheme = "Basic|Bearer|Token|Digest|Api-?Key|Negotiate|SSWS|Splunk|GenieKey|Key|Hawk|DeepL-Auth-Key|PRIVATE-TOKEN"
const between = String.raw`["'${"`"}]?\]?\s{0,3}[:=,]\s{0,3}(?:[bf](?=["']))?["'${"`"}]?`
const apart = String.raw`(?:["'${"`"}]?\]?\s{0,3}[:=]\s{0,3}(?:[bf](?=["']))?["'${"`"}]?|["'${"`"}]\s{0,3},\s{0,3}["'${"`"}])`
const value = String.raw`([^\s"'${"`"}\\,;<>)]{3,4000})`

/** The scheme says what follows; without the header's name it may be prose, unless what follows is more than a word. */
const schemed = new RegExp(
  String.raw`(?:(\bauthorization${between}(?:\w[\w-]{0,20}\s+)?)|\b(?:${scheme})\s+)(?:(?:token|key|response)=["']?)?(?!(?:${scheme})\b)${value}`,
  "gi"
)
/** `X-Api-Key: …`: in a string, or with the value in a string of its own. */
const named = new RegExp(
  String.raw`(?<![\w-])(?:[A-Za-z]+-)+(?:(?:api-?|access-?|auth-?|subscription-?|secret-?|shared-?|function[s]?-?)?key|token|secret|password|signature|auth|authorization|pass)${apart}(?:(?:${scheme})\s+)?${value}`,
  "gi"
)
const cookies = new RegExp(
  String.raw`\b(?:set-)?cookies?${between}((?:[\w.$-]{1,80}=[^\s"'${"`"}\\;<>]{1,4000}(?:;\s{0,2})?){1,40})`,
  "gi"
)
const cookie = /([\w.$-]{1,80})=([^\s;]{1,4000})/g
const attribute = /^(?:path|domain|expires|max-age|samesite|secure|httponly|priority|partitioned|lang|locale|theme)$/i

/** Credentials in headers of requests, wherever they are written. */
export const headers = (text: string, writing: Writing, redact: Redact): void => {
  for (const match of text.matchAll(schemed)) {
    const isCertain = match[1] !== undefined && isWritten(text, match, writing)
    const content = match[2]!
    if (isCertain || (content.length >= 8 && isMixed(content) && !isExpression(content)))
      redactValue(text, match, 2, redact)
  }
  for (const match of text.matchAll(named)) {
    if (isWritten(text, match, writing) && isHeader(text, match)) redactValue(text, match, 1, redact)
  }
  for (const match of text.matchAll(cookies)) redactCookies(text, match, redact)
}

/** Of a name that may be a value. */
const MIN_WORD = 10

/** In code, what is not in a string is a name. */
const isWritten = (text: string, match: RegExpExecArray, writing: Writing): boolean => {
  const content = match.at(-1)!
  const start = match.index + match[0].length - content.length
  if (isInString(text, start)) return true
  return !isExpression(content) && (!isName(content) || (writing !== "code" && content.length >= MIN_WORD))
}

/** Two texts with a comma between are a name and its value where a function gets them first. */
const isHeader = (text: string, match: RegExpExecArray): boolean =>
  !/["'`]\s{0,3},\s{0,3}["'`]/.test(match[0]) || text[match.index - 2] === "("

const redactValue = (text: string, match: RegExpExecArray, group: number, redact: Redact): void => {
  const end = match.index + match[0].length
  const literal = literalIn(text, end - match[group]!.length, end)
  if (literal !== null) redact(...literal)
}

const redactCookies = (text: string, match: RegExpExecArray, redact: Redact): void => {
  const from = match.index + match[0].length - match[1]!.length
  for (const [whole, name = "", content = ""] of match[1]!.matchAll(cookie)) {
    if (attribute.test(name) || content.length < 4) continue
    const start = from + match[1]!.indexOf(whole) + name.length + 1
    const literal = literalIn(text, start, start + content.length)
    if (literal !== null) redact(...literal)
  }
}
