import { type FlatTree, lowerBound, NONE } from "../languages/tree/FlatTree.ts"
import type { Grammar } from "../languages/tree/Grammar.ts"

/** Kinds whose text is more than the text of their children. */
const opaque = /string|template|char|regex|symbol/

/**
 * Whether two pieces of code are the same but for layout. Comments count: where two otherwise equal branches are
 * commented differently, someone knew that they are equal.
 */
export const sameCode = (tree: FlatTree, a: number, b: number): boolean => {
  if (a < 0 || b < 0) return false
  if (a === b) return true
  const { kinds, starts, ends, text } = tree
  if (kinds[a] !== kinds[b]) return false
  const count = tree.lastDescendant(a) - a
  if (tree.lastDescendant(b) - b !== count) return false
  for (let i = 0; i <= count; i++) {
    const x = a + i
    const y = b + i
    if (kinds[x] !== kinds[y]) return false
    const isLeaf = i === count || tree.parents[x + 1] !== x
    if (!isLeaf && !opaque.test(tree.kind(x))) continue
    const length = ends[x]! - starts[x]!
    if (ends[y]! - starts[y]! !== length) return false
    if (length > 0 && text.slice(starts[x]!, ends[x]!) !== text.slice(starts[y]!, ends[y]!)) return false
  }
  return true
}

const effects = [
  "call_expression",
  "new_expression",
  "call",
  "method_invocation",
  "object_creation_expression",
  "invocation_expression",
  "function_call_expression",
  "member_call_expression",
  "nullsafe_member_call_expression",
  "scoped_call_expression",
  "macro_invocation",
  "await_expression",
  "await",
  "yield_expression",
  "yield",
  "assignment_expression",
  "augmented_assignment_expression",
  "compound_assignment_expr",
  "reference_assignment_expression",
  "assignment",
  "operator_assignment",
  "named_expression",
  "update_expression",
  "postfix_unary_expression",
  "try_expression",
  "throw_expression",
  "arrow_function",
  "function_expression",
  "lambda",
  "lambda_expression",
  "func_literal",
  "closure_expression",
  "block",
  "do_block"
]

const calls = new Set([
  "call_expression",
  "call",
  "method_invocation",
  "invocation_expression",
  "function_call_expression",
  "member_call_expression",
  "scoped_call_expression"
])

/** Questions: asked twice in a row they are answered alike. */
const question =
  /^(?:is|has|get|contains|includes|startsWith|endsWith|starts_with|ends_with|startswith|endswith|equals|equalsIgnoreCase|len|callable|size|length|indexOf|charAt|charCodeAt|matches|Contains|HasPrefix|HasSuffix|Equals?|EqualFold|StartsWith|EndsWith|Is|Has|Get|empty|isset|in_array|array_key_exists|is_\w+|str_contains|str_starts_with|strpos|defined)(?:$|[A-Z_?]|instance$|subclass$|attr$)/

const tables = new WeakMap<Grammar, Uint8Array>()

const effectTable = (grammar: Grammar): Uint8Array => {
  const known = tables.get(grammar)
  if (known !== undefined) return known
  const table = new Uint8Array(grammar.kindNames.length)
  for (const kind of effects) {
    for (const id of grammar.idsOf.get(kind) ?? [])
      if (grammar.namedKinds[id] === 1) table[id] = calls.has(kind) ? 1 : 2
  }
  tables.set(grammar, table)
  return table
}

const calleeName = (tree: FlatTree, call: number): string => {
  const callee = tree.child(call, "name") === NONE ? tree.child(call, "function") : tree.child(call, "name")
  return /([\w$?]+)\s*$/.exec(tree.textOf(callee).slice(-80))?.[1] ?? ""
}

/** `decoder.getElement()` reads on: asked twice, it gives two elements. */
const readsOn = /(?:decoder|reader|scanner|lexer|tokeni[sz]er|cursor)(?:\(\))?\s*(?:\??->|\??\.)\s*get\w*\s*\(/i

/** Evaluating it twice gives the same and changes nothing, as far as the syntax shows. */
export const isRepeatable = (tree: FlatTree, node: number, allowQuestions = false): boolean => {
  const table = effectTable(tree.grammar)
  const last = tree.lastDescendant(node)
  for (let n = node; n <= last; n++) {
    const effect = table[tree.kinds[n]!]!
    if (effect === 0) continue
    if (effect === 2 || !allowQuestions || !question.test(calleeName(tree, n))) return false
    if (readsOn.test(tree.textOf(n).slice(0, 200))) return false
  }
  return true
}

/** Whether a node of one of these kinds lies strictly below another. */
export const hasBelow = (tree: FlatTree, node: number, ...kinds: ReadonlyArray<string>): boolean => {
  const all = tree.of(...kinds)
  const at = lowerBound(all, node + 1)
  return at < all.length && all[at]! <= tree.lastDescendant(node)
}

/** Through parentheses. */
export const bare = (tree: FlatTree, node: number): number => {
  let at = node
  while (tree.is(at, "parenthesized_expression", "parenthesized_statements")) {
    let inner = tree.firstChild(at)
    while (inner !== NONE && (!tree.isNamed(inner) || tree.isComment(inner))) inner = tree.nextSibling(inner)
    if (inner === NONE) return at
    at = inner
  }
  return at
}
