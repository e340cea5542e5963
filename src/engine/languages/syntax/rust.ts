import { type FlatTree, NONE } from "../tree/FlatTree.ts"
import {
  type Assignment,
  type Call,
  compact,
  emptySyntax,
  type FunctionInfo,
  type Import,
  type ImportedName,
  lastName,
  noNames,
  type Syntax
} from "./Syntax.ts"

const functionAt = (tree: FlatTree, node: number): FunctionInfo => {
  const ownName = tree.child(node, "name")
  const parent = tree.parent(node)
  const given = tree.is(parent, "let_declaration") ? compact(tree.textOf(tree.child(parent, "pattern"))) : null
  return {
    node,
    name: ownName === NONE ? given : tree.textOf(ownName),
    parameters: tree
      .namedChildren(tree.child(node, "parameters"))
      .filter((p) => !tree.is(p, "attribute_item"))
      .map((p) => {
        const pattern = tree.child(p, "pattern")
        const type = tree.child(p, "type")
        const name = tree.is(p, "self_parameter") ? "self" : compact(tree.textOf(pattern === NONE ? p : pattern))
        return { name, type: type === NONE ? null : compact(tree.textOf(type)), node: p }
      }),
    body: tree.child(node, "body"),
    isAsync: /\basync\b/.test(tree.textOf(tree.childOfKind(node, "function_modifiers"))),
    exported: tree.childOfKind(node, "visibility_modifier") !== NONE
  }
}

const callAt = (tree: FlatTree, node: number): Call | null => {
  if (tree.is(node, "macro_invocation")) {
    const callee = `${compact(tree.textOf(tree.child(node, "macro")))}!`
    const args = tree.namedChildren(tree.childOfKind(node, "token_tree"))
    return { node, callee, receiver: null, receiverNode: NONE, method: callee, args, named: noNames, isNew: false }
  }
  const callee = tree.child(node, "function")
  const text = compact(tree.textOf(callee))
  const object = tree.is(callee, "field_expression")
    ? tree.child(callee, "value")
    : tree.is(callee, "scoped_identifier")
      ? tree.child(callee, "path")
      : NONE
  const receiver = object === NONE ? null : compact(tree.textOf(object))
  const args = tree.namedChildren(tree.child(node, "arguments"))
  const method = lastName(text.replace(/::<.*>$/s, ""))
  return { node, callee: text, receiver, receiverNode: object, method, args, named: noNames, isNew: false }
}

/** `use a::{b, c as d}` unfolds to a::b and a::c. */
const unfold = (tree: FlatTree, node: number, prefix: string): ReadonlyArray<ImportedName & { module: string }> => {
  const join = (tail: string) => (prefix === "" ? tail : `${prefix}::${tail}`)
  switch (tree.kind(node)) {
    case "scoped_use_list": {
      const path = compact(tree.textOf(tree.child(node, "path")))
      return unfold(tree, tree.child(node, "list"), path === "" ? prefix : join(path))
    }
    case "use_list":
      return tree.namedChildren(node).flatMap((child) => unfold(tree, child, prefix))
    case "use_as_clause": {
      const module = join(compact(tree.textOf(tree.child(node, "path"))))
      return [{ module, imported: lastName(module), local: tree.textOf(tree.child(node, "alias")) }]
    }
    case "use_wildcard":
      return [{ module: join(compact(tree.textOf(node)).replace(/(?:::)?\*$/, "")), imported: "*", local: "*" }]
    default: {
      const module = join(compact(tree.textOf(node)))
      return [{ module, imported: lastName(module), local: lastName(module) }]
    }
  }
}

const importsAt = (tree: FlatTree, node: number): ReadonlyArray<Import> =>
  unfold(tree, tree.child(node, "argument"), "").map(({ module, imported, local }) => ({
    node,
    module,
    names: [{ imported, local }],
    typeOnly: false
  }))

const assignmentsAt = (tree: FlatTree, node: number): ReadonlyArray<Assignment> => {
  const kind = tree.kind(node)
  const targetNode = tree.child(
    node,
    kind === "let_declaration"
      ? "pattern"
      : kind.endsWith("_item")
        ? "name"
        : kind === "field_initializer"
          ? "field"
          : "left"
  )
  if (targetNode === NONE) return []
  const value = tree.child(node, kind.startsWith("assignment") || kind.startsWith("compound") ? "right" : "value")
  const operator = kind === "compound_assignment_expr" ? tree.textOf(tree.child(node, "operator")) : "="
  const target = compact(tree.textOf(targetNode))
  return [{ node, target, targetNode, name: lastName(target), value, operator }]
}

const syntax: Syntax = {
  ...emptySyntax,
  functionKinds: ["function_item", "closure_expression", "function_signature_item"],
  scopeKinds: ["impl_item", "trait_item", "mod_item", "struct_item", "enum_item"],
  callKinds: ["call_expression", "macro_invocation"],
  importKinds: ["use_declaration"],
  assignmentKinds: [
    "let_declaration",
    "assignment_expression",
    "compound_assignment_expr",
    "const_item",
    "static_item",
    "field_initializer"
  ],
  stringKinds: ["string_literal", "raw_string_literal"],
  binaryKinds: ["binary_expression"],
  concatOperators: ["+"],
  functionAt,
  scopeName: (tree, node) =>
    compact(tree.textOf(tree.child(node, tree.is(node, "impl_item") ? "type" : "name"))).replace(/<.*$/s, "") || null,
  callAt,
  importsAt,
  assignmentsAt
}

export default syntax
