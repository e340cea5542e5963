import { declined, fixer } from "../../../core/fix/Fixer.ts"
import { replacement } from "../../../languages/edits/arguments.ts"
import { matchedNode, removeRange } from "../../../languages/edits/atMatch.ts"
import { NONE } from "../../../languages/tree/FlatTree.ts"

/** `throw ex;` becomes `throw;`. The name of the exception goes where nothing else uses it. */
export default fixer({
  tool: "error_handling",
  rule: "stack_trace_lost",
  languages: ["csharp"],
  propose: ({ file, match }) => {
    const tree = file.tree!
    const statement = matchedNode(tree, match, "throw_statement")
    const clause = tree.enclosing(statement, "catch_clause")
    const declaration = tree.childOfKind(clause, "catch_declaration")
    const [type, name] = [tree.child(declaration, "type"), tree.child(declaration, "name")]
    if (type === NONE || name === NONE) return declined("The declaration of the exception is not found.")
    const uses = tree.within(clause, "identifier").filter((node) => tree.textOf(node) === tree.textOf(name)).length
    // Its declaration, and this statement.
    const unused = uses === 2 ? [removeRange(tree.end(type), tree.end(name))] : []
    return {
      edits: [...unused, replacement(tree, statement, "throw;")],
      summary: "Keep the stack trace when rethrowing"
    }
  }
})
