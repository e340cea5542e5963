import { escape as escapeRegExp } from "effect/RegExp"
import type { Range } from "../../languages/tree/Range.ts"

/** Pieces of text, one of which is on every line that holds a credential or beside it. */
const signs =
  ":// pass pwd psk _pw bindpw userpw rootpw secret token auth cred cookie session bearer basic identified @tcp @unix proxy " +
  "jdbc: $apr1$ $2a$ $2b$ $2x$ $2y$ $5$ $6$ $y$ {sha {ssha {md5 {crypt key " +
  // Commands that take a secret without an option.
  "net login sqlplus impdp expdp sqlldr add_user setapikey connect( /p: /pw: from-literal"
const sign = new RegExp(signs.split(" ").map(escapeRegExp).join("|"), "iy")

/** Keys that are credentials; others are everywhere. */
const key =
  /(?:api|app|access|private|encrypt(?:ion)?|sign(?:ing|ature)?|master|account|shared|jwt|hmac|licen[sc]e|service|storage|deploy|subscription|crypto|x|function)[-_]?$/i
const net = /net\s+us/iy

/** Five bits of each character, in which capitals are small letters: which three begin a sign. */
const BITS = 31
const starts = new Uint8Array(1 << 15)
const code = (text: string, at: number): number => text.charCodeAt(at) & BITS
for (const each of signs.split(" ")) starts[(code(each, 0) << 10) | (code(each, 1) << 5) | code(each, 2)] = 1

const HYPHEN = 45
const isOption = (text: string, at: number): boolean =>
  /[\s"'`=([,]/.test(text[at - 1] ?? " ") && /^--?[A-Za-z]/.test(text.slice(at, at + 3))

const isSign = (text: string, at: number): boolean => {
  sign.lastIndex = at
  const match = sign.exec(text)?.[0].toLowerCase()
  if (match === "key") return key.test(text.slice(Math.max(0, at - 14), at))
  if (match !== "net") return match !== undefined
  net.lastIndex = at
  return net.test(text)
}

/** One pass over the characters: nearly all texts have none of it nearly everywhere. */
const signsIn = (text: string): ReadonlyArray<number> => {
  const found: Array<number> = []
  let window = 0
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    window = ((window << 5) | (c & BITS)) & 0x7fff
    if (starts[window] === 1 && isSign(text, i - 2)) found.push(i - 2)
    else if (c === HYPHEN && isOption(text, i)) found.push(i)
  }
  return found
}

const LINES_AFTER = 2
const MAX_LINES = 14
/** Command lines and lists go on. */
const continues = /[\\,[({]\s*$|^\s*-\s+\S+\s*$/

const lineEnd = (text: string, at: number): number => {
  const end = text.indexOf("\n", at)
  return end < 0 ? text.length : end
}

const previousLine = (text: string, at: number): number => {
  const start = text.lastIndexOf("\n", at - 1)
  return start <= 0 ? 0 : text.lastIndexOf("\n", start - 1) + 1
}

const blockEnd = (text: string, first: number): number => {
  let end = first
  let line = text.slice(Math.max(0, end - 200), end)
  for (let i = 0; i < MAX_LINES && end < text.length; i++) {
    if (i >= LINES_AFTER && !continues.test(line)) break
    const next = lineEnd(text, end + 1)
    line = text.slice(Math.max(end + 1, next - 200), next)
    end = next
  }
  return end
}

/** The lines of a text that may hold a credential, with those around them that belong to it: a small part of most texts. */
export const regionsOf = (text: string): ReadonlyArray<Range> => {
  const regions: Array<[number, number]> = []
  let seen = -1
  for (const at of signsIn(text)) {
    if (at < seen) continue
    seen = lineEnd(text, at)
    const block = blockEnd(text, seen)
    const last = regions.at(-1)
    const start = last === undefined || at > last[1] ? previousLine(text, at) : last[0]
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], block)
    else regions.push([start, block])
  }
  return regions
}
