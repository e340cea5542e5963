import { declined, fixer } from "../../../core/fix/Fixer.ts"
import { binaryAt } from "../../../languages/code/binaries.ts"
import { replacement } from "../../../languages/edits/arguments.ts"
import { matchedNode } from "../../../languages/edits/atMatch.ts"
import { bare } from "../../../structure/sameCode.ts"

/** `list[i + 1]` in a `for … in` becomes `list[Number(i) + 1]`. */
export default fixer({
  tool: "correctness_bugs",
  rule: "string_index_arithmetic",
  languages: ["javascript"],
  propose: ({ file, match }) => {
    const tree = file.tree!
    const access = matchedNode(tree, match, "subscript_expression")
    const sum = binaryAt(tree, bare(tree, tree.child(access, "index")))
    if (sum === null) return declined("The sum is not found.")
    return {
      edits: [replacement(tree, sum.left, `Number(${tree.textOf(sum.left)})`)],
      summary: "Add to the index as a number"
    }
  }
})
