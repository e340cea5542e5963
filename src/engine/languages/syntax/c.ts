import { type FlatTree, NONE } from "../tree/FlatTree.ts"
import {
  type Assignment,
  type Call,
  compact,
  emptySyntax,
  type FunctionInfo,
  type Import,
  lastName,
  noNames,
  type Parameter,
  type Syntax
} from "./Syntax.ts"

const nameKinds = ["identifier", "field_identifier", "type_identifier", "destructor_name", "operator_name"]
const MAX_DECLARATORS = 30

/** The name inside of `*name[3]`, `(*name)(int)` or `name(int)`: through all declarators to what they declare. */
export const declaredName = (tree: FlatTree, declarator: number): number => {
  let at = declarator
  for (let depth = 0; depth < MAX_DECLARATORS && at !== NONE; depth++) {
    if (tree.is(at, "qualified_identifier", "template_function", ...nameKinds)) return at
    const inner = tree.child(at, "declarator")
    at = inner === NONE ? (tree.namedChildren(at).find((child) => isDeclarator(tree, child)) ?? NONE) : inner
  }
  return NONE
}

const isDeclarator = (tree: FlatTree, node: number): boolean =>
  tree.kind(node).endsWith("declarator") || tree.is(node, "qualified_identifier", ...nameKinds)

/** The declarator of a function itself, not of the pointer or reference that it returns. */
export const functionDeclarator = (tree: FlatTree, node: number): number => {
  let at = tree.child(node, "declarator")
  for (let depth = 0; depth < MAX_DECLARATORS && at !== NONE; depth++) {
    if (tree.is(at, "function_declarator", "abstract_function_declarator")) return at
    const inner = tree.child(at, "declarator")
    at = inner === NONE ? (tree.namedChildren(at).find((child) => isDeclarator(tree, child)) ?? NONE) : inner
  }
  return NONE
}

const parameterAt = (tree: FlatTree, node: number): Parameter => {
  const declarator = tree.child(node, "declarator")
  const name = declaredName(tree, declarator)
  const end = name === NONE ? tree.end(node) : tree.start(name)
  const type = tree.is(node, "identifier") ? null : compact(tree.text.slice(tree.start(node), end)).trim()
  const named = tree.is(node, "identifier") ? tree.textOf(node) : name === NONE ? "_" : tree.textOf(name)
  return { name: named, type, node }
}

const parametersOf = (tree: FlatTree, list: number): ReadonlyArray<Parameter> =>
  tree
    .namedChildren(list)
    .map((node) => parameterAt(tree, node))
    .filter(({ name, type }) => !(name === "_" && type === "void") && type !== "...")

const plainName = (tree: FlatTree, name: number): string | null =>
  name === NONE
    ? null
    : compact(tree.textOf(name))
        .replace(/<[^<>]*>/g, "")
        .replace(/::/g, ".") || null

/** A lambda is named by the variable that it initialises. */
const lambdaName = (tree: FlatTree, node: number): string | null => {
  const parent = tree.parent(node)
  return tree.is(parent, "init_declarator")
    ? plainName(tree, declaredName(tree, tree.child(parent, "declarator")))
    : null
}

const functionAt = (tree: FlatTree, node: number): FunctionInfo => {
  const declarator = functionDeclarator(tree, node)
  const isLambda = tree.is(node, "lambda_expression")
  return {
    node,
    name: isLambda ? lambdaName(tree, node) : plainName(tree, declaredName(tree, tree.child(declarator, "declarator"))),
    parameters: parametersOf(tree, tree.child(declarator, "parameters")),
    body: tree.child(node, "body"),
    isAsync: false,
    exported:
      !isLambda &&
      !tree.children(node).some((c) => tree.is(c, "storage_class_specifier") && tree.textOf(c) === "static")
  }
}

const callAt = (tree: FlatTree, node: number): Call | null => {
  if (tree.is(node, "new_expression")) {
    const callee = compact(tree.textOf(tree.child(node, "type")))
    const args = tree.namedChildren(tree.child(node, "arguments"))
    return {
      node,
      callee,
      receiver: null,
      receiverNode: NONE,
      method: lastName(callee),
      args,
      named: noNames,
      isNew: true
    }
  }
  const callee = tree.child(node, "function")
  if (callee === NONE) return null
  const text = compact(tree.textOf(callee))
  const object = tree.is(callee, "field_expression")
    ? tree.child(callee, "argument")
    : tree.is(callee, "qualified_identifier")
      ? tree.child(callee, "scope")
      : NONE
  return {
    node,
    callee: text,
    receiver: object === NONE ? null : compact(tree.textOf(object)),
    receiverNode: object,
    method: lastName(text.replace(/<.*>$/s, "")),
    args: tree.namedChildren(tree.child(node, "arguments")),
    named: noNames,
    isNew: false
  }
}

const importsAt = (tree: FlatTree, node: number): ReadonlyArray<Import> => {
  const module = tree.textOf(tree.child(node, "path")).replace(/^["<](.*)[">]$/, "$1")
  return [{ node, module, names: [{ imported: "*", local: "*" }], typeOnly: false }]
}

const assignmentsAt = (tree: FlatTree, node: number): ReadonlyArray<Assignment> => {
  if (tree.is(node, "init_declarator")) {
    const targetNode = declaredName(tree, tree.child(node, "declarator"))
    if (targetNode === NONE) return []
    const target = tree.textOf(targetNode)
    return [{ node, target, targetNode, name: lastName(target), value: tree.child(node, "value"), operator: "=" }]
  }
  const isPair = tree.is(node, "initializer_pair")
  const targetNode = tree.child(node, isPair ? "designator" : "left")
  if (targetNode === NONE) return []
  const target = compact(tree.textOf(targetNode)).replace(/^\./, "")
  const operator = isPair ? "=" : tree.textOf(tree.child(node, "operator"))
  return [
    { node, target, targetNode, name: lastName(target), value: tree.child(node, isPair ? "value" : "right"), operator }
  ]
}

const syntax: Syntax = {
  ...emptySyntax,
  functionKinds: ["function_definition", "lambda_expression"],
  scopeKinds: ["class_specifier", "struct_specifier", "namespace_definition"],
  callKinds: ["call_expression", "new_expression"],
  importKinds: ["preproc_include"],
  assignmentKinds: ["init_declarator", "assignment_expression", "initializer_pair"],
  stringKinds: ["string_literal", "raw_string_literal", "concatenated_string"],
  binaryKinds: ["binary_expression"],
  concatOperators: ["+"],
  wrapperKinds: ["parenthesized_expression", "cast_expression"],
  functionAt,
  scopeName: (tree, node) => (tree.child(node, "body") === NONE ? null : plainName(tree, tree.child(node, "name"))),
  callAt,
  importsAt,
  assignmentsAt
}

export default syntax
