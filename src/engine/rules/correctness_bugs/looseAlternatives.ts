import type { Match } from "../../core/tool/AuditTool.ts"
import { type Binary, binaryAt } from "../../languages/code/binaries.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import { bare } from "../../structure/sameCode.ts"
import { namesIn, quoted, spanOf } from "./Check.ts"
import type { RuleId } from "./rules.ts"

const literals = new Set(["string", "number", "integer", "float", "encapsed_string"])

const isTruthyLiteral = (tree: FlatTree, node: number): boolean =>
  literals.has(tree.kind(node)) && !/^(?:[uUbBrR]?(?:""|'')|0+(?:\.0*)?)$/.test(tree.textOf(node))

const isAlternative = (operator: string): boolean => operator === "||" || operator === "or"

/** A run of literals behind a comparison: `x === "a" || "b" || "c"`. */
export interface LooseAlternatives {
  readonly compared: Binary
  /** Whether the comparison belongs to a conjunction, which binds more tightly: `ready and x == "a" or "b"`. */
  readonly isGuarded: boolean
  /** The literals that stand alone, in their order. */
  readonly literals: ReadonlyArray<number>
}

/** The literals behind the comparison with which a run of one operator begins or goes on; null where there are none. */
export const looseAlternatives = (tree: FlatTree, run: Binary): LooseAlternatives | null => {
  const alone: Array<number> = []
  let at: Binary | null = run
  while (at !== null && at.operator === run.operator && isTruthyLiteral(tree, bare(tree, at.right))) {
    alone.unshift(bare(tree, at.right))
    at = binaryAt(tree, bare(tree, at.left))
  }
  if (!isAlternative(run.operator) || alone.length === 0) return null
  const before = at?.operator === run.operator ? binaryAt(tree, bare(tree, at.right)) : at
  const isGuarded = before !== null && /^(?:&&|and)$/.test(before.operator)
  const compared = isGuarded ? binaryAt(tree, bare(tree, before.right)) : before
  if (compared === null || !/^(?:===?|!==?)$/.test(compared.operator)) return null
  // `ready and x == "a" or "b"` may be an old way to write a value; as a condition it always holds.
  if (isGuarded && !isTested(tree, run.node)) return null
  const against = tree.kind(bare(tree, compared.right))
  const isOfOneKind = literals.has(against) && alone.every((literal) => tree.kind(literal) === against)
  return isOfOneKind ? { compared, isGuarded, literals: alone } : null
}

const conditions = [
  "if_statement",
  "elif_clause",
  "while_statement",
  "do_statement",
  "for_statement",
  "ternary_expression",
  "assert_statement",
  "not_operator"
]

/** Whether only the truth of an expression is used; elsewhere the literal may be meant as a default value. */
export const isTested = (tree: FlatTree, node: number): boolean => {
  let at = node
  for (;;) {
    const parent = tree.parent(at)
    const isJunction = /^(?:&&|\|\||and|or)$/.test(binaryAt(tree, parent)?.operator ?? "")
    if (!tree.is(parent, "parenthesized_expression") && !isJunction) break
    at = parent
  }
  const parent = tree.parent(at)
  if (tree.is(parent, "not_operator", "unary_expression", "assert_statement")) return true
  return tree.is(parent, ...conditions) && tree.fieldOf(at) === "condition"
}

/** Whether the run goes on with another literal of its own, with which it is reported. */
const goesOn = (tree: FlatTree, { node, operator }: Binary): boolean => {
  let inner = node
  while (tree.is(tree.parent(inner), "parenthesized_expression")) inner = tree.parent(inner)
  const outer = binaryAt(tree, tree.parent(inner))
  return outer?.operator === operator && outer.left === inner && looseAlternatives(tree, outer) !== null
}

const wrappers = ["parenthesized_expression", "unary_expression", "not_operator", "unary_op_expression"]

