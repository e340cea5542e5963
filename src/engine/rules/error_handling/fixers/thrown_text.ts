import { declined, fixer } from "../../../core/fix/Fixer.ts"
import { insertAt, matchedNode } from "../../../languages/edits/atMatch.ts"
import { NONE } from "../../../languages/tree/FlatTree.ts"
import { bare } from "../../../structure/sameCode.ts"

/** A handler that compares what it caught with a text, or uses it as one. */
const comparesText = /\bcatch\s*\(\s*(\w+)[^)]*\)[^}]*\b\1\s*(?:===?|!==?|\.(?:startsWith|includes|match|indexOf)\b)/

/** `throw "text"` becomes `throw new Error("text")`. */
export default fixer({
  tool: "error_handling",
  rule: "thrown_text",
  languages: ["javascript"],
  propose: ({ file, match }) => {
    const tree = file.tree!
    const statement = matchedNode(tree, match, "throw_statement")
    const thrown = tree.namedChildren(statement)[0] ?? NONE
    if (thrown === NONE) return declined("The thrown value is not found.")
    if (comparesText.test(file.text)) return declined("A handler of this file compares what it catches with a text.")
    const value = bare(tree, thrown)
    if (value !== thrown) {
      return {
        edits: [
          insertAt(tree.start(thrown), /\s/.test(file.text[tree.start(thrown) - 1] ?? "") ? "new Error" : " new Error")
        ],
        summary: "Throw an Error instead of a string"
      }
    }
    return {
      edits: [insertAt(tree.start(value), "new Error("), insertAt(tree.end(value), ")")],
      summary: "Throw an Error instead of a string"
    }
  }
})
