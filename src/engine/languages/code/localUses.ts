import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { FunctionInfo } from "../syntax/vocabulary.ts"
import { type FlatTree, NONE } from "../tree/FlatTree.ts"

/** Places where an identifier names a member, a keyword or a method, not a variable. */
const memberFields = new Set(["attribute", "field", "property", "method"])
const namedBy = ["method_invocation", "keyword_argument", "member_access_expression", "field_access", "name_colon"]

/** Whether an identifier names a variable, and not a member of something. */
export const isVariable = (tree: FlatTree, node: number): boolean => {
  const field = tree.fieldOf(node)
  if (field === null) return true
  if (memberFields.has(field)) return false
  return field !== "name" || !tree.is(tree.parent(node), ...namedBy)
}

const indexOf = (tree: FlatTree, body: number): ReadonlyMap<string, ReadonlyArray<number>> => {
  const found = new Map<string, Array<number>>()
  for (const node of tree.within(body, "identifier")) {
    if (!isVariable(tree, node)) continue
    const name = tree.textOf(node)
    const listed = found.get(name)
    if (listed === undefined) found.set(name, [node])
    else listed.push(node)
  }
  return found
}

const computeIndexes = (): Map<number, ReadonlyMap<string, ReadonlyArray<number>>> => new Map()

/** Where a function's body, with the functions inside it, names a variable; its declaration included. */
export const localUses = (file: SourceFile, { node, body }: FunctionInfo, name: string): ReadonlyArray<number> => {
  const tree = file.tree
  if (tree === null || body === NONE) return []
  const indexes = file.memo(computeIndexes, computeIndexes)
  const index = indexes.get(node) ?? indexOf(tree, body)
  indexes.set(node, index)
  return index.get(name) ?? []
}
