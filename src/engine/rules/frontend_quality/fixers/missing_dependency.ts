import { declined, type FixSite, fixer, type Proposal } from "../../../core/fix/Fixer.ts"
import { insertAt } from "../../../languages/edits/atMatch.ts"
import { type FlatTree, NONE } from "../../../languages/tree/FlatTree.ts"
import { type Component, components, enclosingFunctionNode } from "../../../structure/components.ts"
import { listedNames, missingReferences } from "../dependencies.ts"

/** Whether the code calls a function that comes with the props, whatever it is named. */
const callsParent = (tree: FlatTree, { props, propsName }: Component, callback: number): boolean =>
  [...tree.within(callback, "call_expression")].some((call) => {
    const root = /^[\w$]+/.exec(tree.textOf(tree.child(call, "function")))?.[0] ?? ""
    return props.has(root) || root === propsName
  })

/** Why an effect is left alone: it would then run again and again, or is meant to run once. */
const reasonAgainst = (
  tree: FlatTree,
  component: Component,
  callback: number,
  { isEmpty, names }: { readonly isEmpty: boolean; readonly names: ReadonlyArray<string> }
): string | null => {
  if (isEmpty)
    return "An effect with an empty list may be meant to run once: whether it is cannot be read from the code."
  const setters = component.states.filter(({ name }) => names.includes(name)).map(({ setter }) => setter)
  const code = tree.textOf(callback)
  if (setters.some((setter) => setter !== null && code.includes(setter))) {
    return "The effect sets what it would then depend on, and could run without an end."
  }
  return callsParent(tree, component, callback)
    ? "The effect calls its parent, whose next render could start it again without an end."
    : null
}

const propose = ({ file, match }: FixSite): Proposal => {
  const tree = file.tree
  if (tree === null) return declined("The file could not be parsed.")
  const list = tree.covering(match.start, match.end)
  const call = tree.parent(tree.parent(list))
  const callback = tree.namedChildren(tree.child(call, "arguments"))[0] ?? NONE
  const component = components(file).get(enclosingFunctionNode(tree, call))
  if (component === undefined) return declined("The component was not found again.")
  const items = tree.namedChildren(list)
  const missing = missingReferences(tree, component, callback, listedNames(tree, list))
  const names = [...new Set(missing.map(({ name }) => name))]
  const isEffect = /Effect$/.test(tree.textOf(tree.child(call, "function")))
  const reason = isEffect ? reasonAgainst(tree, component, callback, { isEmpty: items.length === 0, names }) : null
  if (reason !== null) return declined(reason)
  const last = items.at(-1)
  const at = last === undefined ? tree.start(list) + 1 : tree.end(last)
  return {
    edits: [insertAt(at, `${last === undefined ? "" : ", "}${names.join(", ")}`)],
    summary: "List what the hook reads among its dependencies"
  }
}

export default fixer({ tool: "frontend_quality", rule: "missing_dependency", languages: ["javascript"], propose })
