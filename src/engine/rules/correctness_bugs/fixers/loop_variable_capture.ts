import { declined, fixer } from "../../../core/fix/Fixer.ts"
import { insertAt, startsLine } from "../../../languages/edits/atMatch.ts"
import { indentationAt } from "../../../languages/edits/style.ts"
import { NONE } from "../../../languages/tree/FlatTree.ts"

/** Gives each iteration a copy of the variables that its goroutine uses. */
export default fixer({
  tool: "correctness_bugs",
  rule: "loop_variable_capture",
  languages: ["go"],
  propose: ({ file, match }) => {
    const tree = file.tree!
    const statement = tree.of("go_statement").find((node) => tree.start(node) === match.start)
    if (statement === undefined || !startsLine(file, match.start))
      return declined("The goroutine does not begin a line.")
    const loop = tree.enclosing(statement, "for_statement")
    const clause = tree.childOfKind(loop, "range_clause", "for_clause")
    const holder = tree.is(clause, "range_clause") ? clause : tree.child(clause, "initializer")
    const literal = tree.child(tree.namedChildren(statement)[0] ?? NONE, "function")
    const used = new Set([...tree.within(tree.child(literal, "body"), "identifier")].map((node) => tree.textOf(node)))
    const names = tree
      .namedChildren(tree.child(holder, "left"))
      .map((node) => tree.textOf(node))
      .filter((name) => used.has(name))
    if (names.length === 0) return declined("The variables of the loop are not found.")
    const list = names.join(", ")
    return {
      edits: [insertAt(match.start, `${list} := ${list}\n${indentationAt(file, match.start)}`)],
      summary: "Copy the loop variables for the goroutine"
    }
  }
})
