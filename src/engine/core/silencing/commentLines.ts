import { NONE } from "../../languages/tree/FlatTree.ts"
import type { SourceFile } from "../files/SourceFile.ts"

/** What begins a comment in one of the languages, at the end of a text. */
const leader = /(?:#|\/\/+|\/\*+|--|<!--|;+|%+|\{#|\{\{!(?:--)?|<%#|@\*|\(\*|\{\/\*+|\bREM|(?:^|\s)\*)!?\s*$/
const closer = /\*+\/|--+>|#\}|(?:--)?\}\}|%>|\*@|\*\)/
const onlyComment = /^\s*(?:#|\/\/|\/\*|\*|--|<!--|;|%|\{#|\{\{!|<%#|@\*|\(\*|\{\/\*|REM\b|$)/

/** Whether a comment begins right before this place of a line. */
export const followsLeader = (line: string, column: number): boolean => leader.test(line.slice(0, column))

/** What of the rest of a line belongs to its comment. */
export const untilCloser = (text: string): string => text.slice(0, closer.exec(text)?.index ?? text.length).trim()

/** Whether nothing but the comment is in its line. */
export const standsAlone = (line: string): boolean => onlyComment.test(line)

/** Words in a text that the program holds are no comment, whatever precedes them. */
export const isInComment = (file: SourceFile, offset: number): boolean => {
  const { tree } = file
  if (tree === null) return true
  for (let node = tree.covering(offset, offset + 1); node !== NONE; node = tree.parent(node)) {
    if (tree.isComment(node)) return true
    if (/string|heredoc|template/.test(tree.kind(node))) return false
  }
  return true
}

/** The line that a comment which stands alone is about: the next one with code in it. */
export const lineBelow = (file: SourceFile, line: number): number => {
  for (let next = line + 1; next <= file.lineCount; next++) {
    const text = file.lineText(next)
    if (text.trim() !== "" && !standsAlone(text)) return next
  }
  return line
}
