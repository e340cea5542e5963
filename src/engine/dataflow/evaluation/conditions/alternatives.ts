import { compact } from "../../../languages/syntax/Syntax.ts"
import { isPath } from "../binding.ts"
import type { Cleared } from "../checks.ts"
import type { Run } from "../Run.ts"
import { unwrapped } from "./unwrapped.ts"

/** What one side of an operator makes sure of. */
type OfSide = (node: number) => ReadonlyArray<Cleared>

const subjectOf = (run: Run, node: number): string => compact(run.tree.textOf(unwrapped(run, node)))

/** "and" that holds says that both sides do, "or" that does not hold that neither does; otherwise one of them may. */
export const bothSides = (
  run: Run,
  node: number,
  operator: string,
  holds: boolean,
  ofSide: OfSide
): ReadonlyArray<Cleared> => {
  const isAnd = /^(?:&&|and)$/.test(operator)
  const left = run.tree.child(node, "left")
  const right = ofSide(run.tree.child(node, "right"))
  if (isAnd === holds) return [...ofSide(left), ...right]
  return [...eitherSide(run, ofSide(left), right), ...unlessEmpty(run, left, isAnd, right)]
}

/** `x == "all" || is_numeric(x)` that holds: `x` is harmless to what both sides say that it is harmless to. */
const eitherSide = (run: Run, left: ReadonlyArray<Cleared>, right: ReadonlyArray<Cleared>): ReadonlyArray<Cleared> =>
  left.flatMap(({ node, kinds }): ReadonlyArray<Cleared> => {
    const other = right.find((cleared) => subjectOf(run, cleared.node) === subjectOf(run, node))
    return other === undefined ? [] : [{ node, kinds: kinds & other.kinds }]
  })

/** `name && !isValid(name)` that does not hold, `!name || isValid(name)` that does: an empty name is as harmless as a valid one. */
const unlessEmpty = (run: Run, left: number, isAnd: boolean, right: ReadonlyArray<Cleared>): ReadonlyArray<Cleared> => {
  const text = subjectOf(run, left)
  const subject = isAnd ? text : /^(?:!|not\s+)(.+)$/.exec(text)?.[1]
  if (subject === undefined || !isPath(subject)) return []
  return right.filter((cleared) => subjectOf(run, cleared.node) === subject)
}
