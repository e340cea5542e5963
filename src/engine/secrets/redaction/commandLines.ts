import { type Command, commandNames, commands } from "./commands.ts"
import { literalIn, type Redact } from "./literal.ts"
import { nounOnly } from "./settings.ts"
import { type Word, wordsAfter } from "./words.ts"

const called = new RegExp(`(?<![\\w.-])(${commandNames})(?:\\.exe)?(?=["'\`]?[\\s,])`, "gi")

/** Passwords and tokens that commands get as arguments. */
export const commandLines = (text: string, redact: Redact): void => {
  for (const match of text.matchAll(called)) {
    const words = wordsAfter(text, match.index + match[0].length)
    const command = commands.get(match[1]!.toLowerCase())
    if (command === undefined) redactNet(text, words, redact)
    else redactArguments(text, command, words, redact)
  }
  redactOptions(text, redact)
  for (const [needle, pattern] of lines) if (text.includes(needle)) redactGroup(text, pattern, redact)
}

const redactArguments = (text: string, command: Command, words: ReadonlyArray<Word>, redact: Redact): void => {
  const { pairs, secrets, attached, after, last } = command
  const from = after === undefined ? 0 : words.findIndex((word) => word.text === after)
  words.forEach((word, i) => {
    if (pairs?.test(word.text)) redactPair(text, valueOf(words, i, pairs), redact)
    if (from >= 0 && i >= from && secrets?.test(word.text)) redactValue(text, valueOf(words, i, secrets), redact)
    const inside = attached?.exec(word.text)?.[0].length ?? word.text.length
    if (inside < word.text.length) redactValue(text, rest(word, inside), redact)
  })
  if (last !== undefined) redactValue(text, lastOf(words, last), redact)
}

