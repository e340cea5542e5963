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
  const given = tree.is(parent, "variable_declarator") ? tree.textOf(tree.child(parent, "name")) : null
  const modifiers = tree
    .children(node)
    .filter((c) => tree.is(c, "modifier"))
    .map((c) => tree.textOf(c))
  const list = tree.child(node, "parameters")
  const parameters = tree.is(list, "implicit_parameter")
    ? [{ name: tree.textOf(list), type: null, node: list }]
    : tree
        .namedChildren(list)
        .filter((p) => tree.is(p, "parameter"))
        .map((p) => {
          const type = tree.child(p, "type")
          const name = tree.textOf(tree.child(p, "name"))
          return { name, type: type === NONE ? null : compact(tree.textOf(type)), node: p }
        })
  const body = tree.child(node, "body")
  return {
    node,
    name: ownName === NONE ? given : tree.textOf(ownName),
    parameters,
    body: body === NONE ? tree.childOfKind(node, "block") : body,
    isAsync: modifiers.includes("async"),
    exported: modifiers.includes("public")
  }
}

const genericName = (tree: FlatTree, node: number): string => tree.textOf(tree.namedChildren(node)[0] ?? NONE)

const callAt = (tree: FlatTree, node: number): Call => {
  const args: Array<number> = []
  const named = new Map<string, number>()
  for (const argument of tree.namedChildren(tree.child(node, "arguments"))) {
    const name = tree.child(argument, "name")
    const value = tree.is(argument, "argument") ? (tree.namedChildren(argument).at(-1) ?? argument) : argument
    if (name === NONE) args.push(value)
    else named.set(tree.textOf(name), value)
  }
  if (tree.is(node, "object_creation_expression")) {
    const type = compact(tree.textOf(tree.child(node, "type"))).replace(/<.*$/s, "")
    return { node, callee: type, receiver: null, receiverNode: NONE, method: lastName(type), args, named, isNew: true }
  }
  const callee = tree.child(node, "function")
  const text = compact(tree.textOf(callee)).replace(/\?\./g, ".")
  const object = tree.is(callee, "member_access_expression")
    ? tree.child(callee, "expression")
    : tree.is(callee, "conditional_access_expression")
      ? tree.child(callee, "condition")
      : NONE
  const receiver = object === NONE ? null : compact(tree.textOf(object))
  const own = tree.is(callee, "member_access_expression") ? tree.child(callee, "name") : callee
  const method = lastName(tree.is(own, "generic_name") ? genericName(tree, own) : text.replace(/<[^<>]*>$/, ""))
  return { node, callee: text, receiver, receiverNode: object, method, args, named, isNew: false }
}

const importsAt = (tree: FlatTree, node: number): ReadonlyArray<Import> => {
  const parts = tree.namedChildren(node)
  const alias = tree.child(node, "name")
  const module = compact(tree.textOf(parts.filter((p) => p !== alias).at(-1) ?? NONE))
  const names = alias === NONE ? [{ imported: "*", local: "*" }] : [{ imported: "*", local: tree.textOf(alias) }]
  return [{ node, module, names, typeOnly: false }]
}

const assignmentsAt = (tree: FlatTree, node: number): ReadonlyArray<Assignment> => {
  const isDeclarator = tree.is(node, "variable_declarator")
  const targetNode = tree.child(node, isDeclarator ? "name" : "left")
  if (targetNode === NONE) return []
  const after = tree.namedChildren(node).filter((c) => c !== targetNode && !tree.is(c, "bracketed_argument_list"))
  const value = isDeclarator ? (after[0] ?? NONE) : tree.child(node, "right")
  const operator = isDeclarator ? "=" : tree.textOf(tree.child(node, "operator")) || "="
  const target = compact(tree.textOf(targetNode))
  return [{ node, target, targetNode, name: lastName(target), value, operator }]
}

const syntax: Syntax = {
  ...emptySyntax,
  functionKinds: [
    "method_declaration",
    "constructor_declaration",
    "local_function_statement",
    "lambda_expression",
    "anonymous_method_expression"
  ],
  scopeKinds: [
    "class_declaration",
    "interface_declaration",
    "struct_declaration",
    "record_declaration",
    "enum_declaration",
    "property_declaration"
  ],
  callKinds: ["invocation_expression", "object_creation_expression"],
  importKinds: ["using_directive"],
  assignmentKinds: ["variable_declarator", "assignment_expression"],
  stringKinds: ["string_literal", "verbatim_string_literal", "raw_string_literal", "interpolated_string_expression"],
  interpolationKinds: ["interpolation"],
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
