import type { SourceFile } from "../../../core/files/SourceFile.ts"
import { declined, fixer } from "../../../core/fix/Fixer.ts"
import { insertAt, matchedNode } from "../../../languages/edits/atMatch.ts"
import { enclosingFunction } from "../../../languages/syntax/vocabulary.ts"
import { type FlatTree, NONE } from "../../../languages/tree/FlatTree.ts"
import { sharedBranchAt } from "../exceptions/sharedBranches.ts"

/** Exceptions of Java that every method may throw. */
const unchecked =
  /^(?:RuntimeException|IllegalArgumentException|IllegalStateException|NullPointerException|UnsupportedOperationException|IndexOutOfBoundsException|ArithmeticException|ClassCastException|ConcurrentModificationException|NoSuchElementException|NumberFormatException|DateTimeException|UncheckedIOException|AssertionError|IllegalMonitorStateException|NegativeArraySizeException|SecurityException)$/

const isFollowed = (tree: FlatTree, statement: number): boolean => {
  for (let next = tree.nextSibling(statement); next !== NONE; next = tree.nextSibling(next))
    if (tree.isNamed(next) && !tree.isComment(next) && tree.fieldOf(next) !== "alternative") return true
  return false
}

const mayThrow = (file: SourceFile, node: number, type: string): boolean => {
  if (file.language !== "java" || unchecked.test(type)) return true
  const holder = enclosingFunction(file, node)
  const header = holder === null ? "" : file.text.slice(file.tree!.start(holder.node), file.tree!.start(holder.body))
  return new RegExp(`\\bthrows\\b[^{]*\\b${type}\\b`).test(header)
}

/** `new Error("…")` as a statement becomes `throw new Error("…")`. */
export default fixer({
  tool: "correctness_bugs",
  rule: "exception_not_thrown",
  languages: ["java", "javascript", "python"],
  propose: ({ file, match }) => {
    const tree = file.tree!
    const creation = matchedNode(tree, match, "new_expression", "object_creation_expression", "call")
    const statement = tree.parent(creation)
    if (!tree.is(statement, "expression_statement")) return declined("The exception is not a statement of its own.")
    if (isFollowed(tree, statement)) return declined("Statements follow that would never run if this threw.")
    const type = match.identifiers?.[0] ?? ""
    if (sharedBranchAt(file, tree, creation, type) !== null) return declined("Valid values come to this branch, too.")
    if (!mayThrow(file, creation, type)) return declined(`The method does not declare that it throws ${type}.`)
    const keyword = file.language === "python" ? "raise" : "throw"
    return {
      edits: [insertAt(tree.start(creation), `${keyword} `)],
      summary: file.language === "python" ? "Raise the created exception" : "Throw the created exception"
    }
  }
})
