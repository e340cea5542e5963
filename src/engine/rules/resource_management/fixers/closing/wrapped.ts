import type { SourceFile } from "../../../../core/files/SourceFile.ts"
import { declined, type Proposal } from "../../../../core/fix/Fixer.ts"
import { indentationAt } from "../../../../languages/edits/style.ts"
import type { FlatTree } from "../../../../languages/tree/FlatTree.ts"
import { canBeIndented, indentedLines, indentUnit, type Region, regionOf } from "./region.ts"
import type { Resource } from "./resource.ts"

/** Names that the region declares and that statements behind it use. */
const isNeededBehind = (tree: FlatTree, { statements, rest }: Region): boolean => {
  const names = statements
    .filter((one) => tree.is(one, "local_variable_declaration", "local_declaration_statement"))
    .flatMap((one) => [...tree.within(one, "variable_declarator")])
    .map((node) => tree.textOf(tree.within(node, "identifier")[0] ?? node))
  return rest.some((one) => [...tree.within(one, "identifier")].some((node) => names.includes(tree.textOf(node))))
}

/** A block around everything that uses the resource; its declaration becomes the head of the block. */
export const wrapped = (
  file: SourceFile,
  { tree, statement, name }: Resource,
  { open, head }: { readonly open: string; readonly head: string }
): Proposal => {
  const found = regionOf(file, tree, statement, name)
  if (found === null) return declined(`\`${name}\` is used outside of the block that opens it.`)
  const statements = isNeededBehind(tree, found) ? [...found.statements, ...found.rest] : found.statements
  if (statements.length < 2 || !canBeIndented(file, tree, statements)) {
    return declined("The lines cannot be moved to the right without changing a text in them.")
  }
  const [start, stop] = [tree.start(statement), tree.end(statement)]
  const indent = indentationAt(file, start)
  const unit = indentUnit(indent, indentationAt(file, tree.start(tree.parent(tree.parent(statement)))))
  const end = tree.end(statements.at(-1)!)
  return {
    edits: [
      { start, end: start, text: open },
      { start: tree.text.lastIndexOf(";", stop - 1), end: stop, text: head },
      ...indentedLines(file.text, stop, end, unit),
      { start: end, end, text: `\n${indent}}` }
    ],
    summary: `Close \`${name}\` in every case`
  }
}
