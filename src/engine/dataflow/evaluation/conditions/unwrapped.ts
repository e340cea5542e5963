import { NONE } from "../../../languages/tree/FlatTree.ts"
import type { Run } from "../Run.ts"

/** An expression without what only stands around it. */
export const unwrapped = (run: Run, node: number): number => {
  let at = node
  while (
    run.tree.is(
      at,
      "parenthesized_expression",
      "parenthesized_statements",
      "await_expression",
      "await",
      "non_null_expression",
      "as_expression",
      "satisfies_expression"
    )
  ) {
    at = run.tree.namedChildren(at)[0] ?? NONE
  }
  return at
}
