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
  type Parameter,
  type Syntax
} from "./Syntax.ts"

const functionKinds = [
  "function_declaration",
  "function_expression",
  "arrow_function",
  "method_definition",
  "generator_function_declaration",
  "generator_function",
  "function_signature",
  "method_signature"
]

const parametersOf = (tree: FlatTree, node: number): ReadonlyArray<Parameter> => {
  const single = tree.child(node, "parameter")
  if (single !== NONE) return [{ name: tree.textOf(single), type: null, node: single }]
  return tree.namedChildren(tree.child(node, "parameters")).map((parameter) => {
    const pattern = tree.child(parameter, "pattern")
    const inner = pattern === NONE ? parameter : pattern
    const left = tree.is(inner, "assignment_pattern") ? tree.child(inner, "left") : inner
    const rest = tree.is(left, "rest_pattern") ? tree.namedChildren(left)[0]! : left
    const type = tree.child(parameter, "type")
    return {
      name: compact(tree.textOf(rest)),
      type: type === NONE ? null : compact(tree.textOf(type).replace(/^\s*:\s*/, "")),
      node: parameter
    }
  })
}

/** The variable, property, class field or route an anonymous function is given to. */
const givenName = (tree: FlatTree, node: number): string | null => {
  let at = node
  let parent = tree.parent(at)
  while (tree.is(parent, "parenthesized_expression", "as_expression", "satisfies_expression", "await_expression")) {
    at = parent
    parent = tree.parent(at)
  }
  switch (tree.kind(parent)) {
    case "variable_declarator":
      return tree.child(parent, "value") === at ? compact(tree.textOf(tree.child(parent, "name"))) : null
    case "assignment_expression":
      return lastName(compact(tree.textOf(tree.child(parent, "left"))))
    case "pair":
      return unquote(tree.textOf(tree.child(parent, "key")))
    case "public_field_definition":
      return unquote(tree.textOf(tree.child(parent, "name")))
    case "field_definition":
      return unquote(tree.textOf(tree.child(parent, "property")))
    case "export_statement":
      return "default"
    case "arguments":
      return routeName(tree, parent, at)
    default:
      return null
  }
}

const routeVerbs = new Set([
  "get",
  "post",
  "put",
  "patch",
  "delete",
  "all",
  "use",
  "head",
  "options",
  "on",
  "once",
  "addEventListener",
  "describe",
  "it",
  "test",
  "route",
  "handle",
  "command",
  "task",
  "job",
  "process"
])

/** `app.get("/x", fn)` is named `app.get("/x")`; `useCallback(fn)` takes the name of the variable it is assigned to. */
const routeName = (tree: FlatTree, argumentList: number, argument: number): string | null => {
  const call = tree.parent(argumentList)
  if (!tree.is(call, "call_expression")) return null
  const callee = compact(tree.textOf(tree.child(call, "function")))
  const first = tree.namedChildren(argumentList)[0]
  if (first !== undefined && first !== argument && tree.is(first, "string") && routeVerbs.has(lastName(callee))) {
    return `${callee}(${tree.textOf(first).slice(0, 60)})`
  }
  return tree.is(tree.parent(call), "variable_declarator", "pair", "public_field_definition", "assignment_expression")
    ? givenName(tree, call)
    : null
}

