import { type FlatTree, NONE } from "../tree/FlatTree.ts"
import { type Declared, type NativeFunction, plain } from "./functions.ts"

/** Beyond this many a function is generated. */
const MAX_FOLLOWED = 60

/** Names of variables that code elsewhere may change: by their address, a reference or a capture. */
const changedElsewhere = (tree: FlatTree, fn: NativeFunction): ReadonlyArray<string> => {
  const names: Array<string> = []
  for (const node of tree.within(fn.body, "pointer_expression")) {
    if (tree.textOf(tree.child(node, "operator")) !== "&") continue
    const operand = plain(tree, tree.child(node, "argument"))
    if (tree.is(operand, "identifier")) names.push(tree.textOf(operand))
  }
  for (const lambda of tree.within(fn.body, "lambda_expression", "reference_declarator", "gnu_asm_expression")) {
    const outer = tree.is(lambda, "reference_declarator") ? tree.enclosing(lambda, "declaration") : lambda
    if (outer === NONE) continue
    for (const name of tree.within(outer, "identifier")) names.push(tree.textOf(name))
  }
  return names
}

/**
 * Variables whose value changes by assignment only: declared once, never passed by address, bound to a reference or
 * captured by a lambda.
 */
export const followedVariables = (
  tree: FlatTree,
  fn: NativeFunction,
  isCandidate: (declared: Declared) => boolean
): ReadonlyMap<string, Declared> => {
  const followed = new Map<string, Declared>()
  for (const [name, all] of fn.declared) {
    const one = all.length === 1 ? all[0]! : null
    if (one === null || one.isStatic || one.isReference || followed.size >= MAX_FOLLOWED || !isCandidate(one)) continue
    followed.set(name, one)
  }
  for (const name of changedElsewhere(tree, fn)) followed.delete(name)
  return followed
}

/** The name of a variable that an expression is or assigns, through parentheses and casts; null for anything else. */
export const assignedName = (tree: FlatTree, node: number): string | null => {
  const at = plain(tree, node)
  if (tree.is(at, "identifier")) return tree.textOf(at)
  return tree.is(at, "assignment_expression") ? assignedName(tree, tree.child(at, "left")) : null
}

/** The call that a value is, through parentheses and casts; NONE for anything else. */
export const calledName = (tree: FlatTree, node: number): string => {
  const at = plain(tree, node)
  return tree.is(at, "call_expression") ? tree.textOf(tree.child(at, "function")).replace(/^(?:std)?::/, "") : ""
}

const isNull = (tree: FlatTree, node: number): boolean => /^(?:NULL|nullptr|0|0L)$/.test(tree.textOf(plain(tree, node)))

/** What a condition says of a pointer: its name, and whether it is null when the condition holds. */
export const nullTest = (
  tree: FlatTree,
  condition: number
): { readonly name: string; readonly isNull: boolean } | null => {
  const at = plain(tree, condition)
  if (!tree.is(at, "binary_expression")) {
    const name = assignedName(tree, at)
    return name === null ? null : { name, isNull: false }
  }
  const operator = tree.textOf(tree.child(at, "operator"))
  if (operator !== "==" && operator !== "!=") return null
  const left = tree.child(at, "left")
  const right = tree.child(at, "right")
  const subject = isNull(tree, right) ? left : isNull(tree, left) ? right : NONE
  const name = subject === NONE ? null : assignedName(tree, subject)
  return name === null ? null : { name, isNull: operator === "==" }
}

/** Calls of a function by their names, as far as any of these is called at all. */
export const callsAny = (fn: NativeFunction, names: RegExp): boolean =>
  fn.calls.some(({ method }) => names.test(method))
