import { highlight } from "../code/highlighter.ts"
import type { Grammar } from "../code/languages.ts"
import { plainLine, type Range, type TokenLine } from "../code/tokens.ts"
import type { DiffHunk, DiffLine } from "./parseDiff.ts"
import { wordRanges } from "./words.ts"

export interface ShownLine extends DiffLine {
  readonly tokens: TokenLine
  /** The words that changed. */
  readonly words: ReadonlyArray<Range>
}

const noWords: ReadonlyArray<Range> = []

/** The lines of a hunk with their colours: each side is highlighted as the text it is. */
export const shownLines = ({ lines }: DiffHunk, grammar: Grammar | null): ReadonlyArray<ShownLine> => {
  const words = wordRanges(lines)
  const side = (left: DiffLine["kind"]) => {
    const positions = lines.flatMap(({ kind }, index) => (kind === left ? [] : [index]))
    const highlighted = highlight(
      grammar,
      positions.map((index) => lines[index]!.text)
    )
    return new Map(positions.map((index, row) => [index, highlighted[row]!]))
  }
  const before = side("added")
  const after = side("removed")
  return lines.map((line, index) => ({
    ...line,
    tokens: after.get(index) ?? before.get(index) ?? plainLine(line.text),
    words: words.get(index) ?? noWords
  }))
}
