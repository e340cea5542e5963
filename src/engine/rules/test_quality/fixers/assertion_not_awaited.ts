import { declined, type FixSite, fixer, type Proposal } from "../../../core/fix/Fixer.ts"
import { insertAt } from "../../../languages/edits/atMatch.ts"
import { importing } from "../../../languages/edits/importing.ts"
import { type FlatTree, NONE } from "../../../languages/tree/FlatTree.ts"
import { testAt } from "../../../structure/testing/testCases.ts"

const summary = "Await the assertion, so that its failure fails the test"
const scriptKinds = ["arrow_function", "function_expression", "function_declaration", "method_definition"]

const proposeScript = ({ file }: FixSite, tree: FlatTree, call: number): Proposal => {
  const holder = tree.enclosing(call, ...scriptKinds)
  const awaited = insertAt(tree.start(call), "await ")
  if (tree.childOfKind(holder, "async") !== NONE) return { edits: [awaited], summary }
  const test = testAt(file, call)
  if (
    test === undefined ||
    test.function !== holder ||
    test.parameters.length > 0 ||
    tree.is(holder, "method_definition")
  ) {
    return declined("The function around it is not the test itself, so who waits for it is not known here.")
  }
  return { edits: [insertAt(tree.start(holder), "async "), awaited], summary }
}

const proposeCsharp = ({ file }: FixSite, tree: FlatTree, call: number): Proposal => {
  const method = tree.enclosing(call, "method_declaration", "lambda_expression", "local_function_statement")
  const awaited = insertAt(tree.start(call), "await ")
  if (!tree.is(method, "method_declaration")) return declined("The assertion stands in a function inside of the test.")
  if (tree.children(method).some((node) => tree.textOf(node) === "async")) return { edits: [awaited], summary }
  const type = [tree.child(method, "returns"), tree.child(method, "type")].find((node) => tree.textOf(node) === "void")
  const task = importing(file, { module: "System.Threading.Tasks", name: "Task" })
  if (type === undefined || task === null) return declined("The test returns something already.")
  const returned = { start: tree.start(type), end: tree.end(type), text: `async ${task.local}` }
  return { edits: [...task.edits, returned, awaited], summary }
}

const propose = (site: FixSite): Proposal => {
  const { tree } = site.file
  if (tree === null) return declined("The file could not be parsed.")
  const call = tree.covering(site.match.start, site.match.end)
  return site.file.language === "csharp" ? proposeCsharp(site, tree, call) : proposeScript(site, tree, call)
}

export default fixer({
  tool: "test_quality",
  rule: "assertion_not_awaited",
  languages: ["javascript", "csharp"],
  propose
})
