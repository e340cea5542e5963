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

const functionAt = (tree: FlatTree, node: number): FunctionInfo => {
  const ownName = tree.child(node, "name")
  const parent = tree.parent(node)
  const given = tree.is(parent, "assignment_expression") ? lastName(tree.textOf(tree.child(parent, "left"))) : null
  const visibility = tree.childOfKind(node, "visibility_modifier")
  return {
    node,
    name: ownName === NONE ? given : tree.textOf(ownName),
    parameters: tree.namedChildren(tree.child(node, "parameters")).map((p) => {
      const type = tree.child(p, "type")
      const name = tree.textOf(tree.child(p, "name")).replace(/^\$/, "")
      return { name, type: type === NONE ? null : compact(tree.textOf(type)), node: p }
    }),
    body: tree.child(node, "body"),
    isAsync: false,
    exported: visibility === NONE || tree.textOf(visibility) === "public"
  }
}

const callAt = (tree: FlatTree, node: number): Call | null => {
  const args: Array<number> = []
  const named = new Map<string, number>()
  const list = tree.child(node, "arguments")
  for (const argument of tree.namedChildren(list === NONE ? tree.childOfKind(node, "arguments") : list)) {
    const name = tree.child(argument, "name")
    const value = tree.is(argument, "argument") ? (tree.namedChildren(argument).at(-1) ?? argument) : argument
    if (name === NONE) args.push(value)
    else named.set(tree.textOf(name), value)
  }
  if (tree.is(node, "object_creation_expression")) {
    const type = compact(tree.textOf(tree.childOfKind(node, "name", "qualified_name", "variable_name")))
    return { node, callee: type, receiver: null, receiverNode: NONE, method: lastName(type), args, named, isNew: true }
  }
  if (tree.is(node, "function_call_expression")) {
    const callee = compact(tree.textOf(tree.child(node, "function")))
    const method = lastName(callee)
    return { node, callee, receiver: null, receiverNode: NONE, method, args, named, isNew: false }
  }
  const isStatic = tree.is(node, "scoped_call_expression")
  const object = tree.child(node, isStatic ? "scope" : "object")
  const receiver = compact(tree.textOf(object))
  const method = tree.textOf(tree.child(node, "name"))
  const callee = `${receiver}${isStatic ? "::" : "->"}${method}`
  return { node, callee, receiver, receiverNode: object, method, args, named, isNew: false }
}

const importsAt = (tree: FlatTree, node: number): ReadonlyArray<Import> => {
  if (!tree.is(node, "namespace_use_clause")) {
    const path = tree.namedChildren(node)[0] ?? NONE
    if (!tree.is(path, "string", "encapsed_string")) return []
    return [{ node, module: tree.textOf(path).slice(1, -1), names: [], typeOnly: false }]
  }
  const module = compact(tree.textOf(tree.childOfKind(node, "qualified_name", "name")))
  const alias = tree.child(node, "alias")
  const imported = lastName(module)
  const local = alias === NONE ? imported : tree.textOf(alias)
  return [{ node, module, names: [{ imported, local }], typeOnly: false }]
}

const assignmentsAt = (tree: FlatTree, node: number): ReadonlyArray<Assignment> => {
  if (tree.is(node, "array_element_initializer", "property_element", "const_element")) {
    const [key, value] = tree.namedChildren(node)
    if (key === undefined || value === undefined) return []
    const target = compact(tree.textOf(key)).replace(/^["'](.*)["']$/, "$1")
    return [{ node, target, targetNode: key, name: lastName(target), value, operator: "=" }]
  }
  const targetNode = tree.child(node, "left")
  if (targetNode === NONE) return []
  const target = compact(tree.textOf(targetNode))
  const operator = tree.is(node, "augmented_assignment_expression") ? tree.textOf(tree.child(node, "operator")) : "="
  return [{ node, target, targetNode, name: lastName(target), value: tree.child(node, "right"), operator }]
}

const syntax: Syntax = {
  ...emptySyntax,
  functionKinds: ["function_definition", "method_declaration", "anonymous_function", "arrow_function"],
  scopeKinds: ["class_declaration", "interface_declaration", "trait_declaration", "enum_declaration"],
  callKinds: [
    "function_call_expression",
    "member_call_expression",
    "nullsafe_member_call_expression",
    "scoped_call_expression",
    "object_creation_expression"
  ],
  importKinds: [
    "namespace_use_clause",
    "require_expression",
    "require_once_expression",
    "include_expression",
    "include_once_expression"
  ],
  assignmentKinds: [
    "assignment_expression",
    "augmented_assignment_expression",
    "array_element_initializer",
    "property_element",
    "const_element"
  ],
  stringKinds: ["string", "encapsed_string", "heredoc", "nowdoc"],
  interpolationKinds: [
    "variable_name",
    "member_access_expression",
    "subscript_expression",
    "dynamic_variable_name",
    "member_call_expression"
  ],
  binaryKinds: ["binary_expression"],
  concatOperators: ["."],
  functionAt,
  scopeName: (tree, node) => tree.textOf(tree.child(node, "name")) || null,
  callAt,
  importsAt,
  assignmentsAt
}

export default syntax
