import type { SourceFile } from "../../../core/files/SourceFile.ts"
import { declined, type Edit, fixer } from "../../../core/fix/Fixer.ts"
import { insertAt, matchedNode } from "../../../languages/edits/atMatch.ts"
import { NONE } from "../../../languages/tree/FlatTree.ts"
import { bare } from "../../../structure/sameCode.ts"

/** A handler that compares what it caught with a text, or uses it as one. */
const comparesText = /\bcatch\s*\(\s*(\w+)[^)]*\)[^}]*\b\1\s*(?:===?|!==?|\.(?:startsWith|includes|match|indexOf)\b)/

const permission =
  /^\s*\/\/\s*eslint-disable-next-line\s+(?:no-throw-literal|@typescript-eslint\/(?:no-throw-literal|only-throw-error))\s*$/

/** A line that permits the thrown text is of no use any more. */
const permissionAbove = (file: SourceFile, start: number): ReadonlyArray<Edit> => {
  const line = file.line(start)
  return line > 1 && permission.test(file.lineText(line - 1))
    ? [{ start: file.lineStarts[line - 2]!, end: file.lineStarts[line - 1]!, text: "" }]
    : []
}

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
    const summary = "Throw an Error instead of a string"
    const permissions = permissionAbove(file, match.start)
    if (bare(tree, thrown) !== thrown) {
      const gap = /\s/.test(file.text[tree.start(thrown) - 1] ?? "") ? "" : " "
      return { edits: [...permissions, insertAt(tree.start(thrown), `${gap}new Error`)], summary }
    }
    return {
      edits: [...permissions, insertAt(tree.start(thrown), "new Error("), insertAt(tree.end(thrown), ")")],
      summary
    }
  }
})
