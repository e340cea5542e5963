import type { SourceFile } from "../../core/files/SourceFile.ts"
import { syntaxOf } from "../../languages/syntax/languages.ts"
import { functions } from "../../languages/syntax/vocabulary.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import type { Grammar } from "../../languages/tree/Grammar.ts"
import { hasBelow } from "../sameCode.ts"

/** The code of a file's functions as columns: layout, comments, imports, tables and markup are not in it. */
export interface Tokens {
  readonly count: number
  /** Hashes of tokens as they are written. */
  readonly exact: Int32Array
  /** Hashes in which variables and literals are all alike. */
  readonly loose: Int32Array
  readonly starts: Int32Array
  readonly ends: Int32Array
  /** Branches, loops and handlers before the token. */
  readonly decisions: Int32Array
}

const VARIABLE = 1
const LITERAL = 2
const SKIPPED = 3
const TABLE = 4
const DECISION = 5

/** Functions that every class has, and that look alike in all of them. */
const boilerplate =
  /(?:^|\.)(?:constructor|__init__|__construct|__new__|__eq__|__hash__|__repr__|__str__|__lt__|initialize|equals|hashCode|toString|compareTo|clone|finalize|Equals|GetHashCode|ToString|Dispose|String|Len|Less|Swap|MarshalJSON|UnmarshalJSON|getDerivedStateFromProps|shouldComponentUpdate|render|setUp|tearDown|up|down)$/
const MIN_NODES_OF_FUNCTION = 30
const MAX_NODES_OF_LITERAL = 40

const classes: ReadonlyArray<readonly [role: number, kinds: ReadonlyArray<string>]> = [
  [VARIABLE, ["identifier", "variable_name", "instance_variable", "shorthand_property_identifier"]],
  [
    LITERAL,
    [
      "number",
      "number_literal",
      "integer",
      "float",
      "int_literal",
      "float_literal",
      "integer_literal",
      "real_literal",
      "decimal_integer_literal",
      "decimal_floating_point_literal",
      "hex_integer_literal",
      "rune_literal",
      "char_literal",
      "character_literal",
      "regex",
      "simple_symbol"
    ]
  ],
  [
    SKIPPED,
    [
      "jsx_element",
      "jsx_self_closing_element",
      "jsx_fragment",
      "text_interpolation",
      "text",
      "import_statement",
      "import_from_statement",
      "use_declaration",
      "type_annotation",
      "type_parameters",
      "decorator",
      "annotation",
      "marker_annotation",
      "attribute_list"
    ]
  ],
  [
    TABLE,
    [
      "object",
      "array",
      "dictionary",
      "list",
      "hash",
      "array_creation_expression",
      "composite_literal",
      "tuple",
      "initializer_list"
    ]
  ],
  [
    DECISION,
    [
      "if_statement",
      "elif_clause",
      "if_expression",
      "if",
      "unless",
      "if_modifier",
      "unless_modifier",
      "ternary_expression",
      "conditional_expression",
      "conditional",
      "for_statement",
      "for_in_statement",
      "for_range_loop",
      "for_expression",
      "for",
      "foreach_statement",
      "enhanced_for_statement",
      "while_statement",
      "while_expression",
      "while",
      "do_statement",
      "switch_statement",
      "expression_switch_statement",
      "match_expression",
      "catch_clause",
      "except_clause",
      "rescue"
    ]
  ]
]

const tables = new WeakMap<Grammar, Uint8Array>()

const tableOf = (grammar: Grammar, stringKinds: ReadonlyArray<string>): Uint8Array => {
  const known = tables.get(grammar)
  if (known !== undefined) return known
  const table = new Uint8Array(grammar.kindNames.length)
  for (const [role, kinds] of [...classes, [LITERAL, stringKinds] as const]) {
    for (const kind of kinds)
      for (const id of grammar.idsOf.get(kind) ?? []) if (grammar.namedKinds[id] === 1) table[id] = role
  }
  for (let id = 0; id < table.length; id++) if (grammar.commentKinds[id] === 1) table[id] = SKIPPED
  tables.set(grammar, table)
  return table
}

