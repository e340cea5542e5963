import { declined, fixer } from "../../../core/fix/Fixer.ts"
import { tryStatements } from "../../../languages/code/tryStatements.ts"
import { insertAt } from "../../../languages/edits/atMatch.ts"
import { indentationAt } from "../../../languages/edits/style.ts"
import { type FlatTree, NONE } from "../../../languages/tree/FlatTree.ts"

const loops = ["for_statement", "enhanced_for_statement", "while_statement", "do_statement"]

/** Inside a loop the restored flag ends each later wait at once. */
const isInLoop = (tree: FlatTree, node: number): boolean => {
  const around = tree.enclosing(node, ...loops, "method_declaration", "constructor_declaration", "lambda_expression")
  return tree.is(around, ...loops)
}

const restore = "Thread.currentThread().interrupt();"

/** Restores the interrupted flag at the beginning of the handler. */
export default fixer({
  tool: "error_handling",
  rule: "interrupt_swallowed",
  languages: ["java"],
  propose: ({ file, match }) => {
    const tree = file.tree!
    const attempt = tryStatements(file).find(({ handlers }) =>
      handlers.some(({ node }) => tree.start(node) === match.start)
    )
    const handler = attempt?.handlers.find(({ node }) => tree.start(node) === match.start)
    const body = handler === undefined ? NONE : tree.child(handler.node, "body")
    if (attempt === undefined || handler === undefined || body === NONE) return declined("The handler is not found.")
    if (handler.types.length > 1) return declined("The handler catches other exceptions, which do not interrupt.")
    if (isInLoop(tree, attempt.node)) {
      return declined("The loop around it goes on, and would then never wait again; it has to end instead.")
    }
    const indent = indentationAt(file, tree.start(handler.node))
    const first = handler.statements[0]
    const isOneLine = first === undefined || file.line(tree.start(first)) === file.line(tree.start(body))
    const unit = indent.includes("\t") ? "\t" : "    "
    const inner = first === undefined || isOneLine ? `${indent}${unit}` : indentationAt(file, tree.start(first))
    const opening = tree.start(body) + 1
    const summary = "Restore the interrupted flag of the thread"
    if (!isOneLine) return { edits: [insertAt(opening, `\n${inner}${restore}`)], summary }
    const rest = file.text.slice(opening, tree.end(body) - 1).trim()
    const lines = [restore, ...(rest === "" ? [] : [rest])].map((line) => `\n${inner}${line}`).join("")
    return { edits: [{ start: opening, end: tree.end(body) - 1, text: `${lines}\n${indent}` }], summary }
  }
})
