import type { SourceFile } from "../../../core/files/SourceFile.ts"
import { declined, fixer } from "../../../core/fix/Fixer.ts"
import { assignmentsTo } from "../../../languages/code/lastAssigned.ts"
import { replacement } from "../../../languages/edits/arguments.ts"
import { matchedNode } from "../../../languages/edits/atMatch.ts"
import { enclosingFunction } from "../../../languages/syntax/vocabulary.ts"
import { NONE } from "../../../languages/tree/FlatTree.ts"

/** A variable that gets its value only here would never have one any more. */
const isOnlyAssignment = (file: SourceFile, assignment: number): boolean => {
  const tree = file.tree!
  const left = tree.child(assignment, "left")
  if (!tree.is(left, "identifier", "variable_name")) return false
  const name = tree.textOf(left)
  const isParameter = enclosingFunction(file, assignment)?.parameters.some(
    (parameter) => parameter.name === name || `$${parameter.name}` === name
  )
  return (
    isParameter !== true && assignmentsTo(file, name).every(({ node, value }) => node === assignment || value === NONE)
  )
}

/** The strict operator, unless the file only ever uses the other. */
const equality = (file: SourceFile): string =>
  /[^=!]==[^=]/.test(file.text) && !/[=!]==/.test(file.text) ? "==" : "==="

/** `if (state = 1)` becomes `if (state === 1)`. */
export default fixer({
  tool: "correctness_bugs",
  rule: "assignment_in_condition",
  languages: ["javascript", "php"],
  propose: ({ file, match }) => {
    const tree = file.tree!
    const assignment = matchedNode(tree, match, "assignment_expression")
    const operator = tree.children(assignment).find((child) => tree.textOf(child) === "=")
    if (assignment === NONE || operator === undefined) return declined("The assignment is not found.")
    if (isOnlyAssignment(file, assignment)) {
      return declined("Nothing else assigns a value to the variable, so the assignment may be intended.")
    }
    return {
      edits: [replacement(tree, operator, equality(file))],
      summary: "Compare in the condition instead of assigning"
    }
  }
})
