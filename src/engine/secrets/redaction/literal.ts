import type { Range } from "../../languages/tree/Range.ts"

/** Takes a range of a text that no one may read. */
export type Redact = (start: number, end: number) => unknown

/** Values that are filled in elsewhere: shell and template variables, format directives, marks of documentation. */
const filledIn =
  /\$\{[^{}]*\}|\$\{\{[^{}]*\}\}|\{\{[^{}]*\}\}|#\{[^{}]*\}|\$\([^()]*\)|\$[A-Za-z_]\w*|\$\d|%[A-Za-z_]\w*%|%\(\w+\)s|%[sdvqr]\b|\{[\w.$:!]*\}|<[\w .:/'-]+>|@@?[A-Za-z_][\w.]*@@?|\[redacted\]/gi
/** Words in the place of a value that say what kind of value it is, or that there is none. */
const keyword =
  /^(?:true|false|null|nil|none|undefined|yes|no|on|off|str|string|bytes?|char\[\]|secretstr|securestring|number|int|integer|bool|boolean|any|unknown|object|optional|required|void|text|varchar(?:\(\d+\))?)[?!,;]*$/i
const environment =
  /^(?:process\.env|import\.meta\.env|os\.(?:environ|getenv)|env|ENV|System\.getenv|getenv|secrets|vars|var|local|data|Deno\.env|config|settings|self|this)(?:[.[(]|$)/
const defaultValue = /^\$\{[A-Za-z_]\w*:?[-=]([^{}]+)\}$/

const hasSubstance = (value: string): boolean => /[\p{L}\p{N}][^\p{L}\p{N}]*[\p{L}\p{N}]/u.test(value)

const isMask = (value: string): boolean => /^(?:\*{3,}|x{3,}|\.{2,}|…+|-+|_+|•+)$/i.test(value)

/**
 * The part of a value that is written out. A reference to where the value is kept, a placeholder in brackets and the name
 * of a type are no literals; the default of a variable is one.
 */
export const literalIn = (text: string, start: number, end: number): Range | null => {
  const value = text.slice(start, end)
  const fallback = defaultValue.exec(value)
  if (fallback !== null) {
    const at = start + value.lastIndexOf(fallback[1]!)
    return literalIn(text, at, at + fallback[1]!.length)
  }
  if (/^\$\(|^\$\{[^}]*$|^`/.test(value) || keyword.test(value) || isMask(value) || environment.test(value)) return null
  return hasSubstance(value.replace(filledIn, "")) ? [start, end] : null
}

/** A call, a member or an index: code that produces a value. */
export const isExpression = (value: string): boolean =>
  /^[\w$.:>-]*[A-Za-z_$][\w$]*(?:\(|\[|\?\.)|^(?:[A-Za-z_$][\w$]*\.)+[A-Za-z_$][\w$]*[,;)]*$|^(?:new|await|lambda)$|^[({[]|=>/.test(
    value
  )

/** What a variable, a word or a name of a constant looks like, too. */
export const isName = (value: string): boolean => /^[A-Za-z_$][A-Za-z_$-]*$/.test(value)

/** Characters of a line that are read before an offset. */
const MAX_LEAD = 400

/** The quote that is open at an offset of a line, or nothing. */
export const openQuote = (text: string, at: number): string => {
  const line = text.slice(Math.max(0, at - MAX_LEAD), at)
  let open = ""
  for (let i = line.lastIndexOf("\n") + 1; i < line.length; i++) {
    const c = line[i]!
    if (c === "\\") i++
    else if (open === "" ? c === '"' || c === "'" || c === "`" : c === open) open = open === "" ? c : ""
  }
  return open
}

export const isInString = (text: string, at: number): boolean => openQuote(text, at) !== ""

/** In a string, or behind the mark of a comment on the same line. */
export const isInText = (text: string, at: number): boolean => {
  if (isInString(text, at)) return true
  const line = text.slice(Math.max(0, at - MAX_LEAD), at)
  return /(?:^|\s)(?:\/\/|\/\*|#|--|\*|<!--|;)\s/.test(line.slice(line.lastIndexOf("\n") + 1))
}

/** Digits, or capitals amid small letters: more than a word. */
export const isMixed = (value: string): boolean =>
  /\d|[A-Z].*[a-z].*[A-Z]|[a-z][A-Z].*[a-z][A-Z]/.test(value.slice(0, 200))