const rest = ({ start, text }: Word, from: number): Word => {
  const skipped = from + (/^=?["']?/.exec(text.slice(from))?.[0].length ?? 0)
  return { start: start + skipped, text: text.slice(skipped).replace(/["']$/, "") }
}

/** What is attached to an option, or else the next word. */
const valueOf = (words: ReadonlyArray<Word>, i: number, option: RegExp): Word | undefined => {
  const word = words[i]!
  const length = option.exec(word.text)?.[0].length ?? 0
  return length < word.text.length ? rest(word, length) : words[i + 1]
}

const redactPair = (text: string, word: Word | undefined, redact: Redact): void => {
  const mark = word?.text.search(/[:%,=]/) ?? -1
  if (word !== undefined && mark >= 0) redactValue(text, rest(word, mark + 1), redact)
}

/** Where a value comes from, rather than a value. */
const source = /^(?:env|file|fd|stdin|prompt|keychain)(?::|$)|^[-@]/

const redactValue = (text: string, word: Word | undefined, redact: Redact): void => {
  if (word === undefined || source.test(word.text)) return
  const from = word.start + (word.text.startsWith("pass:") ? "pass:".length : 0)
  const literal = literalIn(text, from, word.start + word.text.length)
  if (literal !== null) redact(...literal)
}

const isRedirection = ({ text }: Word): boolean => /^\d?[<>]/.test(text)

/** `-b` also stands for flags that are written together with it. */
const lastOf = (words: ReadonlyArray<Word>, after: string): Word | undefined => {
  const flag = after.startsWith("-") ? new RegExp(`^-[A-Za-z]*${after.slice(1)}`) : null
  const from = words.findIndex((word) => flag?.test(word.text) ?? word.text === after)
  const end = words.findIndex(isRedirection)
  const operands = words.slice(0, end < 0 ? words.length : end).filter((word, i) => i > from && !/^-/.test(word.text))
  return from >= 0 && operands.length > (flag === null ? 0 : 1) ? operands.at(-1) : undefined
}

/** `net use drive share password` and `net user name password`. */
const redactNet = (text: string, words: ReadonlyArray<Word>, redact: Redact): void => {
  const operands = words.filter((word) => !/^\//.test(word.text))
  const [verb, ...others] = operands
  if (/^user$/i.test(verb?.text ?? "")) redactValue(text, others[1], redact)
  if (!/^use$/i.test(verb?.text ?? "")) return
  redactValue(
    text,
    others.find(({ text: operand }) => !/^(?:[A-Za-z]:|\*|\\\\.*)$/.test(operand)),
    redact
  )
}

const secretOption =
  /(?:passw(?:or)?d|passphrase|pwd|pass|token|secret|api[-_]?key|access[-_]?key|secret[-_]?key|account[-_]?key|auth[-_]?key|shared[-_]?key|credentials?)$/i
const option = /(?<![\w-])--?([A-Za-z][\w.-]{1,60})(?:(=|\s{1,3}|["'`]\s{0,2},\s{0,80}(?=["'`]))(["'`])?)/g
/** Words of help texts after the name of an option. */
const prose =
  /^(?:an?|the|and|or|to|from|for|in|of|if|is|it|as|at|on|with|was|will|be|by|not|must|should|can|may|you|your|this|that|when|where|option|options|flag|flags|argument|arguments|parameter|value|values|environment|instead|only|are|has|here|set|given)$/i
const metavariable = /^[A-Z][A-Z_]+$/
/** `--password secret`, `--api-key=secret`, `["--token", "secret"]`, whatever the command. */
const redactOptions = (text: string, redact: Redact): void => {
  if (!text.includes("-")) return
  for (const match of text.matchAll(option)) {
    const [whole, name = "", separator = "", quote] = match
    if (!secretOption.test(name) || /^(?:no|password-from|clear|reset|require)-/.test(name)) continue
    const start = match.index + whole.length
    const value = (quote === undefined ? bare : inQuotes(quote)).exec(text.slice(start, start + 600))?.[0] ?? ""
    const isAmidWords = separator !== "=" && (prose.test(value) || metavariable.test(value) || /\s/.test(value))
    if (value.length < 2 || isAmidWords || nounOnly.test(value) || /^(?:id|type|src)=|^[~.]?\//.test(value)) continue
    redactValue(text, { start, text: value }, redact)
  }
}

const bare = /^[^\s"'`;|<>)\],\\]+/
const quoted = { '"': /^[^"\n\\]+/, "'": /^[^'\n\\]+/, "`": /^[^`\n\\]+/ }
const inQuotes = (quote: string): RegExp => quoted[quote as keyof typeof quoted]

const lines: ReadonlyArray<readonly [needle: string, pattern: RegExp]> = [
  // A secret that is piped to what reads one.
  [
    "|",
    /\b(?:echo|printf)\s+(?:-\w+\s+)?["']?(?:[\w.-]+:)?([^\s"'|]{3,200})["']?\s*\|[^|\n]{0,120}(?:password-stdin|with-token|sudo\s+-S|chpasswd|passwd|cryptsetup|passphrase-fd|pass(?:in|out)?\s+stdin)/g
  ],
  // Settings by command: the name is one word, the value another.
  [
    "config",
    /\b(?:config|configure)\s+(?:-\w+\s+|--\w+\s+)*(?:set\s+)?["']?[\w./:@-]*(?:_authToken|_password|_auth|npmAuthToken|token|password|passwd|secret|secret_access_key|api_?key|github-oauth\.[\w.-]+)["']?\s+["']?([^\s"'|;&]{4,400})/gi
  ],
  [
    "config",
    /\bconfig\s+(?:-\w+\s+|--\w+\s+)*(?:http-basic|bearer|basic)\.[\w.-]+\s+[^\s"']+\s+["']?([^\s"'|;&]{3,400})/g
  ],
  ["/p", /\/(?:p|pw|pass|password):["']?([^\s"'|;&]{3,200})/gi],
  ["SecureString", /ConvertTo-SecureString\s+(?:-String\s+)?["']([^"'\n]{3,200})["']/gi],
  ["_", /\b(?:change_password|add_user)\s+[\w.@-]+\s+["']?([^\s"'|;&]{3,200})/g],
  ["<<<", /with-token\s*<<<\s*["']?([^\s"'|;&]{3,400})/g],
  [
    "redis-cli",
    /\bredis-cli\b[^|;&\n]{0,200}\sauth\s+(?:[\w-]+\s+)?["']?([^\s"'|;&]{3,400})["']?\s*(?=$|[|;&"'`)])/gim
  ],
  ["smbclient", /\bsmbclient\s+["']?\/\/[^\s"']+["']?\s+["']?([^\s"'|;&-][^\s"'|;&]{2,200})/g],
  ["from-literal", /--from-literal[= ]["']?[\w.-]+=["']?([^\s"'|;&]{3,400})/g]
]

/** Redacts the group of a pattern; it is the last thing in what the pattern matches of that text. */
export const redactGroup = (text: string, pattern: RegExp, redact: Redact): void => {
  for (const match of text.matchAll(pattern)) {
    const value = match[1] ?? match[2]
    if (value === undefined) continue
    const start = match.index + match[0].lastIndexOf(value)
    const literal = literalIn(text, start, start + value.length)
    if (literal !== null) redact(...literal)
  }
}
