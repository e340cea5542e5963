import { declined, fixer } from "../../../core/fix/Fixer.ts"
import { insertAt, matchedNode } from "../../../languages/edits/atMatch.ts"
import { NONE } from "../../../languages/tree/FlatTree.ts"

/** `raise NotImplemented` becomes `raise NotImplementedError`, and `raise "text"` becomes `raise RuntimeError("text")`. */
export default fixer({
  tool: "correctness_bugs",
  rule: "raises_no_exception",
  languages: ["python"],
  propose: ({ file, match }) => {
    const tree = file.tree!
    const statement = matchedNode(tree, match, "raise_statement")
    const raised = tree.namedChildren(statement)[0] ?? NONE
    if (tree.is(raised, "string", "concatenated_string")) {
      if (/^\s*\(/.test(file.text.slice(tree.start(statement) + 5, tree.start(raised)))) {
        return declined("The raised text is in parentheses.")
      }
      return {
        edits: [insertAt(tree.start(raised), "RuntimeError("), insertAt(tree.end(raised), ")")],
        summary: "Raise an exception with the text"
      }
    }
    const name = tree.is(raised, "call") ? tree.child(raised, "function") : raised
    if (name === NONE || tree.textOf(name) !== "NotImplemented") return declined("The raised value is not found.")
    return { edits: [insertAt(tree.end(name), "Error")], summary: "Raise NotImplementedError" }
  }
})
