import type { SourceFile } from "../../core/files/SourceFile.ts"
import { type FlatTree, NONE } from "../tree/FlatTree.ts"

const declarations = [
  "local_variable_declaration",
  "field_declaration",
  "formal_parameter",
  "variable_declaration",
  "parameter"
]

const add = (types: Map<string, string | null>, name: string, type: string): void => {
  const known = types.get(name)
  types.set(name, known === undefined || known === type ? type : null)
}

const namesDeclared = (tree: FlatTree, node: number): ReadonlyArray<number> => {
  const own = tree.child(node, "name")
  if (own !== NONE) return [own]
  return tree
    .namedChildren(node)
    .filter((c) => tree.is(c, "variable_declarator"))
    .map((c) => tree.child(c, "name"))
}

const bindings = [
  "lambda_expression",
  "enhanced_for_statement",
  "catch_formal_parameter",
  "resource",
  "foreach_statement",
  "type_pattern",
  "record_pattern_component",
  "instanceof_expression"
]

const lambdaParameters = (tree: FlatTree, node: number): ReadonlyArray<number> => {
  const parameters = tree.child(node, "parameters")
  if (parameters === NONE) return []
  return tree.is(parameters, "identifier") ? [parameters] : tree.namedChildren(parameters)
}

const compute = (file: SourceFile): ReadonlyMap<string, string | null> => {
  const types = new Map<string, string | null>()
  const tree = file.tree
  if (tree === null) return types
  for (const node of tree.of(...declarations)) {
    const type = tree.textOf(tree.child(node, "type")).replace(/\s+/g, "")
    for (const name of namesDeclared(tree, node)) {
      // `int a[]` declares an array, whatever is written before it.
      const isArray = tree.child(tree.parent(name), "dimensions") !== NONE
      add(types, tree.textOf(name), isArray ? `${type}[]` : type)
    }
  }
  addBindings(tree, types)
  return types
}

/** Names that are bound without a type, or with one that is not looked at, may mean something else. */
const addBindings = (tree: FlatTree, types: Map<string, string | null>): void => {
  for (const node of tree.of(...bindings)) {
    const name = tree.child(node, tree.is(node, "foreach_statement") ? "left" : "name")
    if (name !== NONE) add(types, tree.textOf(name), tree.textOf(tree.child(node, "type")).replace(/\s+/g, "") || "?")
    for (const parameter of lambdaParameters(tree, node)) {
      if (tree.is(parameter, "identifier")) add(types, tree.textOf(parameter), "?")
    }
  }
}

/** Type with which a name is declared everywhere in a Java or C# file; null when it is not, or in different ways. */
export const declaredType = (file: SourceFile, name: string): string | null =>
  file.memo(compute, compute).get(name) ?? null
