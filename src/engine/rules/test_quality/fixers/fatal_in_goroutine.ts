import { declined, type FixSite, fixer, type Proposal } from "../../../core/fix/Fixer.ts"
import { indentationAt } from "../../../languages/edits/style.ts"
import { type FlatTree, NONE } from "../../../languages/tree/FlatTree.ts"

const reporting: Readonly<Record<string, string>> = {
  "t.Fatal": "t.Error",
  "t.Fatalf": "t.Errorf",
  "t.FailNow": "t.Fail"
}

const blocks = ["statement_list", "block", "if_statement", "expression_statement", "else_clause"]

/** Whether nothing of the function runs after a statement. */
const endsFunction = (tree: FlatTree, statement: number): boolean => {
  for (let at = statement; ; at = tree.parent(at)) {
    const next = tree.children(tree.parent(at)).find((node) => node > at && tree.isNamed(node) && !tree.isComment(node))
    if (tree.is(next ?? NONE, "return_statement")) return true
    const isAlternative = tree.is(tree.parent(at), "if_statement")
    if (next !== undefined && !isAlternative) return false
    if (!tree.is(tree.parent(at), ...blocks)) return tree.is(tree.parent(at), "func_literal")
  }
}

/** What `go vet` advises: report the failure and leave the goroutine. */
const propose = ({ file, match }: FixSite): Proposal => {
  const tree = file.tree
  if (tree === null) return declined("The file could not be parsed.")
  const call = tree.covering(match.start, match.end)
  const callee = tree.child(call, "function")
  const replacement = reporting[tree.textOf(callee)]
  const statement = tree.parent(call)
  if (replacement === undefined)
    return declined("A test cannot be skipped from another goroutine: decide it before the goroutine starts.")
  if (!tree.is(statement, "expression_statement")) return declined("The call is not a statement of its own.")
  const name = { start: tree.start(callee), end: tree.end(callee), text: replacement }
  const end = tree.end(statement)
  return {
    edits: endsFunction(tree, statement)
      ? [name]
      : [name, { start: end, end, text: `\n${indentationAt(file, tree.start(statement))}return` }],
    summary: "Report the failure to the test, which the goroutine cannot end"
  }
}

export default fixer({ tool: "test_quality", rule: "fatal_in_goroutine", languages: ["go"], propose })