const unquote = (text: string): string => text.replace(/^["'`](.*)["'`]$/s, "$1")

const functionAt = (tree: FlatTree, node: number): FunctionInfo => {
  const ownName = tree.child(node, "name")
  const first = tree.firstChild(node)
  const parent = tree.parent(node)
  const declarationParent = tree.is(parent, "variable_declarator") ? tree.parent(tree.parent(parent)) : parent
  let isAsync = false
  for (let c = first; c !== NONE && !isAsync && tree.fieldOf(c) === null; c = tree.nextSibling(c)) {
    isAsync = tree.is(c, "async")
  }
  if (!isAsync && tree.is(node, "method_definition")) isAsync = tree.childOfKind(node, "async") !== NONE
  return {
    node,
    name: ownName === NONE ? givenName(tree, node) : unquote(tree.textOf(ownName)),
    parameters: parametersOf(tree, node),
    body: tree.child(node, "body"),
    isAsync,
    exported: tree.is(declarationParent, "export_statement")
  }
}

const callAt = (tree: FlatTree, node: number): Call | null => {
  const isNew = tree.is(node, "new_expression")
  const callee = tree.child(node, isNew ? "constructor" : "function")
  if (callee === NONE) return null
  const list = tree.child(node, "arguments")
  const args = tree.is(list, "arguments") ? tree.namedChildren(list) : list === NONE ? [] : [list]
  const object = tree.is(callee, "member_expression") ? tree.child(callee, "object") : NONE
  const calleeText = compact(tree.textOf(callee)).replace(/\?\./g, ".").replace(/!/g, "")
  return {
    node,
    callee: calleeText,
    receiver: object === NONE ? null : compact(tree.textOf(object)).replace(/\?\./g, "."),
    receiverNode: object,
    method: object === NONE ? lastName(calleeText) : tree.textOf(tree.child(callee, "property")),
    args,
    named: noNames,
    isNew
  }
}

const importNames = (tree: FlatTree, clause: number): ReadonlyArray<ImportedName> =>
  tree.namedChildren(clause).flatMap((part): ReadonlyArray<ImportedName> => {
    if (tree.is(part, "identifier")) return [{ imported: "default", local: tree.textOf(part) }]
    if (tree.is(part, "namespace_import")) {
      return [{ imported: "*", local: tree.textOf(tree.namedChildren(part)[0] ?? NONE) }]
    }
    return tree.namedChildren(part).map((specifier) => {
      const name = tree.textOf(tree.child(specifier, "name"))
      const alias = tree.child(specifier, "alias")
      return { imported: name, local: alias === NONE ? name : tree.textOf(alias) }
    })
  })

const patternNames = (tree: FlatTree, pattern: number): ReadonlyArray<ImportedName> => {
  if (tree.is(pattern, "identifier")) return [{ imported: "*", local: tree.textOf(pattern) }]
  return tree.namedChildren(pattern).flatMap((part): ReadonlyArray<ImportedName> => {
    if (tree.is(part, "shorthand_property_identifier_pattern")) {
      return [{ imported: tree.textOf(part), local: tree.textOf(part) }]
    }
    if (!tree.is(part, "pair_pattern")) return []
    const value = tree.child(part, "value")
    return tree.is(value, "identifier")
      ? [{ imported: unquote(tree.textOf(tree.child(part, "key"))), local: tree.textOf(value) }]
      : []
  })
}

/** `require("x")`, `import("x")`. */
const importsOfCall = (tree: FlatTree, node: number): ReadonlyArray<Import> => {
  const callee = tree.child(node, "function")
  const kind = tree.kind(callee)
  if (kind !== "import" && !(kind === "identifier" && tree.textOf(callee) === "require")) return []
  const first = tree.namedChildren(tree.child(node, "arguments"))[0] ?? NONE
  if (!tree.is(first, "string")) return []
  let parent = tree.parent(node)
  if (tree.is(parent, "await_expression")) parent = tree.parent(parent)
  const names = tree.is(parent, "variable_declarator") ? patternNames(tree, tree.child(parent, "name")) : []
  return [{ node, module: unquote(tree.textOf(first)), names, typeOnly: false }]
}

const importsAt = (tree: FlatTree, node: number): ReadonlyArray<Import> => {
  if (tree.is(node, "call_expression")) return importsOfCall(tree, node)
  const source = tree.child(node, "source")
  if (source === NONE) {
    const required = tree.childOfKind(node, "import_require_clause")
    if (required === NONE) return []
    const local = tree.textOf(tree.childOfKind(required, "identifier"))
    const module = unquote(tree.textOf(tree.childOfKind(required, "string")))
    return [{ node, module, names: [{ imported: "*", local }], typeOnly: false }]
  }
  const clause = tree.childOfKind(node, "import_clause")
  return [
    {
      node,
      module: unquote(tree.textOf(source)),
      names: clause === NONE ? [] : importNames(tree, clause),
      typeOnly: tree.childOfKind(node, "type") !== NONE
    }
  ]
}

const assignmentsAt = (tree: FlatTree, node: number): ReadonlyArray<Assignment> => {
  const kind = tree.kind(node)
  const targetNode =
    kind === "variable_declarator"
      ? tree.child(node, "name")
      : kind === "pair"
        ? tree.child(node, "key")
        : kind === "public_field_definition"
          ? tree.child(node, "name")
          : kind === "field_definition"
            ? tree.child(node, "property")
            : tree.child(node, "left")
  if (targetNode === NONE) return []
  const value = tree.child(node, kind.endsWith("assignment_expression") ? "right" : "value")
  const operator = kind === "augmented_assignment_expression" ? tree.textOf(tree.child(node, "operator")) : "="
  const target = unquote(compact(tree.textOf(targetNode)))
  return [{ node, target, targetNode, name: lastName(target), value, operator }]
}

const syntax: Syntax = {
  ...emptySyntax,
  functionKinds,
  scopeKinds: [
    "class_declaration",
    "class",
    "abstract_class_declaration",
    "interface_declaration",
    "internal_module",
    "enum_declaration"
  ],
  callKinds: ["call_expression", "new_expression"],
  importKinds: ["import_statement", "export_statement", "call_expression"],
  assignmentKinds: [
    "variable_declarator",
    "assignment_expression",
    "augmented_assignment_expression",
    "public_field_definition",
    "field_definition",
    "pair"
  ],
  stringKinds: ["string", "template_string"],
  interpolationKinds: ["template_substitution"],
  binaryKinds: ["binary_expression"],
  concatOperators: ["+"],
  wrapperKinds: [
    "parenthesized_expression",
    "as_expression",
    "type_assertion",
    "non_null_expression",
    "satisfies_expression"
  ],
  functionAt,
  scopeName: (tree, node) => {
    const name = tree.child(node, "name")
    return name === NONE ? givenName(tree, node) : tree.textOf(name)
  },
  callAt,
  importsAt,
  assignmentsAt
}

export default syntax
