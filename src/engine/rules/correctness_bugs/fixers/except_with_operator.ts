import { declined, fixer } from "../../../core/fix/Fixer.ts"
import { replacement } from "../../../languages/edits/arguments.ts"
import { matchedNode } from "../../../languages/edits/atMatch.ts"
import { type FlatTree, NONE } from "../../../languages/tree/FlatTree.ts"
import { bare } from "../../../structure/sameCode.ts"

const operandsOf = (tree: FlatTree, node: number): ReadonlyArray<number> => {
  const at = bare(tree, node)
  return tree.is(at, "boolean_operator")
    ? [...operandsOf(tree, tree.child(at, "left")), ...operandsOf(tree, tree.child(at, "right"))]
    : [at]
}

/** `except KeyError or ValueError:` becomes `except (KeyError, ValueError):`. */
export default fixer({
  tool: "correctness_bugs",
  rule: "except_with_operator",
  languages: ["python"],
  propose: ({ file, match }) => {
    const tree = file.tree!
    const alternative = matchedNode(tree, match, "boolean_operator")
    const types = alternative === NONE ? [] : operandsOf(tree, alternative)
    if (types.length === 0 || !types.every((type) => tree.is(type, "identifier", "attribute"))) {
      return declined("Not all operands are names of exceptions.")
    }
    return {
      edits: [replacement(tree, alternative, `(${types.map((type) => tree.textOf(type)).join(", ")})`)],
      summary: "Catch all of the listed exceptions"
    }
  }
})
