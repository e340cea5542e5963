import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Edit } from "../../core/fix/Fixer.ts"
import { type Call, calls } from "../syntax/vocabulary.ts"
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

export const insertAt = (offset: number, text: string): Edit => ({ start: offset, end: offset, text })

export const removeRange = (start: number, end: number): Edit => ({ start, end, text: "" })

/** Whether nothing but white space stands before a node on its line. */
export const startsLine = (file: SourceFile, offset: number): boolean =>
  file.text.slice(file.lineStarts[file.line(offset) - 1]!, offset).trim() === ""

/** The call that a match covers exactly, or else the innermost one around it. */
export const matchedCall = (file: SourceFile, { start, end }: Span): Call | undefined => {
  const tree = file.tree!
  const around = calls(file).filter(({ node }) => tree.start(node) <= start && end <= tree.end(node))
  return around.find(({ node }) => tree.start(node) === start && tree.end(node) === end) ?? around.at(-1)
}

/** Whether a comment stands on the line of an offset or directly above it. */
export const isCommented = (file: SourceFile, offset: number): boolean => {
  const line = file.line(offset)
  return (
    /(?:\/\/|#|\/\*)\s*\w/.test(withoutTexts(file.lineText(line))) ||
    /^\s*(?:\/\/|#|\/?\*)/.test(file.lineText(line - 1))
  )
}

const withoutTexts = (line: string): string =>
  line.replace(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`/g, "")
