import { escape as escapeRegExp } from "effect/RegExp"
import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Edit } from "../../core/fix/Fixer.ts"
import { isVariable } from "../code/localUses.ts"
import { imports } from "../syntax/vocabulary.ts"
import { type FlatTree, NONE } from "../tree/FlatTree.ts"
import { itemRemovals, removal } from "./removal.ts"

/** Kinds of leaves that may name what an import brings in. */
export const nameKinds = [
  "identifier",
  "type_identifier",
  "shorthand_property_identifier",
  "package_identifier",
  "constant",
  "name",
  "namespace_identifier"
]

/** Parts of an import statement that each bring in a name, and the one that is to go. */
interface Binding {
  readonly statement: number
  readonly items: ReadonlyArray<number>
  readonly item: number
  /** The part that goes when all of the items do; without it, the statement. */
  readonly holder?: Binding
}

/**
 * Removes the imports of these names where nothing but the import itself, and ranges that the edits replace, uses them.
 */
export const importRemovals = (
  file: SourceFile,
  edits: ReadonlyArray<Edit>,
  names: ReadonlySet<string>
): ReadonlyArray<Edit> => {
  const tree = file.tree
  if (tree === null || names.size === 0) return []
  const unused = [...names].flatMap((name) =>
    bindingsOf(file, tree, name).filter((one) => !isUsed(tree, name, one, edits))
  )
  const lists = new Set(unused.map(({ items }) => items[0]!))
  return [...lists].flatMap((list) =>
    removalsIn(
      file,
      tree,
      unused.filter(({ items }) => items[0] === list),
      edits
    )
  )
}

/** Bindings of one list of items. */
const removalsIn = (
  file: SourceFile,
  tree: FlatTree,
  bindings: ReadonlyArray<Binding>,
  edits: ReadonlyArray<Edit>
): ReadonlyArray<Edit> => {
  const { statement, items, holder } = bindings[0]!
  const removed = new Set(bindings.map(({ item }) => item))
  if (items.some((item) => !removed.has(item))) return itemRemovals(tree, items, removed)
  if (holder !== undefined) return removalsIn(file, tree, [holder], edits)
  return isOnlyStatement(tree, statement) ? [] : [statementRemoval(file, tree, statement, edits)]
}

/** Where another import takes the statement's place, the blank lines after it stay. */
const statementRemoval = (file: SourceFile, tree: FlatTree, statement: number, edits: ReadonlyArray<Edit>): Edit => {
  const whole = removal(file, tree.start(statement), tree.end(statement))
  const isReplaced = edits.some(({ start, end, text }) => start === end && start === whole.start && text !== "")
  const ownEnd = file.lineStarts[file.line(tree.end(statement) - 1)] ?? file.text.length
  return isReplaced ? { ...whole, end: Math.min(whole.end, ownEnd) } : whole
}

/** A block cannot be empty in every language. */
const isOnlyStatement = (tree: FlatTree, statement: number): boolean =>
  tree.is(tree.parent(statement), "block") && tree.namedChildren(tree.parent(statement)).length === 1

const isUsed = (tree: FlatTree, name: string, { statement }: Binding, edits: ReadonlyArray<Edit>): boolean => {
  const word = new RegExp(`(?<![\\w$])${escapeRegExp(name)}(?![\\w$])`)
  if (edits.some(({ text }) => word.test(text))) return true
  return tree
    .of(...nameKinds)
    .some(
      (node) =>
        tree.textOf(node) === name &&
        isVariable(tree, node) &&
        !tree.contains(statement, node) &&
        !edits.some(({ start, end }) => start <= tree.start(node) && tree.end(node) <= end)
    )
}

const bindingsOf = (file: SourceFile, tree: FlatTree, name: string): ReadonlyArray<Binding> =>
  imports(file)
    .filter(({ names }) => names.some(({ local }) => local === name))
    .flatMap(({ node }) => bindingOf(tree, node, name) ?? [])

const endsWithName = (tree: FlatTree, item: number, name: string): boolean => {
  const leaves = tree.within(item, ...nameKinds, "shorthand_property_identifier_pattern")
  return leaves.length > 0 && tree.textOf(leaves.at(-1)!) === name
}

const among = (tree: FlatTree, statement: number, items: ReadonlyArray<number>, name: string): Binding | null => {
  const item = items.find((one) => endsWithName(tree, one, name))
  return item === undefined ? null : { statement, items, item }
}

const bindingOf = (tree: FlatTree, node: number, name: string): Binding | null => {
  switch (tree.kind(node)) {
    case "import_statement": {
      const clause = tree.childOfKind(node, "import_clause")
      return clause === NONE
        ? among(tree, node, tree.childrenOfField(node, "name"), name)
        : inClause(tree, node, clause, name)
    }
    case "import_from_statement":
      return among(tree, node, tree.childrenOfField(node, "name"), name)
    case "import_spec": {
      const list = tree.parent(node)
      const isAlone = !tree.is(list, "import_spec_list") || tree.namedChildren(list).length === 1
      const statement = isAlone ? tree.enclosing(node, "import_declaration") : node
      return { statement, items: [statement], item: statement }
    }
    case "import_declaration":
      return { statement: node, items: [node], item: node }
    case "namespace_use_clause": {
      const list = tree.parent(node)
      const statement = tree.is(list, "namespace_use_group") ? tree.parent(list) : list
      return {
        statement,
        items: tree.namedChildren(list).filter((one) => tree.is(one, "namespace_use_clause")),
        item: node
      }
    }
    case "use_declaration":
      return inUse(tree, node, name)
    case "call_expression":
      return inRequire(tree, node, name)
    default:
      return null
  }
}

/** `import a, { b } from "m"`: when all of the braces goes, the default stays. */
const inClause = (tree: FlatTree, statement: number, clause: number, name: string): Binding | null => {
  const parts = tree.namedChildren(clause)
  const named = parts.find((part) => tree.is(part, "named_imports"))
  const found = named === undefined ? null : among(tree, statement, tree.namedChildren(named), name)
  if (found === null || named === undefined) return among(tree, statement, parts, name)
  return parts.length === 1 ? found : { ...found, holder: { statement, items: parts, item: named } }
}

const inUse = (tree: FlatTree, statement: number, name: string): Binding | null => {
  const lists = tree.within(statement, "use_list")
  if (lists.length === 0) return { statement, items: [statement], item: statement }
  if (lists.length > 1) return null
  return among(tree, statement, tree.namedChildren(lists[0]!), name)
}

/** `const a = require("a")`, `const { a } = require("a")`. */
const inRequire = (tree: FlatTree, call: number, name: string): Binding | null => {
  const declarator = tree.parent(call)
  if (!tree.is(declarator, "variable_declarator")) return null
  const statement = tree.parent(declarator)
  const pattern = tree.child(declarator, "name")
  const parts = tree.is(pattern, "object_pattern") ? tree.namedChildren(pattern) : []
  if (parts.length > 1) return among(tree, statement, parts, name)
  const items = tree.namedChildren(statement).filter((one) => tree.is(one, "variable_declarator"))
  return { statement, items, item: declarator }
}
