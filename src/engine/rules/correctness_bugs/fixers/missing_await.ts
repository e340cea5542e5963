import type { SourceFile } from "../../../core/files/SourceFile.ts"
import { declined, fixer } from "../../../core/fix/Fixer.ts"
import { insertAt, matchedNode } from "../../../languages/edits/atMatch.ts"
import { enclosingFunction } from "../../../languages/syntax/vocabulary.ts"
import { type FlatTree, NONE } from "../../../languages/tree/FlatTree.ts"

const bindsTighter = (tree: FlatTree, call: number): boolean => {
  const parent = tree.parent(call)
  const field = tree.fieldOf(call)
  return (
    (tree.is(parent, "member_expression", "attribute", "subscript_expression", "subscript") &&
      (field === "object" || field === "value")) ||
    (tree.is(parent, "call_expression", "call") && field === "function") ||
    // `!await f()` is valid, too, but formatters write the parentheses.
    tree.is(parent, "non_null_expression", "unary_expression")
  )
}

/** A parenthesis at the start of a line continues the line before it where no semicolon ends that one. */
const continuesLine = (file: SourceFile, start: number): boolean => {
  const before = file.text.slice(Math.max(0, start - 400), start)
  return file.language !== "python" && /\n[ \t]*$/.test(before) && !/[;{},(=&|?:>]\s*$/.test(before)
}

/** `if (isReady())` becomes `if (await isReady())`. */
export default fixer({
  tool: "correctness_bugs",
  rule: "missing_await",
  languages: ["javascript", "python"],
  propose: ({ file, match }) => {
    const tree = file.tree!
    const call = matchedNode(tree, match, "call_expression", "call")
    if (call === NONE) return declined("The call is not found.")
    if (enclosingFunction(file, call)?.isAsync !== true) {
      return declined("The function around the call is not async, so it cannot await.")
    }
    if (tree.enclosing(call, "generator_expression", "formal_parameters", "parameters") !== NONE) {
      return declined("The call is part of a generator or of a default value.")
    }
    const summary = "Await the asynchronous call"
    if (!bindsTighter(tree, call)) return { edits: [insertAt(match.start, "await ")], summary }
    if (continuesLine(file, match.start)) {
      return declined("The line before it has no semicolon, so a parenthesis would continue it.")
    }
    return { edits: [insertAt(match.start, "(await "), insertAt(match.end, ")")], summary }
  }
})
