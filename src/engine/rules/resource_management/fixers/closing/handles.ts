import type { SourceFile } from "../../../../core/files/SourceFile.ts"
import { localUses } from "../../../../languages/code/localUses.ts"
import { enclosingFunction } from "../../../../languages/syntax/vocabulary.ts"
import { type FlatTree, NONE } from "../../../../languages/tree/FlatTree.ts"

/** What reads from the resource later: it is of no use once the resource is closed. */
const handle =
  /^\.\s*(?:lines|stream|getChannel|getFD|Fd|executeQuery|getResultSet|createStatement|prepareStatement|prepareCall|entries|getInputStream|iterator|ExecuteReader\w*|CreateCommand|BeginTransaction|BaseStream)\b/
const reader = /(?:\.New\w+|\.LimitReader|\.TeeReader|\.MultiReader)$/

const blocks = ["block", "statement_list", "constructor_body", "switch_block_statement_group"]

const isHandle = (tree: FlatTree, use: number): boolean => {
  if (handle.test(tree.text.slice(tree.end(use), tree.end(use) + 40))) return true
  const list = tree.parent(use)
  return tree.is(list, "argument_list") && reader.test(tree.textOf(tree.child(tree.parent(list), "function")))
}

const statementOf = (tree: FlatTree, node: number): number => {
  let at = node
  while (tree.parent(at) !== NONE && !tree.is(tree.parent(at), ...blocks)) at = tree.parent(at)
  return at
}

/** `return rows`, `this.rows = rows`, `Reader{rows}`: not `return rows.size()`. */
const leaves = (tree: FlatTree, node: number): boolean => {
  const parent = tree.parent(node)
  if (tree.is(parent, "expression_list"))
    return tree.is(tree.parent(parent), "return_statement", "assignment_statement")
  if (tree.is(parent, "assignment_expression")) return tree.fieldOf(node) === "right"
  return tree.is(parent, "return_statement", "keyed_element", "literal_element", "literal_value")
}

/** Whether something made from the resource is still used when the function that opens it has ended. */
export const outlivesFunction = (file: SourceFile, tree: FlatTree, declaration: number, name: string): boolean => {
  const holder = enclosingFunction(file, declaration)
  if (holder === null) return true
  return localUses(file, holder, name)
    .filter((use) => isHandle(tree, use))
    .some((use) => {
      const statement = statementOf(tree, use)
      if (tree.is(statement, "return_statement")) return true
      if (/^(?:this\.)?\w+(?:\.\w+)+\s*=[^=]/.test(tree.textOf(statement))) return true
      const made = [...tree.within(statement, "variable_declarator", "short_var_declaration")][0] ?? NONE
      const target = tree.within(made === NONE ? statement : made, "identifier")[0] ?? NONE
      return made !== NONE && localUses(file, holder, tree.textOf(target)).some((node) => leaves(tree, node))
    })
}

export const OUTLIVES =
  "What is made from it is still used when the function has ended: closing it is up to who uses that."
