import { NONE } from "../../languages/tree/FlatTree.ts"
import type { Scope } from "../values/Scope.ts"
import { unknown, type Value } from "../values/Value.ts"
import { MAX_DEPTH, type Run } from "./Run.ts"

/**
 * Expressions hold functions, functions hold statements, statements hold expressions. The run carries the two entries of
 * that circle, so that the modules which walk the parts need not import each other.
 */
export const evaluate = (run: Run, scope: Scope, node: number): Value => {
  if (node === NONE || run.fuel-- < 0 || run.depth > MAX_DEPTH) return unknown()
  run.depth++
  try {
    return run.expression(run, scope, node)
  } finally {
    run.depth--
  }
}
