/** What a comment is made of at the beginning of a line, in any language. */
const commentLine = /^\s*(?:\/\/|\/\*|\*|#|--|;|<!--|%|"""|'''|@?rem\b|dnl\b)|^\s*$/i
/** What may stand before or within the opening comment: it says nothing yet. */
const preamble = /^\s*(?:<\?(?:php|xml)?|<!doctype\b[^>]*>|["']use strict["'];?|__\w+__\s*=.*)\s*$/i
const blocks: ReadonlyArray<readonly [opens: RegExp, closes: string]> = [
  [/^\s*[;!]?\/\*/, "*/"],
  [/^\s*<!--/, "-->"],
  [/^\s*[rub]?"""/i, '"""'],
  [/^\s*[rub]?'''/i, "'''"],
  [/^=(?:head|pod|begin)/, "=cut"]
]

const MAX_HEAD = 4_000
const MAX_LINES = 80
/** How often a module of Python may be as long as that: its opening text is the manual of what it holds. */
const MANUAL = 4

/** What closes the block that a line opens and leaves open: null for none, undefined for a line of code. */
const blockOf = (line: string): string | null | undefined => {
  const block = blocks.find(([opens]) => opens.test(line))
  if (block === undefined) return commentLine.test(line) || preamble.test(line) ? null : undefined
  return line.includes(block[1], line.search(/\S/) + 2) ? null : block[1]
}

/** The same of a module of Python. */
export const openingOfModule = (text: string): string => openingComment(text, MANUAL)

/** The text that a file opens with before its first code: where it is from, whose it is, and on what terms. */
export const openingComment = (text: string, times = 1): string => {
  const kept: Array<string> = []
  let closes: string | null = null
  for (const line of text.slice(0, times * MAX_HEAD).split("\n", times * MAX_LINES)) {
    const opened: string | null | undefined = closes === null ? blockOf(line) : line.includes(closes) ? null : closes
    if (opened === undefined) break
    closes = opened
    kept.push(line)
  }
  return kept.join("\n")
}
