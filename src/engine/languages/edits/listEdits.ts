import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Edit } from "../../core/fix/Fixer.ts"
import type { Call } from "../syntax/vocabulary.ts"
import { type FlatTree, NONE } from "../tree/FlatTree.ts"
import { itemRemovals, removal } from "./removal.ts"

/** The brackets of a list of arguments, elements or entries. */
const bracketsOf = (tree: FlatTree, list: number): readonly [open: number, close: number] => {
  const children = tree.children(list)
  return [children[0] ?? NONE, children.at(-1) ?? NONE]
}

/** Removes one element of a bracketed list, with its comma. */
export const withoutItem = (tree: FlatTree, item: number): ReadonlyArray<Edit> => {
  const list = tree.parent(item)
  const items = tree.namedChildren(list)
  if (items.length > 1) return itemRemovals(tree, items, new Set([item]))
  const [open, close] = bracketsOf(tree, list)
  return [{ start: tree.end(open), end: tree.start(close), text: "" }]
}

/** Appends an element to a bracketed list, on a line of its own where the last one is; a final comma stays. */
export const withItem = (file: SourceFile, list: number, text: string): Edit => {
  const tree = file.tree!
  const [open, close] = bracketsOf(tree, list)
  const last = tree.namedChildren(list).at(-1)
  if (last === undefined) return { start: tree.end(open), end: tree.start(close), text }
  const line = file.line(tree.start(last))
  const startsLine = file.text.slice(file.lineStarts[line - 1]!, tree.start(last)).trim() === ""
  const gap = startsLine && line !== file.line(tree.start(open)) ? `\n${/^\s*/.exec(file.lineText(line))![0]}` : " "
  return { start: tree.end(last), end: tree.end(last), text: `,${gap}${text}` }
}

/** Takes one call out of a chain: `a.b().c()` becomes `a.c()`. */
export const withoutCall = (tree: FlatTree, call: Call): Edit => ({
  start: tree.end(call.receiverNode),
  end: tree.end(call.node),
  text: ""
})

const blocks = ["program", "module", "statement_block", "block", "compound_statement", "source_file", "body_statement"]

/** Removes the statement that consists of a node; null where it is part of more, or all that its block has. */
export const withoutStatement = (file: SourceFile, node: number): Edit | null => {
  const tree = file.tree!
  const statement = tree.is(node, "expression_statement") ? node : tree.parent(node)
  const block = tree.parent(statement)
  if (!tree.is(statement, "expression_statement") || !tree.is(block, ...blocks)) return null
  if (file.language === "python" && tree.is(block, "block") && tree.namedChildren(block).length === 1) return null
  return removal(file, tree.start(statement), tree.end(statement))
}
