import { declined, fixer } from "../../../core/fix/Fixer.ts"
import { binaryAt } from "../../../languages/code/binaries.ts"
import { replacement } from "../../../languages/edits/arguments.ts"
import { insertAt, matchedNode } from "../../../languages/edits/atMatch.ts"
import { NONE } from "../../../languages/tree/FlatTree.ts"
import { bare, isRepeatable } from "../../../structure/sameCode.ts"
import { isTested, looseAlternatives } from "../looseAlternatives.ts"

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
    const { compared, isGuarded, literals } = found
    if (isGuarded) return declined("Whether the condition in front is meant for each of the alternatives is not known.")
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
