import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Edit } from "../../core/fix/Fixer.ts"
import type { Call } from "../syntax/vocabulary.ts"
import type { FlatTree } from "../tree/FlatTree.ts"
import { removal } from "./removal.ts"

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
