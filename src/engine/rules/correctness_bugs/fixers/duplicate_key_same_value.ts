import { declined, fixer } from "../../../core/fix/Fixer.ts"
import { NONE } from "../../../languages/tree/FlatTree.ts"
import { isRepeatable } from "../../../structure/sameCode.ts"

/** Removes the second of two equal entries, with the comma before it; the first keeps its position. */
export default fixer({
  tool: "correctness_bugs",
  rule: "duplicate_key_same_value",
  languages: ["javascript", "php", "python", "ruby"],
  propose: ({ file, match }) => {
    const tree = file.tree!
    let entry = tree.covering(match.start, match.end)
    while (!tree.is(entry, "pair", "array_element_initializer", "method_definition") && entry !== NONE) {
      if (tree.is(entry, "shorthand_property_identifier")) break
      entry = tree.parent(entry)
    }
    if (entry === NONE) return declined("The entry is not found.")
    if (!isRepeatable(tree, entry)) return declined("Evaluating the value may have an effect.")
    const comma = tree.previousSibling(entry)
    if (tree.textOf(comma) !== ",") return declined("There is a comment before the entry.")
    return {
      edits: [{ start: tree.start(comma), end: tree.end(entry), text: "" }],
      summary: "Remove the repeated entry"
    }
  }
})
