import type { SourceFile } from "../../core/files/SourceFile.ts"
import { enclosingFunction } from "../../languages/syntax/vocabulary.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"

const MAX_BODY = 600

const not = ["unary_expression", "not_operator", "unary_op_expression", "unary", "prefix_unary_expression"]
const around = [
  "parenthesized_expression",
  "binary_expression",
  "boolean_operator",
  "logical_expression",
  "binary",
  "parenthesized_statements"
]
const branches = ["if_statement", "if_expression", "if", "unless", "if_modifier", "unless_modifier"]
const functionBodies = ["arrow_function", "lambda", "lambda_expression"]

/** What is written or done to reject something. */
const rejects =
  /\b(?:throw|raise|abort|die|exit|panic)\b|forbidden|traversal|outside|denied|invalid|illegal|escap|unsafe|not[ _]?(?:allowed|permitted|found)|\b40[034]\b|permission|security|Errorf|errors\.New|NotFound/i

/** Functions that answer whether a path may be used, or hand it on only then. */
const guardName =
  /inside|within|safe|secur|allow|contain|sub_?(?:path|dir|folder)|under|descend|travers|child|valid|permit|in_?(?:dir|root|folder|base|workspace|sandbox)|jail|authori[sz]|check|verify|ensure|assert|sanit|protect|forbid/i

const nothing = /^\W*(?:return|next|continue)\s*(?:false|null|nil|None|undefined|""|''|-1)?\s*;?\W*(?:end)?$/

const rejectsIn = (text: string, isGuard: boolean): boolean =>
  rejects.test(text) || (isGuard && nothing.test(text.trim()))

const isNot = (tree: FlatTree, node: number): boolean => tree.is(node, ...not) && /^(?:!|not\b)/.test(tree.textOf(node))

const bodyOf = (tree: FlatTree, branch: number): number => {
  const consequence = tree.child(branch, "consequence")
  return consequence === NONE ? tree.child(branch, "body") : consequence
}

const otherwiseOf = (tree: FlatTree, branch: number): string => {
  const [alternative = NONE] = tree.childrenOfField(branch, "alternative")
  const at = alternative === NONE ? tree.nextSibling(branch) : alternative
  return tree.textOf(at).slice(0, MAX_BODY)
}

/** `folders.some((folder) => …)` holds when the test does for one of them: the call is as good as the test. */
const quantifiers = /(?:\.(?:some|any|Any|anyMatch|find|any\?)|^any)\s*[({]/

const quantified = (tree: FlatTree, callback: number): number => {
  const args = tree.parent(callback)
  const call = tree.is(args, "arguments", "argument_list", "argument") ? tree.parent(args) : args
  const outer = tree.is(call, "arguments", "argument_list") ? tree.parent(call) : call
  const head = tree.text.slice(tree.start(outer), tree.start(callback) + 1).slice(-60)
  return quantifiers.test(head) ? outer : NONE
}

interface Asked {
  /** Outermost condition that the test is part of. */
  readonly condition: number
  readonly isNegated: boolean
}

const askedIn = (tree: FlatTree, test: number, isNegated: boolean): Asked => {
  let negated = isNegated
  let at = test
  for (let above = tree.parent(at); above !== NONE; above = tree.parent(at)) {
    if (tree.is(above, ...around)) at = above
    else if (isNot(tree, above)) {
      negated = !negated
      at = above
    } else {
      const outer = tree.is(above, ...functionBodies, "generator_expression") ? quantified(tree, above) : NONE
      if (outer === NONE) break
      at = outer
    }
  }
  return { condition: at, isNegated: negated }
}

/** The whole condition around a test. */
export const conditionText = (tree: FlatTree, test: number): string => {
  const { condition } = askedIn(tree, test, false)
  return tree.textOf(condition).slice(0, MAX_BODY)
}

const givenName = (tree: FlatTree, node: number): string =>
  /^(?:const|let|var|bool|boolean|final|\s)*\$?(\w+)\s*:?=/.exec(tree.textOf(node).slice(0, 120))?.[1] ?? ""

const declarations = ["variable_declarator", "assignment", "assignment_expression", "short_var_declaration"]

/** Whether a test of a path is asked to reject what it does not hold for, and by more than a plain distinction. */
export const rejectsOthers = (file: SourceFile, test: number, isNegated: boolean): boolean => {
  const tree = file.tree!
  const isGuard = guardName.test(enclosingFunction(file, test)?.name ?? "")
  const asked = askedIn(tree, test, isNegated)
  const above = tree.parent(asked.condition)
  if (tree.is(above, "return_statement", "return") || tree.is(tree.parent(above), "return_statement")) return isGuard
  if (tree.is(above, ...functionBodies)) return isGuard
  if (tree.is(above, ...declarations)) return guardName.test(givenName(tree, above))
  if (!tree.is(above, ...branches) || tree.fieldOf(asked.condition) !== "condition") return false
  const isLeft = tree.is(above, "unless", "unless_modifier") ? !asked.isNegated : asked.isNegated
  if (!isLeft) return rejectsIn(otherwiseOf(tree, above), isGuard)
  return rejectsIn(tree.textOf(bodyOf(tree, above)).slice(0, MAX_BODY), isGuard)
}