/** The whole condition or value that an operand is part of. */
const outermost = (tree: FlatTree, node: number): number => {
  let at = node
  for (let above = tree.parent(at); above !== NONE; above = tree.parent(at)) {
    if (!tree.is(above, ...wrappers) && binaryAt(tree, above) === null) break
    at = above
  }
  return at
}

const values = ["return_statement", "arrow_function", "arguments", "pair", "template_substitution", "jsx_expression"]
const named = ["pair", "variable_declarator", "assignment_expression"]
const answers = /^(?:is|has|can|should|was|are|will)[A-Z_]/
const asks = /\.(?:filter|find|findIndex|findLast|some|every)\(\s*$/
const MAX_HEAD = 200

/** `valid === true || "must be valid"` gives a value in JavaScript: the second operand is meant where the first fails. */
const isValue = (tree: FlatTree, whole: number): boolean => {
  const above = tree.parent(whole)
  if (tree.is(above, ...named)) {
    const [name = NONE] = tree.namedChildren(above)
    return !answers.test(tree.textOf(name).replace(/^.*\./, ""))
  }
  if (!tree.is(above, ...values)) return false
  const callback = tree.enclosing(whole, "arrow_function", "function_expression", "function_declaration")
  const start = callback === NONE ? 0 : tree.start(callback)
  const holder = tree.is(callback, "function_declaration") ? callback : tree.parent(callback)
  const name = tree.is(holder, "function_declaration", "variable_declarator") ? tree.child(holder, "name") : NONE
  return !answers.test(tree.textOf(name)) && !asks.test(tree.text.slice(Math.max(0, start - MAX_HEAD), start))
}

const chains = ["if_statement", "elif_clause", "else_if_clause"]

const hasNoStatement = (tree: FlatTree, body: number): boolean =>
  body !== NONE &&
  tree.namedChildren(body).every((part) => tree.isComment(part) || tree.is(part, "pass_statement", "empty_statement"))

/** Whether another branch could not be taken anyway: nothing is done in this one, or it is the last of several. */
const makesNoDifference = (tree: FlatTree, whole: number): boolean => {
  const branch = tree.parent(whole)
  if (!tree.is(branch, ...chains) || tree.fieldOf(whole) !== "condition") return false
  const consequence = tree.child(branch, "consequence")
  if (hasNoStatement(tree, consequence === NONE ? tree.child(branch, "body") : consequence)) return true
  if (!tree.is(branch, "if_statement")) return !tree.is(tree.nextSibling(branch), ...chains, "else_clause")
  return tree.is(tree.parent(branch), "else_clause") && tree.child(branch, "alternative") === NONE
}

/** How often such a report is right where nothing uses the result: something is wrong there, but not what the rule says. */
const UNUSED = 0.75

/**
 * How often such a condition was right in JavaScript and TypeScript, 170 of 200 (docs/audit-severe-reading.md): the literals are often all
 * values that come, so that nothing goes wrong.
 */
const IN_SCRIPTS = 0.85

const confidenceOf = (tree: FlatTree, whole: number, script: boolean): number | undefined => {
  if (tree.is(tree.parent(whole), "expression_statement") || makesNoDifference(tree, whole)) return UNUSED
  return script ? IN_SCRIPTS : undefined
}

/** `x === "a" || "b"`: the second string is true by itself. */
export const looseAlternative = (tree: FlatTree, run: Binary, script: boolean): Match<RuleId> | null => {
  const found = looseAlternatives(tree, run)
  if (found === null || goesOn(tree, run)) return null
  const { node, operator } = run
  const { compared } = found
  const last = found.literals.at(-1)!
  const whole = outermost(tree, node)
  if (script && isValue(tree, whole)) return null
  const confidence = confidenceOf(tree, whole, script)
  return {
    rule: "always_true_alternative",
    ...spanOf(tree, node),
    message: `${quoted(tree, last)} is an operand of its own after \`${operator}\`, so ${quoted(tree, node)} is always true; it is not compared with ${quoted(tree, compared.left)}.`,
    identifiers: namesIn(tree, compared.left),
    ...(confidence === undefined ? {} : { confidence })
  }
}
