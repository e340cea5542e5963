import { declined, type FixSite, fixer, type Proposal } from "../../../core/fix/Fixer.ts"
import { NONE } from "../../../languages/tree/FlatTree.ts"

const propose = ({ file, match }: FixSite): Proposal => {
  const tree = file.tree
  if (tree === null) return declined("The file could not be parsed.")
  const holder = tree.enclosing(tree.covering(match.start, match.end), "class_definition")
  const bases = holder === NONE ? NONE : tree.child(holder, "superclasses")
  const base = tree.namedChildren(bases)[0] ?? NONE
  const summary = "Await the coroutine tests of this class"
  if (tree.textOf(base) === "unittest.TestCase") {
    return {
      edits: [{ start: tree.start(base), end: tree.end(base), text: "unittest.IsolatedAsyncioTestCase" }],
      summary
    }
  }
  const named = tree.of("identifier", "dotted_name").filter((node) => tree.textOf(node) === "TestCase")
  const imported = named.find((node) => tree.is(tree.parent(node), "import_from_statement"))
  // The name inside of a dotted name is a node of its own.
  const others = named.filter(
    (node) => tree.start(node) !== tree.start(base) && tree.start(node) !== tree.start(imported ?? NONE)
  )
  if (imported === undefined || others.length > 0) {
    return declined("Other classes use the imported `TestCase`, too: this one needs an import of its own.")
  }
  return {
    edits: [imported, base].map((node) => ({
      start: tree.start(node),
      end: tree.end(node),
      text: "IsolatedAsyncioTestCase"
    })),
    summary
  }
}

export default fixer({ tool: "test_quality", rule: "async_test_not_run", languages: ["python"], propose })
