import type { SourceFile } from "../../core/files/SourceFile.ts"
import { type Match } from "../../core/tool/AuditTool.ts"
import { assignments, type Call, calls } from "../../languages/syntax/vocabulary.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import { componentAround, components, enclosingFunctionNode, type State } from "../../structure/components.ts"
import type { RuleId } from "./rules.ts"

/** A function with more is not looked through; its names are taken for its own. */
const MAX_DECLARATORS = 100

const mutators = /^(?:push|pop|shift|unshift|splice|sort|reverse|fill|copyWithin)$/

/** An instance kept for its own methods, or a box whose content is meant to be changed. */
const isBox = (tree: FlatTree, { initial }: State): boolean =>
  /^(?:\(\)\s*=>\s*)?\(?\s*(?:new |create\w*\(|use\w*\(|\{\s*current)/.test(tree.textOf(initial).slice(0, 80))

const rootOf = (tree: FlatTree, node: number): number => {
  let at = node
  for (
    let depth = 0;
    depth < 20 && tree.is(at, "member_expression", "subscript_expression", "non_null_expression");
    depth++
  ) {
    at = tree.is(at, "non_null_expression") ? (tree.namedChildren(at)[0] ?? NONE) : tree.child(at, "object")
  }
  return at
}

/** The name means the component's state here, not a parameter or variable of a function in between. */
const declaresAgain = (tree: FlatTree, node: number, name: string, component: number): boolean => {
  for (
    let fn = enclosingFunctionNode(tree, node);
    fn !== NONE && fn !== component;
    fn = enclosingFunctionNode(tree, fn)
  ) {
    const single = tree.child(fn, "parameter")
    const head = single === NONE ? tree.child(fn, "parameters") : single
    if (
      tree
        .textOf(head)
        .split(/[^\w$]+/)
        .includes(name)
    )
      return true
    const declarators = tree.within(fn, "variable_declarator")
    if (declarators.length > MAX_DECLARATORS) return true
    for (const declarator of declarators) {
      if (tree.textOf(tree.child(declarator, "name")) === name) return true
    }
  }
  return false
}

/** Locations of one file that are inspected closely; no one mutates state so often by hand. */
const MAX_PLACES = 300

const stateAt = (file: SourceFile, tree: FlatTree, node: number, budget: { places: number }): State | null => {
  const root = rootOf(tree, node)
  if (root === node || !tree.is(root, "identifier")) return null
  const component = componentAround(file, node)
  if (component === undefined || component.states.length === 0) return null
  const name = tree.textOf(root)
  const state = component.states.find((one) => one.name === name)
  if (
    state === undefined ||
    --budget.places < 0 ||
    isBox(tree, state) ||
    declaresAgain(tree, node, name, component.info.node)
  )
    return null
  return state
}

const hit = (tree: FlatTree, node: number, what: string, setter: string | null): Match<RuleId> => ({
  rule: "state_mutated",
  start: tree.start(node),
  end: tree.end(node),
  message: `This changes ${what} in place: React compares by identity and sees no change${setter === null ? "" : `, even through \`${setter}\``}.`
})

const inConstructor = (tree: FlatTree, node: number): boolean => {
  const method = tree.enclosing(node, "method_definition")
  return method !== NONE && tree.textOf(tree.child(method, "name")) === "constructor"
}

const ownState = /^this\.state(?:\.|\[)/

export const inspectMutations = (file: SourceFile, emit: (hit: Match<RuleId>) => void): void => {
  const tree = file.tree!
  const isClassBased =
    file.text.includes("this.setState") && /extends\s+(?:React\.)?(?:Pure)?Component\b/.test(file.text)
  if (!isClassBased && !file.text.includes("useState")) return
  const budget = { places: MAX_PLACES }
  for (const call of calls(file)) {
    if (!mutators.test(call.method) || call.receiverNode === NONE) continue
    const state = stateAt(file, tree, tree.child(call.node, "function"), budget)
    if (state !== null) emit(hit(tree, call.node, `the state \`${state.name}\``, state.setter))
    else if (isClassBased && ownState.test(`${call.receiver}.`) && /^this\.state\.\w+$/.test(call.receiver ?? "")) {
      emit(hit(tree, call.node, `\`${call.receiver}\``, "setState"))
    }
  }
  for (const assignment of assignments(file)) {
    if (!tree.is(assignment.node, "assignment_expression", "augmented_assignment_expression")) continue
    const state = stateAt(file, tree, assignment.targetNode, budget)
    if (state !== null) emit(hit(tree, assignment.node, `the state \`${state.name}\``, state.setter))
    else if (isClassBased && ownState.test(assignment.target) && !inConstructor(tree, assignment.node)) {
      emit(hit(tree, assignment.node, `\`${assignment.target}\``, "setState"))
    }
  }
}

const renderProblem = (file: SourceFile, tree: FlatTree, call: Call): string | null => {
  const fn = enclosingFunctionNode(tree, call.node)
  const component = components(file).get(fn)
  if (component === undefined || !component.states.some(({ setter }) => setter === call.callee)) return null
  const parent = tree.parent(call.node)
  if (tree.is(parent, "jsx_expression") && tree.is(tree.parent(parent), "jsx_attribute")) {
    const name = tree.textOf(tree.firstChild(tree.parent(parent)))
    return /^on[A-Z]/.test(name)
      ? `\`${name}\` gets the result of \`${call.callee}(…)\`, which runs in every render.`
      : null
  }
  const isStatement = tree.is(parent, "expression_statement") && tree.parent(parent) === component.info.body
  return isStatement ? `\`${call.callee}\` runs in every render and causes the next one.` : null
}

export const inspectRenderUpdates = (file: SourceFile, emit: (hit: Match<RuleId>) => void): void => {
  if (!file.text.includes("useState")) return
  const tree = file.tree!
  for (const call of calls(file)) {
    if (!/^set[A-Z]/.test(call.callee)) continue
    const message = renderProblem(file, tree, call)
    if (message === null) continue
    emit({ rule: "state_set_in_render", start: tree.start(call.node), end: tree.end(call.node), message })
  }
}
