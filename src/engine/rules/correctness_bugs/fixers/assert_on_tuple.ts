import { declined, fixer } from "../../../core/fix/Fixer.ts"
import { replacement } from "../../../languages/edits/arguments.ts"
import { matchedNode } from "../../../languages/edits/atMatch.ts"
import { type FlatTree, NONE } from "../../../languages/tree/FlatTree.ts"

const open = [
  "boolean_operator",
  "comparison_operator",
  "not_operator",
  "binary_operator",
  "unary_operator",
  "conditional_expression",
  "concatenated_string",
  "attribute",
  "await",
  "lambda"
]

/** An expression over several lines needs parentheses of its own once those of the tuple are gone. */
const standing = (tree: FlatTree, node: number): string => {
  const text = tree.textOf(node)
  return text.includes("\n") && tree.is(node, ...open) ? `(${text})` : text
}

/** `assert (condition, "message")` becomes `assert condition, "message"`. */
export default fixer({
  tool: "correctness_bugs",
  rule: "assert_on_tuple",
  languages: ["python"],
  propose: ({ file, match }) => {
    const tree = file.tree!
    const statement = matchedNode(tree, match, "assert_statement")
    const tuple = tree.childOfKind(statement, "tuple")
    const parts = tuple === NONE ? [] : tree.namedChildren(tuple)
    if (parts.length === 0) return declined("The tuple of the assertion is not found.")
    if (tree.namedChildren(statement).length > 1) return declined("The assertion has a message besides the tuple.")
    if (tree.children(tuple).some((child) => tree.isComment(child))) {
      return declined("There are comments inside the tuple.")
    }
    const isMessage = parts.length === 1 || (parts.length === 2 && tree.is(parts[1]!, "string", "concatenated_string"))
    if (!isMessage)
      return declined("The second element is no message, so it may be a condition that was meant to hold.")
    return {
      edits: [replacement(tree, tuple, parts.map((part) => standing(tree, part)).join(", "))],
      summary: "Assert the condition instead of a tuple"
    }
  }
})
