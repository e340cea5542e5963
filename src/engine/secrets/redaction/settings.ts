import { wordsOf } from "../shape.ts"
import { isExpression, isInText, isMixed, isName, literalIn, openQuote, type Redact } from "./literal.ts"

/** What the lines of a text are: settings, whose values need no quotes, or code, where only strings are values. */
export type Writing = "settings" | "code" | "unknown"

const password =
  "pass(?:w(?:or)?d|phrase|wd)?|passcode|pwd|storepass|keypass|requirepass|masterauth|bind_?pw|userpw|rootpw|psk"
const key =
  "secret|(?:api|access|secret|private|encrypt(?:ion)?|sign(?:ing|ature)?|master|account|shared|jwt|hmac|crypto|storage|deploy|license)_?key(?:_base)?"
const token = "token|credentials?|auth|(?:auth|session|cookie|service)_?key"
/** The last words of a name say what its value is. */
const secretName = new RegExp(
  `(?:^|_)(?:(\\w*(?:${password}))|(\\w*(?:${key}))|\\w*(?:${token}))(?:_(?:prod|production|live|staging|dev|test|value|base64|b64|str|string|raw|plain|default|v?\\d+))*$`
)
const noSecret =
  /(?:^|_)(?:no|has|is|use|with|show|hide|min|max|url|uri|path|file|name|header|type|field|label|placeholder|public|csrf|xsrf|cancellation|continuation|next|page|sync|design|lexer|syntax|accent|color|num|count)_|^(?:nopasswd|author|by?pass|compass)$/

const nouns = "pass|pwd|secret|token|key|auth|credential|psk|pw"
const label = String.raw`(?<![\w.-])[\w.:/@-]{0,80}?(?:${nouns})[\w-]{0,20}`

interface Written {
  readonly name: string
  readonly start: number
  readonly end: number
  readonly isQuoted: boolean
}

/** `NAME=value`, also amid a line: environments, arguments, options of mounts and drivers; in texts, with white space. */
const assigned = new RegExp(String.raw`(${label})(["']?\s{0,2}[:=]\s{0,2}|=)(["'])?`, "gi")
/** `name: value`, `name = value` and `name value` on a line of its own. */
const entry = new RegExp(
  String.raw`^(?:[ \t]*(?:-[ \t]+|export[ \t]+|set(?:x|env)?[ \t]+|ENV[ \t]+|ARG[ \t]+)?["']?)(${label})["']?(?:[ \t]{0,4}[:=][ \t]{0,6}|[ \t]{1,6})([^\s:="'][^\s"'${"`"}]{0,1000})(?=["'${"`"}\s,;]|$)`,
  "gim"
)

const bare = /[^\s"'`;&|<>\\,]{2,1000}/y

/** Values of names that mean a credential. Values in quotes are the matter of `labelledSecrets`. */
export const settings = (text: string, writing: Writing, redact: Redact): void => {
  for (const match of text.matchAll(assigned)) {
    const [whole, name = "", separator, quote] = match
    const start = match.index + whole.length
    const end = valueEnd(text, start, quote)
    // The quote that ends a string: what it is joined to follows.
    if (quote !== undefined && openQuote(text, start - 1) === quote) continue
    // The default of a variable, of which the variable is the value.
    if (text[match.index - 1] === "{") continue
    const isLoose = separator !== "="
    if (isLoose && writing !== "settings" && !isMixed(text.slice(start, end))) continue
    if (isLoose && writing === "code" && !isInText(text, start)) continue
    redactWritten(text, { name, start, end, isQuoted: quote !== undefined }, writing, redact)
  }
  if (writing !== "code") {
    for (const match of text.matchAll(entry)) redactEntry(text, match, writing, redact)
  }
}

const redactEntry = (text: string, match: RegExpExecArray, writing: Writing, redact: Redact): void => {
  const value = match[2]!.replace(/[,;]+$/, "")
  const start = match.index + match[0].length - match[2]!.length
  const isAssigned = /[:=]\s*$/.test(match[0].slice(0, start - match.index))
  if (!isAssigned && !isMixed(value)) return
  redactWritten(text, { name: match[1]!, start, end: start + value.length, isQuoted: false }, writing, redact)
}

/** To the closing quote on the same line, or as far as a word goes. */
const valueEnd = (text: string, start: number, quote: string | undefined): number => {
  if (quote === undefined) {
    bare.lastIndex = start
    return bare.test(text) ? bare.lastIndex : start
  }
  const end = text.slice(start, start + 1_000).search(quote === '"' ? /["\n]/ : /['\n]/)
  return end < 0 ? start : start + end
}

const MIN_TOKEN = 6

const redactWritten = (text: string, written: Written, writing: Writing, redact: Redact): void => {
  const { name, start, end, isQuoted } = written
  const value = text.slice(start, end)
  const isText = isQuoted || writing === "settings" || isInText(text, start)
  // In a command line, what has capitals only is a variable of the environment, and its value is a text.
  const isVariable = /^[A-Z\d_]+$/.test(name) && text[start - 1] === "="
  if (value.length < 2 || !isCredential(name, value, writing === "settings" || isVariable)) return
  if (!isText && (isExpression(value) || (isName(value) && !isVariable))) return
  const literal = literalIn(text, start, end)
  if (literal !== null) redact(...literal)
}

/** Words in the place of a secret that only name it. */
export const nounOnly =
  /^(?:my|your|the|new|old|current|confirm|user|db)?[-_]?(?:pass(?:w(?:or)?d|phrase|wd)?|pwd|pw|(?:api|access|secret)?[-_]?(?:secret|token|key))$/i

/** By the name. What is called a token in code may be a word; a password, a key and what settings hold may not. */
export const isCredential = (name: string, value: string, isSetting: boolean): boolean => {
  const words = wordsOf(name.slice(Math.max(0, name.search(/[^/.:@]*$/)))).join("_")
  if (noSecret.test(words) || nounOnly.test(value) || /^(?:OLD)?PWD$/.test(name) || /^[~.]{0,2}\//.test(value))
    return false
  const match = secretName.exec(words)
  if (match === null) return false
  if (match[1] !== undefined) return true
  const isWord = !isMixed(value) && !isSetting && match[2] === undefined
  return value.length >= MIN_TOKEN && !isWord
}
