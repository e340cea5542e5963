import type { Language } from "../../../core/files/Language.ts"
import { NONE } from "../../../languages/tree/FlatTree.ts"
import { foldBinary, foldUnary, truthOf } from "../../values/folding.ts"
import { merge } from "../../values/places.ts"
import type { Scope } from "../../values/Scope.ts"
import {
  type Constant,
  constantValue,
  isTainted,
  join,
  unknown,
  type Value,
  withoutConstant
} from "../../values/Value.ts"
import { refine } from "../conditions.ts"
import { evaluate } from "../evaluate.ts"
import type { Run } from "../Run.ts"

/** `not x`, `-x`, `a < b` in Python: a flag or a number, and a constant where its operands are. */
export const flagAt = (run: Run, scope: Scope, node: number): Value => {
  const { tree, file } = run
  const operands = tree.namedChildren(node)
  const values = operands.map((child) => evaluate(run, scope, child))
  return { ...unknown(`flag:${node}`), constant: foldedFlag(run, operands, values, file.language, node) }
}

const foldedFlag = (
  { tree }: Run,
  operands: ReadonlyArray<number>,
  values: ReadonlyArray<Value>,
  language: Language,
  node: number
): Constant | undefined => {
  const [one, other, more] = operands
  if (one === undefined || more !== undefined || values[0]?.constant === undefined) return undefined
  if (other === undefined) {
    const operator = tree.text.slice(tree.start(node), tree.start(one)).trim()
    return foldUnary(language, operator, values[0].constant)
  }
  const operator = tree.text.slice(tree.end(one), tree.start(other)).trim()
  return foldBinary(language, operator, values[0].constant, values[1]?.constant)
}

/**
 * The right side of "and" runs only where the left side holds, that of "or" only where it does not; what either writes
 * may have been written, and where it leaves the function the left side has decided.
 */
export const sometimes = (run: Run, scope: Scope, node: number, holds: boolean | null): Value => {
  const { tree } = run
  const inside = scope.copy()
  const left = tree.child(node, "left")
  if (holds !== null) refine(run, inside, left, holds)
  const before = inside.all
  const value = evaluate(run, inside, tree.child(node, "right"))
  if (inside.dead || !inside.sameAs(before)) {
    const around = scope.copy()
    if (holds !== null) refine(run, around, left, !holds)
    merge(run, scope, [around, inside])
  }
  return value
}

const joinLogical = (left: Value, right: Value, truth: boolean | null): Value =>
  truth === true ? right : isTainted(right) ? join(right, left) : eitherFlag(right, left, false)

/** One flag of two decides an "or" that it makes true, or an "and" that it makes false, whatever the other one is. */
const eitherFlag = (one: Value, other: Value, decisive: boolean): Value => {
  const joined = decisive ? join(one, other) : withoutConstant(one)
  return one.constant === decisive || other.constant === decisive ? { ...joined, constant: decisive } : joined
}

/** "and" and "or", of which a constant on the left decides whether the right side runs; null for other operators. */
export const logical = (run: Run, scope: Scope, link: number, operator: string, value: Value): Value | null => {
  const truth = truthOf(run.file.language, value.constant)
  if (operator === "&&" || operator === "and") {
    return truth === false ? value : joinLogical(value, sometimes(run, scope, link, true), truth)
  }
  if (operator !== "||" && operator !== "or") return null
  if (truth === true) return value
  const other = sometimes(run, scope, link, false)
  return truth === false ? other : eitherFlag(value, other, true)
}

export const compared = (run: Run, operator: string, link: number, left: Value, right: Value): Value => ({
  ...unknown(`flag:${link}`),
  constant: foldBinary(run.file.language, operator, left.constant, right.constant)
})

export const ternaryAt = (run: Run, scope: Scope, node: number): Value => {
  const { tree } = run
  const parts = tree.namedChildren(node)
  const named = tree.child(node, "condition")
  // Python's `a if c else b` names no parts.
  const [yes, condition, no] =
    named === NONE
      ? parts
      : [
          tree.child(node, tree.child(node, "consequence") === NONE ? "body" : "consequence"),
          named,
          tree.child(node, "alternative")
        ]
  const truth = truthOf(run.file.language, evaluate(run, scope, condition ?? NONE).constant)
  if (truth !== null) return evaluate(run, scope, (truth ? yes : no) ?? NONE)
  const whenTrue = scope.copy()
  const whenFalse = scope.copy()
  refine(run, whenTrue, condition ?? NONE, true)
  refine(run, whenFalse, condition ?? NONE, false)
  const before = [whenTrue.all, whenFalse.all] as const
  const value = join(evaluate(run, whenTrue, yes ?? NONE), evaluate(run, whenFalse, no ?? NONE))
  const isQuiet = whenTrue.sameAs(before[0]) && whenFalse.sameAs(before[1]) && !whenTrue.dead && !whenFalse.dead
  if (!isQuiet) merge(run, scope, [whenTrue, whenFalse])
  return value
}

const transparent = [
  "parenthesized_expression",
  "await_expression",
  "await",
  "argument",
  "literal_element",
  "interpolation"
]

/** What wraps a value changes it, unless it is known to only hold it; `-x` and `!x` are wrapped in some grammars. */
export const unary = (run: Run, node: number, inner: number, value: Value): Value => {
  const { tree } = run
  if (value.constant === undefined || tree.is(node, ...transparent)) return value
  const operator = tree.is(node, "unary_expression") ? tree.text.slice(tree.start(node), tree.start(inner)).trim() : ""
  const constant = foldUnary(run.file.language, operator, value.constant)
  return constant === undefined ? withoutConstant(value) : constantValue(constant, "number")
}
