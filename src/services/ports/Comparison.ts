/** Lines of a file as it is after a change, from 1. */
export interface ChangedLines {
  /** Written or rewritten lines; both ends included. */
  readonly ranges: ReadonlyArray<readonly [start: number, end: number]>
  /** Lines after which something was removed; 0 is before the first. */
  readonly cuts: ReadonlyArray<number>
}

export type ChangeKind = "added" | "modified" | "renamed" | "deleted" | "submodule"

export interface ChangedFile {
  /** Where it is now; of a deleted file, where it was. */
  readonly path: string
  readonly previous_path: string | null
  readonly kind: ChangeKind
  readonly lines: ChangedLines
}

/** What lies between two commits. */
export interface Comparison {
  /** Newest commit that both have. */
  readonly merge_base: string
  readonly files: ReadonlyArray<ChangedFile>
}

/** A line of a file, counted from 1, without its line end. */
export interface TextLine {
  readonly line: number
  readonly text: string
}

/** What a change wrote into a file, and what it removed, each with the lines' numbers on its own side. */
export interface ChangedTexts {
  readonly added: ReadonlyArray<TextLine>
  readonly removed: ReadonlyArray<TextLine>
}

/** The text of what lies between two commits. */
export interface ComparedTexts {
  /** By path at the second commit; of a deleted file by the path that it had. */
  readonly texts: ReadonlyMap<string, ChangedTexts>
  /** Paths of files without lines. */
  readonly binaries: ReadonlySet<string>
}

export const noLines: ChangedLines = { ranges: [], cuts: [] }

/** The parts of a range of lines that a change wrote. */
export const writtenIn = ({ ranges }: ChangedLines, start: number, end: number) =>
  ranges.flatMap(
    ([from, to]): ReadonlyArray<readonly [number, number]> =>
      from <= end && start <= to ? [[Math.max(from, start), Math.min(to, end)]] : []
  )

/** Whether a change wrote one of the lines, or removed something between or beside them. */
export const touches = (lines: ChangedLines, start: number, end: number): boolean =>
  writtenIn(lines, start, end).length > 0 || lines.cuts.some((after) => after >= start - 1 && after <= end)

/** Code hosts show this many unchanged lines around a changed one, and take comments on them. */
const CONTEXT = 3

/** Whether a code host shows the line in the change. */
export const isShown = ({ ranges, cuts }: ChangedLines, line: number): boolean =>
  ranges.some(([from, to]) => line >= from - CONTEXT && line <= to + CONTEXT) ||
  cuts.some((after) => line > after - CONTEXT && line <= after + CONTEXT)
