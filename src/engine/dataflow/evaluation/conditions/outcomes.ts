import type { Call } from "../../../languages/syntax/Syntax.ts"
import { NONE } from "../../../languages/tree/FlatTree.ts"
import { type Cleared, harmless } from "../checks.ts"
import type { Run } from "../Run.ts"

export const isNothing = ({ tree }: Run, node: number): boolean => /^(?:None|nil|null)$/.test(tree.textOf(node))

export const isComparedToNothing = (run: Run, operator: string, right: number): boolean =>
  /^[=!]={1,2}$/.test(operator) && isNothing(run, right)

/** They fail for what is not a number, an identifier or a time. */
export const conversions =
  /^(?:strconv\.(?:Atoi|Parse(?:Int|Uint|Float|Bool))|uuid\.(?:Parse|FromString|Validate)|time\.Parse(?:Duration)?|netip\.ParseAddr)$/

/** The call that gave an error which a condition tests: at the head of its `if`, or right before it. */
export const errorCall = ({ tree }: Run, name: number): number => {
  const branch = tree.enclosing(name, "if_statement")
  if (branch === NONE) return NONE
  const initializer = tree.child(branch, "initializer")
  const siblings = tree.namedChildren(tree.parent(branch))
  const before = initializer === NONE ? (siblings[siblings.indexOf(branch) - 1] ?? NONE) : initializer
  if (!tree.is(before, "short_var_declaration", "assignment_statement")) return NONE
  const targets = tree.namedChildren(tree.child(before, "left"))
  const values = tree.namedChildren(tree.child(before, "right"))
  const isLast = tree.textOf(targets.at(-1) ?? NONE) === tree.textOf(name)
  return isLast && values.length === 1 ? values[0]! : NONE
}

const scalarTypes = /^\(?\s*(?:(?:int|float|bool|complex|Decimal|UUID|datetime|date)\b[\s,|]*(?:\w+\.)?)+\)?$/

/** `isinstance(x, (int, float))`. */
export const checkedByType = (
  { tree }: Run,
  { callee, args: [subject, type] }: Call,
  holds: boolean
): ReadonlyArray<Cleared> =>
  holds && callee === "isinstance" && subject !== undefined && type !== undefined && scalarTypes.test(tree.textOf(type))
    ? [harmless(subject)]
    : []
