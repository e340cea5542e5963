import { type FlatTree, NONE } from "../tree/FlatTree.ts"
import {
  type Assignment,
  type Call,
  compact,
  emptySyntax,
  type FunctionInfo,
  type Import,
  lastName,
  type Syntax
} from "./Syntax.ts"

const functionAt = (tree: FlatTree, node: number): FunctionInfo => ({
  node,
  name: tree.textOf(tree.child(node, "name")) || null,
  parameters: tree.namedChildren(tree.child(node, "parameters")).map((p) => {
    const name = tree.child(p, "name")
    return { name: tree.textOf(name === NONE ? p : name), type: null, node: p }
  }),
  body: tree.child(node, "body"),
  isAsync: false,
  exported: true
})

const callAt = (tree: FlatTree, node: number): Call => {
  const object = tree.child(node, "receiver")
  const receiver = object === NONE ? null : compact(tree.textOf(object))
  const method = tree.textOf(tree.child(node, "method"))
  const args: Array<number> = []
  const named = new Map<string, number>()
  for (const argument of tree.namedChildren(tree.child(node, "arguments"))) {
    if (tree.is(argument, "pair")) {
      named.set(tree.textOf(tree.child(argument, "key")).replace(/^:|:$/g, ""), tree.child(argument, "value"))
    } else args.push(argument)
  }
  const callee = receiver === null ? method : `${receiver}.${method}`
  return { node, callee, receiver, receiverNode: object, method, args, named, isNew: method === "new" }
}

const importsAt = (tree: FlatTree, node: number): ReadonlyArray<Import> => {
  const method = tree.textOf(tree.child(node, "method"))
  if (method !== "require" && method !== "require_relative" && method !== "load") return []
  const first = tree.namedChildren(tree.child(node, "arguments"))[0] ?? NONE
  if (!tree.is(first, "string")) return []
  const path = tree.textOf(first).slice(1, -1)
  const module = method === "require_relative" && !path.startsWith(".") ? `./${path}` : path
  return [{ node, module, names: [], typeOnly: false }]
}

const assignmentsAt = (tree: FlatTree, node: number): ReadonlyArray<Assignment> => {
  const isPair = tree.is(node, "pair")
  const targetNode = tree.child(node, isPair ? "key" : "left")
  if (targetNode === NONE) return []
  const target = compact(tree.textOf(targetNode)).replace(/^[:"']|[:"']$/g, "")
  const operator = tree.is(node, "operator_assignment") ? tree.textOf(tree.child(node, "operator")) : "="
  const value = tree.child(node, isPair ? "value" : "right")
  return [{ node, target, targetNode, name: lastName(target), value, operator }]
}

const syntax: Syntax = {
  ...emptySyntax,
  functionKinds: ["method", "singleton_method"],
  scopeKinds: ["class", "module"],
  callKinds: ["call"],
  importKinds: ["call"],
  assignmentKinds: ["assignment", "operator_assignment", "pair"],
  stringKinds: ["string", "heredoc_body", "chained_string", "subshell"],
  interpolationKinds: ["interpolation"],
  binaryKinds: ["binary"],
  concatOperators: ["+", "<<", "%"],
  wrapperKinds: ["parenthesized_statements"],
  functionAt,
  scopeName: (tree, node) => compact(tree.textOf(tree.child(node, "name"))) || null,
  callAt,
  importsAt,
  assignmentsAt
}

export default syntax
