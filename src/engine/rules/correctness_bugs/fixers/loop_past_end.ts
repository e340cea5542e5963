import { escape as escapeRegExp } from "effect/RegExp"
import { declined, fixer } from "../../../core/fix/Fixer.ts"
import { binaryAt } from "../../../languages/code/binaries.ts"
import { replacement } from "../../../languages/edits/arguments.ts"
import { matchedNode } from "../../../languages/edits/atMatch.ts"
import { NONE } from "../../../languages/tree/FlatTree.ts"

/** `i <= list.length` becomes `i < list.length`. */
export default fixer({
  tool: "correctness_bugs",
  rule: "loop_past_end",
  languages: ["go", "java", "javascript"],
  propose: ({ file, match }) => {
    const tree = file.tree!
    const counter = matchedNode(tree, match, "identifier")
    const comparison = binaryAt(tree, tree.parent(counter))
    if (comparison === null || comparison.operator !== "<=") return declined("The comparison is not found.")
    const loop = tree.enclosing(counter, "for_statement")
    const name = escapeRegExp(tree.textOf(counter))
    if (loop === NONE || new RegExp(`(?<![\\w$.])${name}\\s*-\\s*1\\b`).test(tree.textOf(tree.child(loop, "body")))) {
      return declined("The loop also reads the element before, so its first iteration may be the mistake.")
    }
    return {
      edits: [replacement(tree, tree.child(comparison.node, "operator"), "<")],
      summary: "End the loop at the last element"
    }
  }
})
