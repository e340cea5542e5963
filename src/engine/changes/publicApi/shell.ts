import type { FlatTree } from "../../languages/tree/FlatTree.ts"
import { type Api, ApiNames } from "./Api.ts"

/** Functions that a script which reads this one can call. */
export const shellApi = (tree: FlatTree): Api => {
  const out = new ApiNames(tree)
  for (const node of tree.of("function_definition")) {
    const name = tree.textOf(tree.child(node, "name"))
    if (!name.startsWith("_")) out.add(name, node)
  }
  return out.of(null)
}
