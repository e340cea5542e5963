import { declined, fixer } from "../../../core/fix/Fixer.ts"
import { binaryAt } from "../../../languages/code/binaries.ts"
import { replacement } from "../../../languages/edits/arguments.ts"
import { insertAt, matchedNode } from "../../../languages/edits/atMatch.ts"
import { NONE } from "../../../languages/tree/FlatTree.ts"

/** `if (list.indexOf(x))` becomes `if (list.indexOf(x) !== -1)`. */
export default fixer({
  tool: "correctness_bugs",
  rule: "index_as_boolean",
  languages: ["javascript"],
  propose: ({ file, match }) => {
    const tree = file.tree!
    const summary = "Compare the index with -1"
    const call = matchedNode(tree, match, "call_expression")
    if (call !== NONE) return { edits: [insertAt(match.end, " !== -1")], summary }
    const binary = binaryAt(tree, matchedNode(tree, match, "binary_expression"))
    if (binary === null) return declined("The comparison is not found.")
    const operators: Readonly<Record<string, string>> = { ">=": "!==", "<": "===", ">": ">=" }
    const operator = operators[binary.operator]
    if (operator === undefined) return declined("The comparison has another operator.")
    return { edits: [replacement(tree, tree.child(binary.node, "operator"), operator)], summary }
  }
})
