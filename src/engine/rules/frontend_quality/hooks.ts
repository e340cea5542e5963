import type { SourceFile } from "../../core/files/SourceFile.ts"
import { type Match } from "../../core/tool/AuditTool.ts"
import { type Call, calls, functions } from "../../languages/syntax/vocabulary.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import { components, enclosingFunctionNode, functionKinds, isHook, reactHook } from "../../structure/components.ts"
import type { RuleId } from "./rules.ts"

/** Decided when the program is built or started, so every render takes the same way. */
const fixed =
  /process\.env|import\.meta|__DEV__|typeof (?:window|document|navigator)|\bisServer\b|\bisBrowser\b|\bIS_[A-Z]+|^\(?[A-Z_]+\)?$/

const loops = ["for_statement", "for_in_statement", "while_statement", "do_statement"]

/** What stands between a hook and the body of its function, in words; null when it runs on every render. */
const conditionOf = (tree: FlatTree, node: number, body: number): string | null => {
  let below = node
  for (let at = tree.parent(node); at !== NONE && at !== body; below = at, at = tree.parent(at)) {
    if (tree.is(at, ...loops)) return "in a loop"
    const condition = tree.is(at, "if_statement", "ternary_expression") ? tree.child(at, "condition") : NONE
    if (condition !== NONE && condition !== below) {
      return fixed.test(tree.textOf(condition)) ? null : "only under a condition"
    }
    if (tree.is(at, "switch_case", "switch_default")) return "only in one case of a switch"
    if (tree.is(at, "binary_expression") && tree.child(at, "right") === below) {
      const operator = tree.textOf(tree.child(at, "operator"))
      if (/^(?:&&|\|\||\?\?)$/.test(operator)) return "only under a condition"
    }
  }
  return null
}

/** A `return` of the function itself in a statement before this one. */
const computeReturns = (): Map<number, number> => new Map()

const firstReturn = (file: SourceFile, tree: FlatTree, body: number): number => {
  const known = file.memo(computeReturns, computeReturns)
  const earlier = known.get(body)
  if (earlier !== undefined) return earlier
  let found = NONE
  for (const node of tree.within(body, "return_statement")) {
    const holder = tree.parent(body)
    if (enclosingFunctionNode(tree, node) !== holder || tree.parent(node) === body) continue
    const branch = tree.enclosing(node, "if_statement")
    if (branch !== NONE && fixed.test(tree.textOf(tree.child(branch, "condition")))) continue
    found = node
    break
  }
  known.set(body, found)
  return found
}

const iteration = /^(?:map|forEach|filter|flatMap|reduce|some|every|find)$/

/** A callback that runs at another time than the render, or once for each item. */
const callbackPlace = (tree: FlatTree, fn: number): string | null => {
  const list = tree.parent(fn)
  if (tree.is(list, "arguments")) {
    const callee = tree.textOf(tree.child(tree.parent(list), "function")).slice(-60)
    const name = /(\w+)$/.exec(callee)?.[1] ?? ""
    if (/^use(?:Effect|LayoutEffect|Callback|Memo)$/.test(name)) return `inside the callback of \`${name}\``
    return iteration.test(name) && callee.includes(".") ? "once for each item" : null
  }
  const attribute = tree.is(list, "jsx_expression") ? tree.parent(list) : NONE
  const name = tree.is(attribute, "jsx_attribute") ? tree.textOf(tree.firstChild(attribute)) : ""
  return /^on[A-Z]/.test(name) ? `inside \`${name}\`` : null
}

const isInComponent = (file: SourceFile, tree: FlatTree, fn: number): boolean => {
  for (let at = fn, depth = 0; at !== NONE && depth < 8; at = tree.enclosing(at, ...functionKinds), depth++) {
    if (components(file).has(at)) return true
  }
  return false
}

const problemOf = (file: SourceFile, tree: FlatTree, call: Call): string | null => {
  const fn = enclosingFunctionNode(tree, call.node)
  if (fn === NONE) return null
  const component = components(file).get(fn)
  if (component === undefined) return isInComponent(file, tree, fn) ? callbackPlace(tree, fn) : null
  const { body } = component.info
  const condition = conditionOf(tree, call.node, body)
  if (condition !== null) return condition
  const returned = firstReturn(file, tree, body)
  return returned !== NONE && returned < call.node && !tree.contains(topStatement(tree, returned, body), call.node)
    ? `only when the \`return\` on line ${file.line(tree.start(returned))} is not taken`
    : null
}

const topStatement = (tree: FlatTree, node: number, body: number): number => {
  let at = node
  while (at !== NONE && tree.parent(at) !== body) at = tree.parent(at)
  return at
}

/** Functions of this file that are named like hooks and call none: the order in which they are called matters to no one. */
const computePlain = (file: SourceFile): ReadonlySet<string> => {
  const tree = file.tree!
  const callers = new Set<number>()
  for (const call of calls(file)) {
    if (!/^use(?:[A-Z]|$)/.test(call.method)) continue
    for (let at = enclosingFunctionNode(tree, call.node); at !== NONE; at = enclosingFunctionNode(tree, at)) {
      if (callers.has(at)) break
      callers.add(at)
    }
  }
  const named = functions(file).filter(({ name, body }) => name !== null && body !== NONE)
  const hooks = new Set(named.flatMap(({ name, node }) => (callers.has(node) ? [name!] : [])))
  return new Set(named.flatMap(({ name }) => (hooks.has(name!) ? [] : [name!])))
}

export const inspectHookOrder = (file: SourceFile, emit: (hit: Match<RuleId>) => void): void => {
  const tree = file.tree!
  for (const call of calls(file)) {
    if (!isHook(call)) continue
    const problem = problemOf(file, tree, call)
    if (problem === null) continue
    // A name alone does not make a hook: `useCase(…)` may be anything.
    if (reactHook(file, call) === null && !/^use[A-Z]\w+$/.test(call.callee)) continue
    if (file.memo(computePlain, computePlain).has(call.callee)) continue
    emit({
      rule: "conditional_hook",
      start: tree.start(call.node),
      end: tree.start(call.node) + call.callee.length,
      message: `\`${call.callee}\` is called ${problem}.`,
      identifiers: [call.method]
    })
  }
}
