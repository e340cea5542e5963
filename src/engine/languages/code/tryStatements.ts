import type { SourceFile } from "../../core/files/SourceFile.ts"
import { type FlatTree, NONE } from "../tree/FlatTree.ts"

export interface Handler {
  readonly node: number
  /** As written, without packages: `Exception`, `KeyError`; empty when it takes everything. */
  readonly types: ReadonlyArray<string>
  /** Name the exception is bound to, or null. */
  readonly binding: string | null
  /** Statements, comments left out. */
  readonly statements: ReadonlyArray<number>
}

export interface TryStatement {
  readonly node: number
  /** Where its keyword stands: a Ruby method is a try statement of its own. */
  readonly start: number
  readonly statements: ReadonlyArray<number>
  readonly handlers: ReadonlyArray<Handler>
  /** Statements of `finally` or `ensure`; null without one. */
  readonly final: ReadonlyArray<number> | null
  readonly finalNode: number
}

const shortName = (text: string): string => /([A-Za-z_]\w*)\s*$/.exec(text.replace(/<.*$/s, ""))?.[1] ?? text.trim()

const block = (tree: FlatTree, node: number): ReadonlyArray<number> => {
  if (node === NONE) return []
  const inner = tree.childOfKind(node, "statement_list")
  return tree.namedChildren(inner === NONE ? node : inner)
}

type HandlerReader = (tree: FlatTree, node: number) => Handler

const javascriptHandler: HandlerReader = (tree, node) => ({
  node,
  types: [],
  binding: tree.textOf(tree.child(node, "parameter")) || null,
  statements: block(tree, tree.child(node, "body"))
})

const javaHandler: HandlerReader = (tree, node) => {
  const parameter = tree.childOfKind(node, "catch_formal_parameter")
  const types = tree
    .namedChildren(tree.childOfKind(parameter, "catch_type"))
    .map((type) => shortName(tree.textOf(type)))
  return {
    node,
    types,
    binding: tree.textOf(tree.child(parameter, "name")) || null,
    statements: block(tree, tree.child(node, "body"))
  }
}

const csharpHandler: HandlerReader = (tree, node) => {
  const declaration = tree.childOfKind(node, "catch_declaration")
  const type = tree.child(declaration, "type")
  return {
    node,
    types: type === NONE ? [] : [shortName(tree.textOf(type))],
    binding: tree.textOf(tree.child(declaration, "name")) || null,
    statements: block(tree, tree.child(node, "body"))
  }
}

const pythonHandler: HandlerReader = (tree, node) => {
  const value = tree.child(node, "value")
  const pattern = tree.is(value, "as_pattern") ? tree.firstChild(value) : value
  const listed = tree.is(pattern, "tuple") ? tree.namedChildren(pattern) : pattern === NONE ? [] : [pattern]
  const alias = tree.is(value, "as_pattern") ? tree.child(value, "alias") : NONE
  return {
    node,
    types: listed.map((type) => shortName(tree.textOf(type))),
    binding: alias === NONE ? null : tree.textOf(alias),
    statements: block(tree, tree.childOfKind(node, "block"))
  }
}

const rubyHandler: HandlerReader = (tree, node) => ({
  node,
  // `PG::Error` is one library's, `Error` would be everybody's.
  types: tree.namedChildren(tree.child(node, "exceptions")).map((type) => tree.textOf(type)),
  binding: tree.textOf(tree.namedChildren(tree.child(node, "variable"))[0] ?? NONE) || null,
  statements: block(tree, tree.child(node, "body"))
})

interface Dialect {
  readonly kinds: ReadonlyArray<string>
  readonly handlerKinds: ReadonlyArray<string>
  readonly finalKinds: ReadonlyArray<string>
  readonly handler: HandlerReader
}

const javascript: Dialect = {
  kinds: ["try_statement"],
  handlerKinds: ["catch_clause"],
  finalKinds: ["finally_clause"],
  handler: javascriptHandler
}

const dialects: Partial<Record<SourceFile["language"], Dialect>> = {
  typescript: javascript,
  tsx: javascript,
  javascript,
  java: { ...javascript, kinds: ["try_statement", "try_with_resources_statement"], handler: javaHandler },
  csharp: { ...javascript, handler: csharpHandler },
  python: { ...javascript, handlerKinds: ["except_clause", "except_group_clause"], handler: pythonHandler },
  ruby: { kinds: ["rescue", "ensure"], handlerKinds: ["rescue"], finalKinds: ["ensure"], handler: rubyHandler }
}

const partsOf = (tree: FlatTree, node: number, { handlerKinds, finalKinds, handler }: Dialect): TryStatement => {
  const children = tree.children(node)
  const finalNode = children.find((child) => tree.is(child, ...finalKinds)) ?? NONE
  const inner = tree.childOfKind(finalNode, "block", "statement_block")
  const body = tree.child(node, "body")
  const isRuby = handlerKinds[0] === "rescue"
  return {
    node,
    start: tree.start(node),
    statements: isRuby
      ? tree.namedChildren(node).filter((child) => !tree.is(child, "rescue", "ensure", "else"))
      : block(tree, body),
    handlers: children.filter((child) => tree.is(child, ...handlerKinds)).map((child) => handler(tree, child)),
    final: finalNode === NONE ? null : block(tree, inner === NONE ? finalNode : inner),
    finalNode
  }
}

const read = (file: SourceFile): ReadonlyArray<TryStatement> => {
  const dialect = dialects[file.language]
  const tree = dialect === undefined ? null : file.tree
  if (dialect === undefined || tree === null) return []
  const nodes = new Set<number>()
  for (const node of tree.of(...dialect.kinds)) nodes.add(file.language === "ruby" ? tree.parent(node) : node)
  return [...nodes].sort((a, b) => a - b).map((node) => partsOf(tree, node, dialect))
}

/** What a file guards with `try`, `begin` or a method's own `rescue`, in document order. */
export const tryStatements = (file: SourceFile): ReadonlyArray<TryStatement> => file.memo(read, read)
