import type { SourceFile } from "../../../../core/files/SourceFile.ts"
import { localUses } from "../../../../languages/code/localUses.ts"
import { startsLine } from "../../../../languages/edits/atMatch.ts"
import { enclosingFunction } from "../../../../languages/syntax/vocabulary.ts"
import { type FlatTree, NONE } from "../../../../languages/tree/FlatTree.ts"

/** Statements of one block, from the declaration of a name to its last use. */
export interface Region {
  readonly block: number
  readonly statements: ReadonlyArray<number>
  /** Statements of the block behind the region. */
  readonly rest: ReadonlyArray<number>
}

/** The statements that use a name; null where it is used outside of the block that declares it. */
export const regionOf = (file: SourceFile, tree: FlatTree, statement: number, name: string): Region | null => {
  const holder = enclosingFunction(file, statement)
  const block = tree.parent(statement)
  if (holder === null) return null
  const uses = localUses(file, holder, name)
  const all = tree.children(block).filter((node) => tree.isNamed(node) && node >= statement)
  if (uses.some((use) => !all.some((one) => tree.contains(one, use)))) return null
  const last = all.findLastIndex((one) => uses.some((use) => tree.contains(one, use)))
  return { block, statements: all.slice(0, last + 1), rest: all.slice(last + 1) }
}

/** Text of several lines in a literal, where white space counts. */
const literals = [
  "string",
  "string_literal",
  "text_block",
  "raw_string_literal",
  "verbatim_string_literal",
  "interpolated_string_expression",
  "concatenated_string"
]

/** Whether whole lines can be moved to the right without changing what they mean. */
export const canBeIndented = (file: SourceFile, tree: FlatTree, statements: ReadonlyArray<number>): boolean => {
  const [first = NONE, last = NONE] = [statements[0], statements.at(-1)]
  if (first === NONE || last === NONE || !startsLine(file, tree.start(first))) return false
  const after = /^[^\n]*/.exec(tree.text.slice(tree.end(last)))![0]
  if (!/^[ \t;]*(?:(?:#|\/\/).*)?\r?$/.test(after)) return false
  return statements.every((one) =>
    [...tree.within(one, ...literals)].every(
      (node) => tree.is(node, "concatenated_string") || !/[\r\n]/.test(tree.textOf(node))
    )
  )
}

/** Insertions that move the lines of a range, without the first, to the right. */
export const indentedLines = (text: string, start: number, end: number, unit: string) => {
  const edits: Array<{ readonly start: number; readonly end: number; readonly text: string }> = []
  for (let at = text.indexOf("\n", start); at >= 0 && at < end; at = text.indexOf("\n", at + 1)) {
    if (!/^[ \t]*(?:\r?\n|$)/.test(text.slice(at + 1, at + 400))) edits.push({ start: at + 1, end: at + 1, text: unit })
  }
  return edits
}

/** Moves lines of a call that are aligned with its first argument along with the call. */
export const realigned = (file: SourceFile, tree: FlatTree, call: number, column: number) => {
  const start = tree.start(call)
  const lineStart = file.lineStarts[file.line(start) - 1]!
  const open = tree.text.indexOf("(", start) + 1
  const aligned = " ".repeat(open - lineStart)
  const moved = " ".repeat(column + open - start)
  return [...tree.text.slice(start, tree.end(call)).matchAll(/\n( +)(?=\S)/g)]
    .filter(([, indent]) => indent === aligned)
    .map(({ index }) => ({ start: start + index + 1, end: start + index + 1 + aligned.length, text: moved }))
}

/** What a block adds to the indentation of the line that opens it. */
export const indentUnit = (inner: string, outer: string): string => {
  const own = inner.startsWith(outer) ? inner.slice(outer.length) : ""
  return own === "" ? "    " : own
}
