import { NONE } from "../../languages/tree/FlatTree.ts"
import { truthOf } from "../values/folding.ts"
import type { Scope } from "../values/Scope.ts"
import { blend, isTainted, join, unknown, type Value } from "../values/Value.ts"
import { bind } from "./binding.ts"
import { refine } from "./conditions.ts"
import { evaluate } from "./evaluate.ts"
import type { Run } from "./Run.ts"

/** `match ($x) { 'a' => $y, default => $z }`, and `match (true)`, whose arms begin with conditions. */
export const matchAt = (run: Run, scope: Scope, node: number): Value => {
  const { tree } = run
  const head = tree.child(node, "condition")
  const subject = tree.is(head, "parenthesized_expression") ? (tree.namedChildren(head)[0] ?? NONE) : head
  const isTrue = truthOf("php", evaluate(run, scope, subject).constant) === true
  let value: Value | null = null
  for (const arm of tree.namedChildren(tree.child(node, "body"))) {
    const inside = scope.copy()
    const labels = tree.namedChildren(tree.child(arm, "conditional_expressions"))
    if (labels.length === 1 && isTrue) refine(run, inside, labels[0]!, true)
    else if (labels.length > 0 && !isTrue) refine(run, inside, subject, true, labels)
    const own = evaluate(run, inside, tree.child(arm, "return_expression"))
    value = value === null ? own : join(value, own)
  }
  return value ?? unknown()
}

/** Who sends a form names its fields: `foreach ($_POST as $name => $value)`. */
export const bindKey = (run: Run, scope: Scope, target: number, items: Value): void => {
  if (!run.tree.is(target, "pair", "foreach_pair")) return
  const key = run.tree.namedChildren(target)[0] ?? NONE
  bind(run, scope, key, isTainted(items) ? blend([{ ...items, fields: null }]) : unknown())
}
