import { declined, fixer } from "../../../core/fix/Fixer.ts"
import { insertAt, matchedNode, startsLine } from "../../../languages/edits/atMatch.ts"
import { removal } from "../../../languages/edits/removal.ts"
import { indentationAt } from "../../../languages/edits/style.ts"
import { NONE } from "../../../languages/tree/FlatTree.ts"

/** Moves `group.Add(n)` from the beginning of the goroutine to the line before it. */
export default fixer({
  tool: "async_concurrency",
  rule: "wait_group_race",
  languages: ["go"],
  propose: ({ file, match }) => {
    const tree = file.tree!
    const call = matchedNode(tree, match, "call_expression")
    const statement = tree.parent(call)
    const literal = tree.enclosing(call, "func_literal")
    const goroutine = tree.enclosing(literal, "go_statement")
    const text = tree.textOf(call)
    if (!tree.is(statement, "expression_statement") || goroutine === NONE) return declined("The call is not found.")
    if (!/^\w+(?:\.\w+)*\.Add\(\d+\)$/.test(text)) return declined("The number of goroutines is computed.")
    const holder = tree.parent(statement)
    const isDirect = tree.parent(holder) === literal || tree.parent(tree.parent(holder)) === literal
    if (!isDirect || tree.namedChildren(holder)[0] !== statement) {
      return declined("Code of the goroutine runs before it, which may decide whether it runs.")
    }
    const parameters = tree.textOf(tree.child(literal, "parameters"))
    if (new RegExp(`\\b${/^\w+/.exec(text)![0]}\\b`).test(parameters)) {
      return declined("The group is a parameter of the goroutine.")
    }
    const start = tree.start(goroutine)
    if (!startsLine(file, start)) return declined("The goroutine does not begin a line.")
    return {
      edits: [
        insertAt(start, `${text}\n${indentationAt(file, start)}`),
        removal(file, tree.start(statement), tree.end(statement))
      ],
      summary: "Add to the group before the goroutine starts"
    }
  }
})
