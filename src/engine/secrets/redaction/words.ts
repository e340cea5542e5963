import { openQuote } from "./literal.ts"

const MAX_WORDS = 48
const MAX_WORD = 600
const MAX_LINE = 4_000

/** A word of a command line, without the quotes around it. */
export interface Word {
  readonly start: number
  readonly text: string
}

const isList = /^["'`]\s{0,3},/
const listed = /(["'`])((?:(?!\1)[^\\\n]|\\.){0,600})\1/g
const item = /\n[ \t]{0,40}-[ \t]{1,4}["']?([^\n"']{1,600})/y

/** The arguments of a command whose name ends at an offset: of a command line, of a list of strings or of a YAML list. */
export const wordsAfter = (text: string, at: number): ReadonlyArray<Word> => {
  if (isList.test(text.slice(at, at + 5))) return listedWords(text, at + 1)
  item.lastIndex = at
  return item.test(text) ? itemWords(text, at) : shellWords(text, at)
}

const listedWords = (text: string, from: number): ReadonlyArray<Word> => {
  const words: Array<Word> = []
  listed.lastIndex = from
  let end = from
  for (let match = listed.exec(text); match !== null && words.length < MAX_WORDS; match = listed.exec(text)) {
    if (match.index - end > 200 || /[;)\]}]/.test(text.slice(end, match.index))) break
    words.push({ start: match.index + 1, text: match[2]! })
    end = match.index + match[0].length
  }
  return words
}

const itemWords = (text: string, from: number): ReadonlyArray<Word> => {
  const words: Array<Word> = []
  item.lastIndex = from
  for (let match = item.exec(text); match !== null && words.length < MAX_WORDS; match = item.exec(text)) {
    words.push({ start: match.index + match[0].length - match[1]!.length, text: match[1]!.trimEnd() })
    item.lastIndex = match.index + match[0].length + (match[0].includes('"') || match[0].includes("'") ? 1 : 0)
  }
  return words
}

const blank = /(?:[ \t]|\\\r?\n)+/y

const shellWords = (text: string, from: number): ReadonlyArray<Word> => {
  const words: Array<Word> = []
  const enclosing = openQuote(text, from)
  let at = from
  while (words.length < MAX_WORDS && at - from < MAX_LINE) {
    blank.lastIndex = at
    if (blank.test(text)) at = blank.lastIndex
    const end = wordEnd(text, at, enclosing)
    if (end === at) break
    words.push(withoutQuotes(text, at, end))
    at = end
  }
  return words
}

/** The end of the word at an offset; the offset itself where the command ends. */
const wordEnd = (text: string, from: number, enclosing: string): number => {
  const max = Math.min(text.length, from + MAX_WORD)
  let at = from
  while (at < max) {
    const c = text[at]!
    if (c === enclosing || /[\s;|&]/.test(c)) break
    if (c === "\\" && /[\r\n]/.test(text[at + 1] ?? "\n")) break
    if (c === "\\") at += 2
    else at += quoteAt(text, at) ? quotedLength(text, at, enclosing) : 1
  }
  return Math.min(at, max)
}

const quoteAt = (text: string, at: number): boolean => text[at] === '"' || text[at] === "'"

/** Of a quoted part of a word; a quote that is never closed is a character like others. */
const quotedLength = (text: string, at: number, enclosing: string): number => {
  const quote = text[at]!
  for (let i = at + 1; i < text.length && i - at < MAX_WORD; i++) {
    const c = text[i]!
    if (c === quote) return i - at + 1
    if (c === "\n" || c === enclosing) return 1
  }
  return 1
}

const withoutQuotes = (text: string, start: number, end: number): Word => {
  const whole = text.slice(start, end)
  const lead = /^["']/.exec(whole)?.[0].length ?? 0
  return { start: start + lead, text: whole.slice(lead).replace(/["']$/, "") }
}
