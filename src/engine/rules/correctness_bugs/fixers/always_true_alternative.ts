import { declined, fixer } from "../../../core/fix/Fixer.ts"
import { binaryAt } from "../../../languages/code/binaries.ts"
import { replacement } from "../../../languages/edits/arguments.ts"
import { insertAt, matchedNode } from "../../../languages/edits/atMatch.ts"
import { type FlatTree, NONE } from "../../../languages/tree/FlatTree.ts"
import { bare, isRepeatable } from "../../../structure/sameCode.ts"
import { looseAlternatives } from "../looseAlternatives.ts"

const conditions = [
  "if_statement",
  "elif_clause",
  "while_statement",
  "do_statement",
  "for_statement",
  "ternary_expression",
  "assert_statement",
  "not_operator"
]

/** Whether only the truth of an expression is used; elsewhere the literal may be meant as a default value. */
const isTested = (tree: FlatTree, node: number): boolean => {
  let at = node
  for (;;) {
    const parent = tree.parent(at)
    const isJunction = /^(?:&&|\|\||and|or)$/.test(binaryAt(tree, parent)?.operator ?? "")
    if (!tree.is(parent, "parenthesized_expression") && !isJunction) break
    at = parent
  }
  const parent = tree.parent(at)
  if (tree.is(parent, "not_operator", "unary_expression", "assert_statement")) return true
  return tree.is(parent, ...conditions) && tree.fieldOf(at) === "condition"
}

/** `x === "a" || "b"` becomes `x === "a" || x === "b"`. */
export default fixer({
  tool: "correctness_bugs",
  rule: "always_true_alternative",
  languages: ["javascript", "python"],
  propose: ({ file, match }) => {
    const tree = file.tree!
    const whole = binaryAt(tree, matchedNode(tree, match, "binary_expression", "boolean_operator"))
    const found = whole === null ? null : looseAlternatives(tree, whole)
    if (whole === null || found === null) return declined("The comparison before the literal is not found.")
    const { compared, literals } = found
    if (!isTested(tree, whole.node)) return declined("The literal may be meant as the value, not as a condition.")
    if (!isRepeatable(tree, compared.left, true))
      return declined("The compared expression may have effects of its own.")
    const repeated = literals.map((literal) =>
      insertAt(tree.start(literal), `${tree.textOf(compared.left)} ${compared.operator} `)
    )
    const summary = "Compare with each of the alternatives"
    if (!compared.operator.startsWith("!")) return { edits: repeated, summary }
    const isSimple =
      compared.node === bare(tree, whole.left) &&
      !/^(?:&&|\|\||and|or)$/.test(binaryAt(tree, tree.parent(whole.node))?.operator ?? "")
    const operator = tree.child(whole.node, "operator")
    if (!isSimple || operator === NONE) return declined("Several operators would have to change together.")
    return { edits: [replacement(tree, operator, whole.operator === "or" ? "and" : "&&"), ...repeated], summary }
  }
})
