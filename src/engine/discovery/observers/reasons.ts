import type { SourceFile } from "../../core/files/SourceFile.ts"
import { clip, type Reason } from "../Observed.ts"

const MAX_REASONS = 3
const MAX_BLOCK = 24

/** What has to be so: by a word for it, or where a clause begins by asking. What is always or never so describes the code. */
const asks = /\b(?:must|should(?: not|n't)|(?:has|have) to be)\b|(?:^|[;:] )(?:never|always|do not|don't) /i
const why = /\b(?:because|otherwise,? \w|or else|so that|to avoid|to prevent|to keep|since (?:it|they|this|that|we)\b)/i

/** What something is done for; what it asks of others is no demand. */
const purpose = /\bso that\b.*/i

const isNoise =
  /copyright|licen[sc]e|warrant|todo|fixme|xxx|https?:\/\/|@(?:param|return|throws|see)|\b(?:eslint|biome|noqa|noinspection|nosec|pylint)\b|[{};=]|\?$/i

const mark = /^\s*(?:\/\/[/!]?|\/\*\*?|\*(?!\/)|#+(?!!|\[)|--+|;;+)\s?/

/** What a line says as a comment; null where it is none. */
const commentOf = (line: string): string | null =>
  mark.test(line)
    ? line
        .replace(mark, "")
        .replace(/\*\/\s*$/, "")
        .trim()
    : null

interface Sentence {
  readonly text: string
  readonly line: number
}

/** Sentences of the comment that begins at a line, each with the line on which it begins. */
const sentencesFrom = (lines: ReadonlyArray<string>, first: number): ReadonlyArray<Sentence> => {
  const found: Array<Sentence> = []
  let open: { text: string; line: number } | null = null
  for (const [index, text] of lines.entries()) {
    if (text === "") open = null
    for (const part of text === "" ? [] : text.split(/(?<=[.!])\s+(?=[A-Z`])/)) {
      if (open === null || /[.!]$/.test(open.text)) {
        open = { text: part, line: first + index }
        found.push(open)
      } else open.text = `${open.text} ${part}`
    }
  }
  return found
}

const isReason = ({ text }: Sentence): boolean =>
  text.length >= 40 &&
  text.length <= 260 &&
  /^[A-Z`"].*[.!]$/.test(text) &&
  asks.test(text.replace(purpose, "")) &&
  why.test(text) &&
  !isNoise.test(text)

interface Block {
  readonly first: number
  readonly lines: ReadonlyArray<string>
}

/** Comments of a file, lines below each other taken as one. */
const blocksOf = (file: SourceFile): ReadonlyArray<Block> => {
  const found: Array<{ readonly first: number; readonly lines: Array<string> }> = []
  for (let line = 1; line <= file.lineCount; line++) {
    const text = commentOf(file.lineText(line))
    const last = found.at(-1)
    if (text === null) continue
    if (last !== undefined && last.first + last.lines.length === line && last.lines.length < MAX_BLOCK)
      last.lines.push(text)
    else found.push({ first: line, lines: [text] })
  }
  return found
}

/** What comments ask for and say why: “Locks must be taken in this order, otherwise two workers wait for each other.” */
export const reasonsOf = (file: SourceFile): ReadonlyArray<Reason> =>
  file.role !== "source" || !why.test(file.text)
    ? []
    : blocksOf(file)
        .flatMap(({ first, lines }) => sentencesFrom(lines, first).filter(isReason))
        .slice(0, MAX_REASONS)
        .map(({ line, text }) => ({ line, text: clip(text, 260) }))
