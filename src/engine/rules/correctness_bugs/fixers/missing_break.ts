import { declined, fixer } from "../../../core/fix/Fixer.ts"
import { insertAt, matchedNode, startsLine } from "../../../languages/edits/atMatch.ts"
import { indentationAt } from "../../../languages/edits/style.ts"
import { NONE } from "../../../languages/tree/FlatTree.ts"

/** Ends a case whose value the next case would overwrite. */
export default fixer({
  tool: "correctness_bugs",
  rule: "missing_break",
  languages: ["java", "javascript"],
  propose: ({ file, match }) => {
    const tree = file.tree!
    const statement = matchedNode(tree, match, "expression_statement")
    if (statement === NONE) return declined("The assignment is not found.")
    const end = file.text[match.end - 1] === ";" ? ";" : ""
    const space = startsLine(file, match.start) ? `\n${indentationAt(file, match.start)}` : " "
    if (space === " " && end === "") return declined("The case is on one line without semicolons.")
    return { edits: [insertAt(match.end, `${space}break${end}`)], summary: "End the case with a break" }
  }
})
