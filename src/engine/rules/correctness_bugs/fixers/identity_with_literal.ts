import { declined, fixer } from "../../../core/fix/Fixer.ts"
import { replacement } from "../../../languages/edits/arguments.ts"
import { matchedNode } from "../../../languages/edits/atMatch.ts"
import { NONE } from "../../../languages/tree/FlatTree.ts"

/** `name is "x"` becomes `name == "x"`. */
export default fixer({
  tool: "correctness_bugs",
  rule: "identity_with_literal",
  languages: ["python"],
  propose: ({ file, match }) => {
    const tree = file.tree!
    const comparison = matchedNode(tree, match, "comparison_operator")
    const operator = comparison === NONE ? NONE : tree.nextSibling(tree.firstChild(comparison))
    if (!tree.is(operator, "is", "is not")) return declined("The operator of the comparison is not found.")
    const isNegated = tree.is(operator, "is not")
    return {
      edits: [replacement(tree, operator, isNegated ? "!=" : "==")],
      summary: "Compare the values instead of the identities"
    }
  }
})
