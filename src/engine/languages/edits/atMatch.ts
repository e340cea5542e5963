import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Edit } from "../../core/fix/Fixer.ts"
import { type FlatTree, NONE } from "../tree/FlatTree.ts"

interface Span {
  readonly start: number
  readonly end: number
}

/** The node of one of these kinds that a match covers exactly; NONE where there is none. */
export const matchedNode = (tree: FlatTree, { start, end }: Span, ...kinds: ReadonlyArray<string>): number => {
  let at = tree.covering(start, end)
  for (; at !== NONE && tree.start(at) === start && tree.end(at) === end; at = tree.parent(at))
    if (tree.is(at, ...kinds)) return at
  return NONE
}

export const replaceNode = (tree: FlatTree, node: number, text: string): Edit => ({
  start: tree.start(node),
  end: tree.end(node),
  text
})

export const insertAt = (offset: number, text: string): Edit => ({ start: offset, end: offset, text })

export const removeRange = (start: number, end: number): Edit => ({ start, end, text: "" })

/** White space at the beginning of the line of an offset. */
export const indentAt = (file: SourceFile, offset: number): string =>
  /^[ \t]*/.exec(file.lineText(file.line(offset)))![0]

/** Whether nothing but white space stands before a node on its line. */
export const startsLine = (file: SourceFile, offset: number): boolean =>
  file.text.slice(file.lineStarts[file.line(offset) - 1]!, offset).trim() === ""

/** The quote that the file uses more for its strings. */
export const quoteOf = (file: SourceFile): '"' | "'" => {
  const text = file.text.slice(0, 20_000)
  return text.split("'").length > text.split('"').length ? "'" : '"'
}
