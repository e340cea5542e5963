import type { SourceFile } from "../../../core/files/SourceFile.ts"
import { declined, fixer } from "../../../core/fix/Fixer.ts"
import { insertAt, matchedNode, removeRange } from "../../../languages/edits/atMatch.ts"
import { enclosingFunction } from "../../../languages/syntax/vocabulary.ts"
import { type FlatTree, NONE } from "../../../languages/tree/FlatTree.ts"

/** Whether the class around a node has a field of this name. */
const hasField = (file: SourceFile, tree: FlatTree, node: number, name: string): boolean => {
  const owner = tree.enclosing(
    node,
    "class_declaration",
    "class_definition",
    "struct_declaration",
    "record_declaration"
  )
  if (owner === NONE) return false
  if (file.language === "python") return new RegExp(`\\bself\\.${name}\\b`).test(tree.textOf(owner))
  return tree
    .within(owner, "field_declaration")
    .some((field) =>
      [...tree.within(field, "variable_declarator")].some((one) => tree.textOf(tree.child(one, "name")) === name)
    )
}

/** Stores the parameter in the field of the same name, whichever side lacks the receiver. */
export default fixer({
  tool: "correctness_bugs",
  rule: "self_assignment",
  languages: ["csharp", "java", "javascript", "python"],
  propose: ({ file, match }) => {
    const tree = file.tree!
    const assignment = matchedNode(tree, match, "assignment_expression", "assignment")
    const [left, right] = [tree.child(assignment, "left"), tree.child(assignment, "right")]
    if (assignment === NONE) return declined("The assignment is not found.")
    const name = /^(?:this\.)?(\w+)$/.exec(tree.textOf(left))?.[1] ?? ""
    const isParameter = enclosingFunction(file, assignment)?.parameters.some((one) => one.name === name) === true
    if (name === "" || !isParameter) return declined("Which value was meant to be stored is not known.")
    const summary = `Store the parameter ${name} in its field`
    if (tree.textOf(left).startsWith("this.")) {
      return { edits: [removeRange(tree.start(right), tree.end(right) - name.length)], summary }
    }
    if (!hasField(file, tree, assignment, name)) return declined(`No field is called ${name}.`)
    return { edits: [insertAt(tree.start(left), file.language === "python" ? "self." : "this.")], summary }
  }
})
