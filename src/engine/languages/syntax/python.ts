import { type FlatTree, NONE } from "../tree/FlatTree.ts"
import {
  type Assignment,
  type Call,
  compact,
  emptySyntax,
  type FunctionInfo,
  type Import,
  lastName,
  type Parameter,
  type Syntax
} from "./Syntax.ts"

const parameterOf = (tree: FlatTree, node: number): Parameter => {
  const type = tree.child(node, "type")
  const named = tree.child(node, "name")
  const inner = named !== NONE ? named : tree.is(node, "identifier") ? node : (tree.namedChildren(node)[0] ?? node)
  return {
    name: compact(tree.textOf(inner)).replace(/^\*+/, ""),
    type: type === NONE ? null : compact(tree.textOf(type)),
    node
  }
}

const functionAt = (tree: FlatTree, node: number): FunctionInfo => {
  const ownName = tree.child(node, "name")
  const parent = tree.parent(node)
  const given = tree.is(parent, "assignment") ? lastName(compact(tree.textOf(tree.child(parent, "left")))) : null
  const name = ownName === NONE ? given : tree.textOf(ownName)
  const holder = tree.is(parent, "decorated_definition") ? tree.parent(parent) : parent
  return {
    node,
    name,
    parameters: tree
      .namedChildren(tree.child(node, "parameters"))
      .filter((p) => !tree.is(p, "keyword_separator", "positional_separator"))
      .map((p) => parameterOf(tree, p)),
    body: tree.child(node, "body"),
    isAsync: tree.is(tree.firstChild(node), "async"),
    exported: name !== null && !name.startsWith("_") && tree.is(holder, "module")
  }
}

const callAt = (tree: FlatTree, node: number): Call | null => {
  const callee = tree.child(node, "function")
  if (callee === NONE) return null
  const object = tree.is(callee, "attribute") ? tree.child(callee, "object") : NONE
  const calleeText = compact(tree.textOf(callee))
  const args: Array<number> = []
  const named = new Map<string, number>()
  const list = tree.child(node, "arguments")
  for (const argument of tree.is(list, "argument_list") ? tree.namedChildren(list) : list === NONE ? [] : [list]) {
    if (tree.is(argument, "keyword_argument")) {
      named.set(tree.textOf(tree.child(argument, "name")), tree.child(argument, "value"))
    } else args.push(argument)
  }
  return {
    node,
    callee: calleeText,
    receiver: object === NONE ? null : compact(tree.textOf(object)),
    receiverNode: object,
    method: object === NONE ? lastName(calleeText) : tree.textOf(tree.child(callee, "attribute")),
    args,
    named,
    isNew: false
  }
}

const importsAt = (tree: FlatTree, node: number): ReadonlyArray<Import> => {
  const entries = tree.childrenOfField(node, "name").map((name) => {
    const aliased = tree.is(name, "aliased_import")
    const imported = compact(tree.textOf(aliased ? tree.child(name, "name") : name))
    return { imported, alias: aliased ? tree.textOf(tree.child(name, "alias")) : null }
  })
  if (tree.is(node, "import_statement")) {
    return entries.map(({ imported, alias }) => ({
      node,
      module: imported,
      names: [{ imported: "*", local: alias ?? imported.split(".", 1)[0]! }],
      typeOnly: false
    }))
  }
  const module = tree.is(node, "future_import_statement")
    ? "__future__"
    : compact(tree.textOf(tree.child(node, "module_name")))
  const names = entries.map(({ imported, alias }) => ({ imported, local: alias ?? imported }))
  if (tree.childOfKind(node, "wildcard_import") !== NONE) names.push({ imported: "*", local: "*" })
  const block = tree.enclosing(node, "if_statement")
  const typeOnly = block !== NONE && /TYPE_CHECKING/.test(tree.textOf(tree.child(block, "condition")))
  return [{ node, module, names, typeOnly }]
}

const assignmentsAt = (tree: FlatTree, node: number): ReadonlyArray<Assignment> => {
  const kind = tree.kind(node)
  if (kind === "pair" || kind === "keyword_argument" || kind === "named_expression") {
    const targetNode = tree.child(node, kind === "pair" ? "key" : "name")
    const target = compact(tree.textOf(targetNode)).replace(/^["'](.*)["']$/, "$1")
    return [{ node, target, targetNode, name: lastName(target), value: tree.child(node, "value"), operator: "=" }]
  }
  const targetNode = tree.child(node, "left")
  if (targetNode === NONE) return []
  let value = tree.child(node, "right")
  while (tree.is(value, "assignment")) value = tree.child(value, "right")
  const operator = kind === "augmented_assignment" ? tree.textOf(tree.child(node, "operator")) : "="
  const target = compact(tree.textOf(targetNode))
  return [{ node, target, targetNode, name: lastName(target), value, operator }]
}

const syntax: Syntax = {
  ...emptySyntax,
  functionKinds: ["function_definition", "lambda"],
  scopeKinds: ["class_definition"],
  callKinds: ["call"],
  importKinds: ["import_statement", "import_from_statement", "future_import_statement"],
  assignmentKinds: ["assignment", "augmented_assignment", "named_expression", "pair", "keyword_argument"],
  stringKinds: ["string", "concatenated_string"],
  interpolationKinds: ["interpolation"],
  binaryKinds: ["binary_operator"],
  concatOperators: ["+", "%"],
  functionAt,
  scopeName: (tree, node) => tree.textOf(tree.child(node, "name")) || null,
  callAt,
  importsAt,
  assignmentsAt
}

export default syntax
