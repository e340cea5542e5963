import type { Range } from "../../languages/tree/Range.ts"
import { sliceRedacted } from "../../secrets/hiddenRanges.ts"
import type { SourceFile } from "../files/SourceFile.ts"

const MAX_LINES = 12
const MAX_LINE_LENGTH = 240
/** Characters of a long line that are shown before the reported range. */
const LEAD = 80

/** First and last line of the snippet of a range. */
const linesOf = (file: SourceFile, [start, end]: Range): readonly [from: number, to: number] => {
  const first = file.line(start)
  const last = file.line(Math.max(start, end - 1))
  const spare = Math.max(0, MAX_LINES - (last - first + 1))
  const context = Math.min(2, Math.floor(spare / 2))
  const from = Math.max(1, first - context)
  const to = Math.min(file.lineCount, last + context, from + MAX_LINES - 1)
  return [from, to]
}

/** The line with which the snippet of a range begins, from 1. */
export const snippetLine = (file: SourceFile, range: Range): number => linesOf(file, range)[0]

/** The lines of a range and some around it, secrets redacted. */
export const snippetOf = (file: SourceFile, range: Range, secrets: ReadonlyArray<Range>): string => {
  const [start] = range
  const first = file.line(start)
  const [from, to] = linesOf(file, range)
  const lines: Array<string> = []
  for (let line = from; line <= to; line++) lines.push(shownLine(file, line, line === first ? start : -1, secrets))
  return lines.join("\n")
}

/** A long line is cut, around the reported range when it starts on this line. */
const shownLine = (file: SourceFile, line: number, focus: number, secrets: ReadonlyArray<Range>): string => {
  const start = file.lineStarts[line - 1]!
  const end = start + file.lineText(line).length
  if (end - start <= MAX_LINE_LENGTH) return sliceRedacted(file.text, start, end, secrets)
  const from = focus < 0 ? start : Math.max(start, Math.min(focus - LEAD, end - MAX_LINE_LENGTH))
  const to = Math.min(end, from + MAX_LINE_LENGTH)
  const shown = sliceRedacted(file.text, from, to, secrets)
  return `${from > start ? "..." : ""}${shown}${to < end ? "..." : ""}`
}
