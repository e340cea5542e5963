import type { SourceFile } from "../../core/files/SourceFile.ts"
import { literalValue, unwrap } from "../../languages/syntax/strings.ts"
import { guardName } from "./Route.ts"

/** Names in a list of middleware, arrays flattened; functions written in place have none. */
export const namesOf = (file: SourceFile, node: number): ReadonlyArray<string> => {
  const tree = file.tree!
  const at = unwrap(file, node)
  if (tree.is(at, "array")) return tree.namedChildren(at).flatMap((item) => namesOf(file, item))
  if (tree.is(at, "spread_element")) return tree.namedChildren(at).flatMap((item) => namesOf(file, item))
  if (tree.is(at, "identifier", "member_expression", "call_expression", "new_expression"))
    return [guardName(tree.textOf(at))]
  return []
}

/** String literals: one, or those of an array. */
export const literalsOf = (file: SourceFile, node: number | undefined): ReadonlyArray<string> => {
  if (node === undefined) return []
  const tree = file.tree!
  const parts = tree.is(node, "array") ? tree.namedChildren(node) : [node]
  return parts.flatMap((part) => {
    const value = literalValue(file, part)
    return value === null ? [] : [value]
  })
}
