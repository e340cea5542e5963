import { isExpression, isInString, isMixed, isName, literalIn, type Redact } from "./literal.ts"

/** Of a token in the place of a user. */
const MIN_TOKEN = 16
const authority = /[^\s"'`<>\\|]{1,600}/y
const port = /^\d*(?!\w)/

/** `scheme://user:password@host`, whatever the scheme and the host, and `scheme://token@host`. */
const userInfo = (text: string, redact: Redact): void => {
  for (let at = text.indexOf("://"); at >= 0; at = text.indexOf("://", at + 3)) {
    const from = at + 3
    authority.lastIndex = from
    const run = authority.exec(text)?.[0] ?? ""
    const end = userInfoEnd(run)
    if (end <= 0) continue
    const colon = run.slice(0, end).indexOf(":")
    const user = run.slice(0, colon < 0 ? end : colon)
    if (user.length >= MIN_TOKEN && isMixed(user)) redact(from, from + user.length)
    redactLiteral(text, from + user.length + 1, from + end, redact)
  }
}

/** Where the host begins; a password may hold what has to be escaped there, but what follows a port is a path. */
const userInfoEnd = (run: string): number => {
  const head = run.split(/[/?#]/, 1)[0]!
  const end = head.lastIndexOf("@")
  const colon = head.indexOf(":")
  if (end >= 0 || colon < 0) return end
  const after = head.slice(colon + 1)
  return port.test(after) || /^[$%{<[]/.test(after) ? -1 : run.indexOf("@")
}

const redactLiteral = (text: string, start: number, end: number, redact: Redact): void => {
  const literal = start < end ? literalIn(text, start, end) : null
  if (literal !== null) redact(...literal)
}

/** The same without a scheme: sources of Go and Oracle drivers, and settings of proxies. */
const sources: ReadonlyArray<readonly [needle: string, pattern: RegExp]> = [
  ["@", /(?<![\w.-])[\w.-]{1,60}:([^\s"'`]{1,100})@(?:tcp6?|unix|udp)?\(/g],
  ["jdbc:oracle", /\bjdbc:oracle:\w+:[\w$#-]{1,60}\/([^\s"'`]{1,100})@/gi],
  ["@", /\b(?:sqlplus|expdp|impdp|sqlldr)\s+(?:-\w+\s+){0,3}[\w$#-]{1,60}\/([^\s"'`]{1,100})@/gi],
  ["@", /proxy["']?\s{0,3}[:=]\s{0,3}["']?[\w.-]{1,60}:([^\s"'`/@]{1,100})@/gi]
]

const password = "pass(?:w(?:or)?d|phrase)?|pwd|passwd|client_?secret|secret"
const token =
  "(?:access_?|refresh_?|id_?|auth_?|bearer_?|private_?)?token|api_?key|apikey|auth|sig(?:nature)?|key|sid|session(?:_?id)?"
const parameter = new RegExp(
  String.raw`[?&;]\s{0,2}(?:[\w.-]{1,40}[._-])?(?:(${password})|${token})\s{0,2}=\s{0,2}["']?([^\s&;"'${"`"}<>\\)]{2,600})`,
  "gi"
)

/** Credentials in URLs and in the strings that drivers connect by. */
export const urlCredentials = (text: string, redact: Redact): void => {
  userInfo(text, redact)
  for (const [needle, source] of sources) {
    if (!text.includes(needle)) continue
    for (const match of text.matchAll(source)) {
      const start = match.index + match[0].lastIndexOf(`${match[1]!}@`)
      redactLiteral(text, start, start + match[1]!.length, redact)
    }
  }
  if (text.includes("=")) parameters(text, redact)
}

const parameters = (text: string, redact: Redact): void => {
  for (const match of text.matchAll(parameter)) {
    const value = match[2]!
    const end = match.index + match[0].length
    const isCode = match[0].startsWith(";") && (isExpression(value) || isName(value)) && !isInString(text, match.index)
    const isSecret = match[1] !== undefined || (value.length >= 6 && isMixed(value))
    if (isSecret && !isCode) redactLiteral(text, end - value.length, end, redact)
  }
}
