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

const parametersOf = (tree: FlatTree, list: number): ReadonlyArray<Parameter> =>
  tree.namedChildren(list).flatMap((declaration): ReadonlyArray<Parameter> => {
    const typeNode = tree.child(declaration, "type")
    const type = typeNode === NONE ? null : compact(tree.textOf(typeNode))
    const names = tree.childrenOfField(declaration, "name")
    return names.length === 0
      ? [{ name: "_", type, node: declaration }]
      : names.map((name) => ({ name: tree.textOf(name), type, node: name }))
  })

/** `Srv.Do` for a method: the receiver's type is the scope a reader looks for. */
const receiverType = (tree: FlatTree, node: number): string | null => {
  const receiver = tree.child(node, "receiver")
  if (receiver === NONE) return null
  const type = tree.child(tree.childOfKind(receiver, "parameter_declaration"), "type")
  return /[A-Za-z_]\w*/.exec(tree.textOf(type))?.[0] ?? null
}

const givenName = (tree: FlatTree, node: number): string | null => {
  const list = tree.parent(node)
  const parent = tree.is(list, "expression_list") ? tree.parent(list) : list
  switch (tree.kind(parent)) {
    case "short_var_declaration":
    case "assignment_statement":
      return lastName(compact(tree.textOf(tree.child(parent, "left"))))
    case "var_spec":
      return tree.textOf(tree.child(parent, "name"))
    case "literal_element":
    case "keyed_element":
      return tree.is(tree.parent(parent), "keyed_element")
        ? compact(tree.textOf(tree.firstChild(tree.parent(parent))))
        : null
    case "argument_list": {
      const callee = compact(tree.textOf(tree.child(tree.parent(parent), "function")))
      const first = tree.namedChildren(parent)[0] ?? NONE
      const isRoute = /(?:HandleFunc|Handle|GET|POST|PUT|PATCH|DELETE|Get|Post|Put|Patch|Delete|Run|Describe|It)$/
      return first !== node && tree.is(first, "interpreted_string_literal") && isRoute.test(callee)
        ? `${callee}(${tree.textOf(first).slice(0, 60)})`
        : null
    }
    default:
      return null
  }
}

const functionAt = (tree: FlatTree, node: number): FunctionInfo => {
  const ownName = tree.child(node, "name")
  const plain = ownName === NONE ? givenName(tree, node) : tree.textOf(ownName)
  const type = receiverType(tree, node)
  return {
    node,
    name: type === null || plain === null ? plain : `${type}.${plain}`,
    parameters: parametersOf(tree, tree.child(node, "parameters")),
    body: tree.child(node, "body"),
    isAsync: false,
    exported: ownName !== NONE && /^[A-Z]/.test(plain ?? "")
  }
}

const callAt = (tree: FlatTree, node: number): Call | null => {
  if (tree.is(node, "composite_literal")) return null
  const callee = tree.child(node, "function")
  if (callee === NONE) return null
  const object = tree.is(callee, "selector_expression") ? tree.child(callee, "operand") : NONE
  const calleeText = compact(tree.textOf(callee))
  return {
    node,
    callee: calleeText,
    receiver: object === NONE ? null : compact(tree.textOf(object)),
    receiverNode: object,
    method: object === NONE ? lastName(calleeText) : tree.textOf(tree.child(callee, "field")),
    args: tree.namedChildren(tree.child(node, "arguments")),
    named: noNames,
    isNew: false
  }
}

const importsAt = (tree: FlatTree, node: number): ReadonlyArray<Import> => {
  const module = tree.textOf(tree.child(node, "path")).replace(/^["`](.*)["`]$/, "$1")
  const alias = tree.child(node, "name")
  // The package's own name is not in the import; by convention it is the last part, without a version suffix.
  const parts = module.split("/")
  const tail = /^v\d+$/.test(parts.at(-1) ?? "") ? (parts.at(-2) ?? module) : (parts.at(-1) ?? module)
  const local = alias === NONE ? tail.replace(/\.v\d+$/, "").replace(/^go-|-go$/g, "") : tree.textOf(alias)
  return [{ node, module, names: [{ imported: "*", local }], typeOnly: false }]
}

const listed = (tree: FlatTree, node: number): ReadonlyArray<number> =>
  node === NONE ? [] : tree.is(node, "expression_list") ? tree.namedChildren(node) : [node]

const assignmentsAt = (tree: FlatTree, node: number): ReadonlyArray<Assignment> => {
  if (tree.is(node, "keyed_element")) {
    const [key, value] = tree.namedChildren(node)
    if (key === undefined || value === undefined) return []
    const target = compact(tree.textOf(key)).replace(/^"(.*)"$/, "$1")
    const inner = tree.is(value, "literal_element") ? (tree.namedChildren(value)[0] ?? value) : value
    return [{ node, target, targetNode: key, name: lastName(target), value: inner, operator: "=" }]
  }
  const isSpec = tree.is(node, "var_spec", "const_spec")
  const targets = isSpec ? tree.childrenOfField(node, "name") : listed(tree, tree.child(node, "left"))
  const values = listed(tree, tree.child(node, isSpec ? "value" : "right"))
  const operatorNode = tree.child(node, "operator")
  const operator = operatorNode === NONE ? "=" : tree.textOf(operatorNode)
  // `a, err := f()`: one call fills every target.
  return targets
    .filter((targetNode) => tree.isNamed(targetNode))
    .map((targetNode, i) => {
      const target = compact(tree.textOf(targetNode))
      const value = values.length === targets.length ? values[i]! : (values[0] ?? NONE)
      return { node, target, targetNode, name: lastName(target), value, operator }
    })
}

const syntax: Syntax = {
  ...emptySyntax,
  functionKinds: ["function_declaration", "method_declaration", "func_literal"],
  scopeKinds: ["type_spec"],
  callKinds: ["call_expression"],
  importKinds: ["import_spec"],
  assignmentKinds: ["short_var_declaration", "assignment_statement", "var_spec", "const_spec", "keyed_element"],
  stringKinds: ["interpreted_string_literal", "raw_string_literal"],
  binaryKinds: ["binary_expression"],
  concatOperators: ["+"],
  functionAt,
  scopeName: (tree, node) => tree.textOf(tree.child(node, "name")) || null,
  callAt,
  importsAt,
  assignmentsAt
}

export default syntax