const hashOf = (text: string, start: number, end: number): number => {
  let hash = 0x811c9dc5
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash
}

/** Names of members, functions and types say what is done; other names only what it is done to. */
const named = new Set(["attribute", "field", "property", "function", "method", "constructor", "type", "macro"])

const isVariable = (tree: FlatTree, node: number): boolean => {
  const field = tree.fieldOf(node)
  if (field === null) return !tree.is(tree.parent(node), "scoped_identifier", "qualified_name", "name")
  return (
    !named.has(field) &&
    !(
      field === "name" &&
      tree.is(tree.parent(node), "method_invocation", "member_access_expression", "keyword_argument")
    )
  )
}

class Collector {
  readonly exact: Int32Array
  readonly loose: Int32Array
  readonly starts: Int32Array
  readonly ends: Int32Array
  readonly decisions: Int32Array
  count = 0
  private decided = 0
  private readonly tree: FlatTree
  private readonly table: Uint8Array
  private readonly functionKinds: ReadonlyArray<string>
  private readonly isDull: Uint8Array

  constructor(tree: FlatTree, table: Uint8Array, functionKinds: ReadonlyArray<string>, isDull: Uint8Array) {
    this.tree = tree
    this.table = table
    this.functionKinds = functionKinds
    this.isDull = isDull
    this.exact = new Int32Array(tree.size)
    this.loose = new Int32Array(tree.size)
    this.starts = new Int32Array(tree.size)
    this.ends = new Int32Array(tree.size)
    this.decisions = new Int32Array(tree.size)
  }

  take(from: number, last: number): void {
    const { tree } = this
    for (let n = from; n <= last; n++) {
      const role = this.table[tree.kinds[n]!]!
      if (this.isDull[n] === 1 || role === SKIPPED) n = tree.lastDescendant(n)
      else if (role === LITERAL || role === VARIABLE) {
        this.push(n, role)
        n = tree.lastDescendant(n)
      } else if (role === TABLE && this.isTable(n)) {
        this.push(n, LITERAL)
        n = tree.lastDescendant(n)
      } else {
        if (role === DECISION) this.decided++
        if (n === tree.size - 1 || tree.parents[n + 1] !== n) this.push(n, role)
      }
    }
  }

  private isTable(node: number): boolean {
    const size = this.tree.lastDescendant(node) - node
    return size > MAX_NODES_OF_LITERAL && !hasBelow(this.tree, node, ...this.functionKinds)
  }

  private push(node: number, role: number): void {
    const { tree, count } = this
    const start = tree.starts[node]!
    const end = tree.ends[node]!
    if (start === end) return
    const exact = hashOf(tree.text, start, end)
    this.exact[count] = exact
    this.loose[count] = role === LITERAL ? 0x51ed270b : role === VARIABLE && isVariable(tree, node) ? 0x2545f491 : exact
    this.starts[count] = start
    this.ends[count] = end
    this.decisions[count] = this.decided
    this.count++
  }
}

const compute = (file: SourceFile): Tokens | null => {
  const tree = file.tree
  const syntax = syntaxOf(file.language)
  if (tree === null || syntax === null) return null
  const isDull = new Uint8Array(tree.size)
  const outer: Array<number> = []
  let end = NONE
  for (const { node, name, body } of functions(file)) {
    const last = tree.lastDescendant(node)
    if (body === NONE || last - node < MIN_NODES_OF_FUNCTION || boilerplate.test(name ?? "")) isDull[node] = 1
    if (node <= end) continue
    end = last
    outer.push(node)
  }
  if (outer.length === 0) return null
  const table = tableOf(tree.grammar, syntax.stringKinds)
  const collector = new Collector(tree, table, syntax.functionKinds, isDull)
  for (const node of outer) collector.take(node, tree.lastDescendant(node))
  return collector
}

export const functionTokens = (file: SourceFile): Tokens | null => file.memo(compute, compute)
