import { declined, fixer } from "../../../core/fix/Fixer.ts"
import { binaryAt } from "../../../languages/code/binaries.ts"
import { replacement } from "../../../languages/edits/arguments.ts"
import { insertAt, matchedNode, removeRange } from "../../../languages/edits/atMatch.ts"

/** `!key in map` becomes `!(key in map)`, and `!kind === "a"` becomes `kind !== "a"`. */
export default fixer({
  tool: "correctness_bugs",
  rule: "misplaced_negation",
  languages: ["javascript"],
  propose: ({ file, match }) => {
    const tree = file.tree!
    const binary = binaryAt(tree, matchedNode(tree, match, "binary_expression"))
    if (binary === null) return declined("The negated comparison is not found.")
    const argument = tree.child(binary.left, "argument")
    const summary = "Negate the whole test"
    if (binary.operator === "===" || binary.operator === "!==") {
      const operator = tree.child(binary.node, "operator")
      const inverse = binary.operator === "===" ? "!==" : "==="
      return {
        edits: [removeRange(tree.start(binary.left), tree.start(argument)), replacement(tree, operator, inverse)],
        summary
      }
    }
    return { edits: [insertAt(tree.start(argument), "("), insertAt(tree.end(binary.node), ")")], summary }
  }
})
