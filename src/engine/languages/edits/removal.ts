import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Edit } from "../../core/fix/Fixer.ts"
import type { FlatTree } from "../tree/FlatTree.ts"

const isBlank = (file: SourceFile, line: number): boolean =>
  line >= 1 && line <= file.lineCount && file.lineText(line).trim() === ""

/** End of a line with its line break. */
const lineEnd = (file: SourceFile, line: number): number => file.lineStarts[line] ?? file.text.length

/**
 * Removes a statement: with its lines where it is alone on them, and with the blank line after it where there is one
 * before it, too; else the range and the space before it.
 */
export const removal = (file: SourceFile, start: number, end: number): Edit => {
  const [first, last] = [file.line(start), file.line(Math.max(start, end - 1))]
  const lineStart = file.lineStarts[first - 1]!
  const before = file.text.slice(lineStart, start)
  const after = file.text.slice(end, lineEnd(file, last))
  if (before.trim() !== "" || !/^[ \t]*;?\s*$/.test(after)) {
    const gap = /[ \t]*$/.exec(before)![0].length
    return { start: before.trim() === "" ? start : start - gap, end, text: "" }
  }
  let next = last
  if (first === 1) while (isBlank(file, next + 1) && next + 1 < file.lineCount) next++
  else if (isBlank(file, first - 1) && isBlank(file, last + 1)) next++
  return { start: lineStart, end: lineEnd(file, next), text: "" }
}

/** Removes elements of a list that commas separate; at least one element stays. */
export const itemRemovals = (
  tree: FlatTree,
  items: ReadonlyArray<number>,
  removed: ReadonlySet<number>
): ReadonlyArray<Edit> => {
  const edits: Array<Edit> = []
  for (let i = 0; i < items.length; i++) {
    if (!removed.has(items[i]!)) continue
    const from = i
    while (i + 1 < items.length && removed.has(items[i + 1]!)) i++
    const next = items[i + 1]
    edits.push(
      next === undefined
        ? { start: tree.end(items[from - 1]!), end: tree.end(items[i]!), text: "" }
        : { start: tree.start(items[from]!), end: tree.start(next), text: "" }
    )
  }
  return edits
}
