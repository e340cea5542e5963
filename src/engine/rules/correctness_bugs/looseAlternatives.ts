import type { Match } from "../../core/tool/AuditTool.ts"
import { type Binary, binaryAt } from "../../languages/code/binaries.ts"
import type { FlatTree } from "../../languages/tree/FlatTree.ts"
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
  const compared = at?.operator === run.operator ? binaryAt(tree, bare(tree, at.right)) : at
  if (compared === null || !/^(?:===?|!==?)$/.test(compared.operator)) return null
  const against = tree.kind(bare(tree, compared.right))
  const isOfOneKind = literals.has(against) && alone.every((literal) => tree.kind(literal) === against)
  return isOfOneKind ? { compared, literals: alone } : null
}

/** Whether the run goes on with another literal of its own, with which it is reported. */
const goesOn = (tree: FlatTree, { node, operator }: Binary): boolean => {
  let inner = node
  while (tree.is(tree.parent(inner), "parenthesized_expression")) inner = tree.parent(inner)
  const outer = binaryAt(tree, tree.parent(inner))
  return outer?.operator === operator && outer.left === inner && looseAlternatives(tree, outer) !== null
}

/** How often such a report is right where nothing uses the result: something is wrong there, but not what the rule says. */
const UNUSED = 0.75

/** `x === "a" || "b"`: the second string is true by itself. */
export const looseAlternative = (tree: FlatTree, run: Binary): Match<RuleId> | null => {
  const found = looseAlternatives(tree, run)
  if (found === null || goesOn(tree, run)) return null
  const { node, operator } = run
  const { compared } = found
  const last = found.literals.at(-1)!
  const isUnused = tree.is(tree.parent(node), "expression_statement")
  return {
    rule: "always_true_alternative",
    ...spanOf(tree, node),
    message: `${quoted(tree, last)} is an operand of its own after \`${operator}\`, so ${quoted(tree, node)} is always true; it is not compared with ${quoted(tree, compared.left)}.`,
    identifiers: namesIn(tree, compared.left),
    ...(isUnused ? { confidence: UNUSED } : {})
  }
}
