import { declined, fixer } from "../../../core/fix/Fixer.ts"
import { binaryAt } from "../../../languages/code/binaries.ts"
import { replacement } from "../../../languages/edits/arguments.ts"
import { matchedNode } from "../../../languages/edits/atMatch.ts"
import { NONE } from "../../../languages/tree/FlatTree.ts"
import { bare } from "../../../structure/sameCode.ts"

/** `name == "x"` becomes `"x".equals(name)`, which is false for null, too. */
export default fixer({
  tool: "correctness_bugs",
  rule: "string_identity",
  languages: ["java"],
  propose: ({ file, match }) => {
    const tree = file.tree!
    const binary = binaryAt(tree, matchedNode(tree, match, "binary_expression"))
    if (binary === null) return declined("The comparison is not found.")
    const [left, right] = [bare(tree, binary.left), bare(tree, binary.right)]
    const [literal, other] = tree.is(right, "string_literal") ? [right, left] : [left, right]
    if (!tree.is(literal, "string_literal"))
      return declined("Neither side is a literal, so which of them may be null is not known.")
    if (tree.enclosing(literal, "annotation") !== NONE) return declined("An annotation takes constants only.")
    const equals = `${tree.textOf(literal)}.equals(${tree.textOf(other)})`
    return {
      edits: [replacement(tree, binary.node, binary.operator === "!=" ? `!${equals}` : equals)],
      summary: "Compare the texts of the strings"
    }
  }
})
