import { declined, fixer } from "../../../core/fix/Fixer.ts"
import { insertAt, matchedNode } from "../../../languages/edits/atMatch.ts"
import { functions } from "../../../languages/syntax/vocabulary.ts"
import { NONE } from "../../../languages/tree/FlatTree.ts"

/** `if self.is_ready:` becomes `if self.is_ready():`. */
export default fixer({
  tool: "correctness_bugs",
  rule: "method_not_called",
  languages: ["python"],
  propose: ({ file, match }) => {
    const tree = file.tree!
    const attribute = matchedNode(tree, match, "attribute")
    const owner = tree.enclosing(attribute, "class_definition")
    const name = tree.textOf(tree.child(attribute, "attribute"))
    const method = functions(file).find(
      (info) => info.name === name && tree.enclosing(info.node, "class_definition") === owner
    )
    if (attribute === NONE || method === undefined) return declined("The method is not found.")
    if (method.isAsync) return declined("The method is async; its result has to be awaited as well.")
    const required = method.parameters.slice(1).some(({ node }) => tree.child(node, "value") === NONE)
    if (required) return declined("The method takes arguments, which are not known here.")
    return { edits: [insertAt(match.end, "()")], summary: `Call ${name}` }
  }
})
