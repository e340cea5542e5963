import type { SourceFile } from "../../core/files/SourceFile.ts"
import { type FlatTree, NONE } from "../tree/FlatTree.ts"

/** An operator between two operands, whatever the grammar calls it. */
export interface Binary {
  readonly node: number
  readonly left: number
  readonly operator: string
  readonly right: number
}

const kinds = ["binary_expression", "binary_operator", "boolean_operator", "comparison_operator", "binary"]

export const binaryAt = (tree: FlatTree, node: number): Binary | null => {
  if (!tree.is(node, ...kinds)) return null
  if (tree.is(node, "comparison_operator")) {
    const left = tree.firstChild(node)
    const operator = tree.nextSibling(left)
    const right = tree.nextSibling(operator)
    // `a < b < c` and `is not`, which some versions of the grammar split in two, are left alone.
    if (right === NONE || tree.nextSibling(right) !== NONE || !tree.isNamed(right)) return null
    return { node, left, operator: tree.kind(operator), right }
  }
  const left = tree.child(node, "left")
  const right = tree.child(node, "right")
  const operator = tree.child(node, "operator")
  if (left === NONE || right === NONE || operator === NONE) return null
  return { node, left, operator: tree.kind(operator), right }
}

const compute = (file: SourceFile): ReadonlyArray<Binary> => {
  const tree = file.tree
  if (tree === null) return []
  const found: Array<Binary> = []
  for (const node of tree.of(...kinds)) {
    const binary = binaryAt(tree, node)
    if (binary !== null) found.push(binary)
  }
  return found
}

export const binaries = (file: SourceFile): ReadonlyArray<Binary> => file.memo(compute, compute)
