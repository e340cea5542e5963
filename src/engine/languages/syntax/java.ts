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

const parametersOf = (tree: FlatTree, list: number): ReadonlyArray<Parameter> => {
  if (list === NONE) return []
  if (tree.is(list, "identifier")) return [{ name: tree.textOf(list), type: null, node: list }]
  return tree
    .namedChildren(list)
    .filter((p) => !tree.is(p, "receiver_parameter"))
    .map((p) => {
      const declared = tree.child(p, "name")
      const spread = tree.childOfKind(p, "variable_declarator")
      const name = declared !== NONE ? declared : spread !== NONE ? tree.child(spread, "name") : p
      const type = tree.child(p, "type")
      return { name: tree.textOf(name), type: type === NONE ? null : compact(tree.textOf(type)), node: p }
    })
}

const functionAt = (tree: FlatTree, node: number): FunctionInfo => {
  const ownName = tree.child(node, "name")
  const parent = tree.parent(node)
  const given = tree.is(parent, "variable_declarator") ? tree.textOf(tree.child(parent, "name")) : null
  const modifiers = tree.childOfKind(node, "modifiers")
  return {
    node,
    name: ownName === NONE ? given : tree.textOf(ownName),
    parameters: parametersOf(tree, tree.child(node, "parameters")),
    body: tree.child(node, "body"),
    isAsync: false,
    exported: tree.childOfKind(modifiers, "public") !== NONE
  }
}

const callAt = (tree: FlatTree, node: number): Call | null => {
  const args = tree.namedChildren(tree.child(node, "arguments"))
  if (tree.is(node, "object_creation_expression")) {
    const type = compact(tree.textOf(tree.child(node, "type"))).replace(/<.*$/s, "")
    return {
      node,
      callee: type,
      receiver: null,
      receiverNode: NONE,
      method: lastName(type),
      args,
      named: noNames,
      isNew: true
    }
  }
  const method = tree.textOf(tree.child(node, "name"))
  const object = tree.child(node, "object")
  const receiver = object === NONE ? null : compact(tree.textOf(object))
  const callee = receiver === null ? method : `${receiver}.${method}`
  return { node, callee, receiver, receiverNode: object, method, args, named: noNames, isNew: false }
}

const importsAt = (tree: FlatTree, node: number): ReadonlyArray<Import> => {
  const path = tree.childOfKind(node, "scoped_identifier", "identifier")
  const module = compact(tree.textOf(path))
  const all = tree.childOfKind(node, "asterisk") !== NONE
  const name = lastName(module)
  return [
    { node, module, names: [all ? { imported: "*", local: "*" } : { imported: name, local: name }], typeOnly: false }
  ]
}

const assignmentsAt = (tree: FlatTree, node: number): ReadonlyArray<Assignment> => {
  const isDeclarator = tree.is(node, "variable_declarator", "element_value_pair")
  const targetNode = tree.child(node, tree.is(node, "element_value_pair") ? "key" : isDeclarator ? "name" : "left")
  if (targetNode === NONE || tree.is(tree.parent(node), "spread_parameter")) return []
  const value = tree.child(node, isDeclarator ? "value" : "right")
  const operator = isDeclarator ? "=" : tree.textOf(tree.child(node, "operator")) || "="
  const target = compact(tree.textOf(targetNode))
  return [{ node, target, targetNode, name: lastName(target), value, operator }]
}

const syntax: Syntax = {
  ...emptySyntax,
  functionKinds: [
    "method_declaration",
    "constructor_declaration",
    "compact_constructor_declaration",
    "lambda_expression"
  ],
  scopeKinds: [
    "class_declaration",
    "interface_declaration",
    "enum_declaration",
    "record_declaration",
    "annotation_type_declaration"
  ],
  callKinds: ["method_invocation", "object_creation_expression"],
  importKinds: ["import_declaration"],
  assignmentKinds: ["variable_declarator", "assignment_expression", "element_value_pair"],
  stringKinds: ["string_literal"],
  interpolationKinds: ["string_interpolation"],
  binaryKinds: ["binary_expression"],
  concatOperators: ["+"],
  wrapperKinds: ["parenthesized_expression", "cast_expression"],
  functionAt,
  scopeName: (tree, node) => tree.textOf(tree.child(node, "name")) || null,
  callAt,
  importsAt,
  assignmentsAt
}

export default syntax
