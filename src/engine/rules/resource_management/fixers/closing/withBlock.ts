import type { SourceFile } from "../../../../core/files/SourceFile.ts"
import { declined, type FixSite, type Proposal } from "../../../../core/fix/Fixer.ts"
import { localUses } from "../../../../languages/code/localUses.ts"
import { indentationAt } from "../../../../languages/edits/style.ts"
import { enclosingFunction } from "../../../../languages/syntax/vocabulary.ts"
import { type FlatTree, NONE } from "../../../../languages/tree/FlatTree.ts"
import { canBeIndented, indentedLines, indentUnit, realigned, regionOf } from "./region.ts"

/** Calls that are done with the file when they return. */
const readsAtOnce =
  /^(?:json\.(?:load|dump)|pickle\.(?:load|dump)|yaml\.(?:safe_)?(?:load|dump)|tomllib\.load|print|list|sorted|str|len|hashlib\.file_digest)$/

/** A reader made from the file, or a generator over it, may be used when the block has ended. */
const isUsedAtOnce = (tree: FlatTree, node: number): boolean => {
  if (tree.enclosing(node, "generator_expression", "lambda") > tree.enclosing(node, "function_definition")) return false
  const parent = tree.parent(node)
  if (tree.is(parent, "attribute")) {
    return (
      tree.is(tree.parent(parent), "call") &&
      !/^(?:fileno|detach|buffer)$/.test(tree.textOf(tree.child(parent, "attribute")))
    )
  }
  if (!tree.is(parent, "argument_list", "keyword_argument")) return true
  const list = tree.is(parent, "keyword_argument") ? tree.parent(parent) : parent
  return readsAtOnce.test(tree.textOf(tree.child(tree.parent(list), "function")))
}

/** The block that a statement is in, as text: its own indentation and what one level adds. */
export const levelOf = (
  file: SourceFile,
  tree: FlatTree,
  statement: number
): { readonly indent: string; readonly unit: string } => {
  const indent = indentationAt(file, tree.start(statement))
  const holder = tree.parent(tree.parent(statement))
  return { indent, unit: indentUnit(indent, holder === NONE ? "" : indentationAt(file, tree.start(holder))) }
}

/** Past blank lines behind the statement, which a block does not begin with. */
const bodyStart = (text: string, end: number): number =>
  end + (/^[ \t]*(?=(?:\r?\n[ \t]*){2,}\S)(?:\r?\n[ \t]*)*(?=\r?\n)/.exec(text.slice(end))?.[0].length ?? 0)

/** `with open(…) as name:` around everything that uses the file. */
export const withBlock = ({ file, match }: FixSite): Proposal => {
  const tree = file.tree
  if (tree === null) return declined("The file could not be parsed.")
  const assignment = tree.covering(match.start, match.end)
  const statement = tree.parent(assignment)
  const name = tree.textOf(tree.child(assignment, "left"))
  const value = tree.child(assignment, "right")
  const holder = enclosingFunction(file, assignment)
  if (!tree.is(assignment, "assignment") || !tree.is(statement, "expression_statement") || holder === null) {
    return declined("The file is not opened by a statement of its own.")
  }
  const uses = localUses(file, holder, name)
  const region = regionOf(file, tree, statement, name)
  const isAssignedAgain = uses.some(
    (use) =>
      use !== tree.child(assignment, "left") &&
      tree.fieldOf(use) === "left" &&
      !tree.is(tree.parent(use), "for_statement", "comparison_operator")
  )
  if (region === null || isAssignedAgain) return declined(`\`${name}\` is used outside of the block that opens it.`)
  if (!uses.every((use) => isUsedAtOnce(tree, use))) {
    return declined("What reads the file may still do so when a `with` block around it has ended.")
  }
  if (!canBeIndented(file, tree, region.statements))
    return declined("The lines cannot be moved to the right without changing a text in them.")
  if (region.statements.slice(1).some((one) => /^\w+ = (?:\w+\.)?open\(/.test(tree.textOf(one)))) {
    return declined("Several files are open at the same time: one `with` for all of them is up to the author.")
  }
  const { indent, unit } = levelOf(file, tree, statement)
  const end = tree.end(region.statements.at(-1)!)
  const start = tree.start(statement)
  return {
    edits: [
      { start, end: tree.start(value), text: "with " },
      ...realigned(file, tree, value, indent.length + "with ".length),
      { start: tree.end(value), end: bodyStart(file.text, tree.end(value)), text: ` as ${name}:` },
      ...indentedLines(file.text, tree.end(value), end, unit)
    ],
    summary: `Close the file of \`${name}\` in every case`
  }
}
