import { declined, type FixSite, fixer, type Proposal } from "../../../core/fix/Fixer.ts"
import { components, enclosingFunctionNode } from "../../../structure/components.ts"
import { listedNames, missingReferences } from "../dependencies.ts"

const propose = ({ file, match }: FixSite): Proposal => {
  const tree = file.tree
  if (tree === null) return declined("The file could not be parsed.")
  const list = tree.covering(match.start, match.end)
  const call = tree.parent(tree.parent(list))
  const callback = tree.namedChildren(tree.child(call, "arguments"))[0] ?? -1
  const component = components(file).get(enclosingFunctionNode(tree, call))
  if (component === undefined) return declined("The component was not found again.")
  const items = tree.namedChildren(list)
  const isEffect = /Effect$/.test(tree.textOf(tree.child(call, "function")))
  const missing = missingReferences(tree, component, callback, listedNames(tree, list))
  const names = [...new Set(missing.map(({ name }) => name))]
  if (isEffect && items.length === 0) {
    return declined(
      "An effect with an empty list may be meant to run once: whether it is cannot be read from the code."
    )
  }
  const setters = component.states.filter(({ name }) => names.includes(name)).map(({ setter }) => setter)
  const code = tree.textOf(callback)
  if (isEffect && setters.some((setter) => setter !== null && code.includes(setter))) {
    return declined("The effect sets what it would then depend on, and could run without an end.")
  }
  if (
    isEffect &&
    missing.some(({ node }) => tree.is(tree.parent(node), "call_expression") && tree.fieldOf(node) === "function")
  ) {
    return declined("A function that the parent makes on every render would start the effect each time.")
  }
  const last = items.at(-1)
  const at = last === undefined ? tree.start(list) + 1 : tree.end(last)
  return {
    edits: [{ start: at, end: at, text: `${last === undefined ? "" : ", "}${names.join(", ")}` }],
    summary: "List what the hook reads among its dependencies"
  }
}

export default fixer({ tool: "frontend_quality", rule: "missing_dependency", languages: ["javascript"], propose })
