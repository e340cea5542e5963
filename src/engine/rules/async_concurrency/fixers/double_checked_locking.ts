import { declined, fixer } from "../../../core/fix/Fixer.ts"
import { insertAt } from "../../../languages/edits/atMatch.ts"
import { NONE } from "../../../languages/tree/FlatTree.ts"

/** Declares the field as `volatile`. */
export default fixer({
  tool: "async_concurrency",
  rule: "double_checked_locking",
  languages: ["java"],
  propose: ({ file, match }) => {
    const tree = file.tree!
    const declaration = match.steps?.at(-1)
    const field = [...tree.of("field_declaration")].find((node) => tree.start(node) === declaration?.start)
    const type = field === undefined ? NONE : tree.child(field, "type")
    if (field === undefined || type === NONE) return declined("The declaration of the field is not found.")
    if (/\bfinal\b/.test(tree.textOf(tree.childOfKind(field, "modifiers")))) return declined("The field is final.")
    return { edits: [insertAt(tree.start(type), "volatile ")], summary: "Declare the field as volatile" }
  }
})
