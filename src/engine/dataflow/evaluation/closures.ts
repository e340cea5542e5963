import { NONE } from "../../languages/tree/FlatTree.ts"
import type { Scope } from "../values/Scope.ts"
import { unknown, type Value } from "../values/Value.ts"
import { type Run, roleOf } from "./Run.ts"

/** A function declared before its use in the same block can be called there. */
export const namedCallable = (run: Run, scope: Scope, at: number): void => {
  const node = undecorated(run, at)
  const name = run.tree.child(node, "name")
  if (name === NONE || run.frame.info === null) return
  scope.declare(run.tree.textOf(name), { ...unknown(), callable: { node, scope } })
  run.frame.pending.set(node, scope)
}

const undecorated = (run: Run, node: number): number => {
  const inner = run.tree.child(node, "definition")
  return inner === NONE ? node : inner
}

export const functionAt = (run: Run, scope: Scope, at: number): Value => {
  const node = undecorated(run, at)
  if (roleOf(run, node) === "class") return classAt(run, scope, node)
  if (run.frame.info === null) return { ...unknown(), callable: { node, scope: null } }
  run.frame.pending.set(node, scope)
  return { ...unknown(), callable: { node, scope } }
}

/** At the top of a file classes are left to their methods; inside a function their methods are closures. */
export const classAt = (run: Run, scope: Scope, node: number): Value => {
  if (run.frame.info === null) return unknown()
  const body = run.tree.child(node, "body")
  for (const member of run.tree.namedChildren(body))
    if (roleOf(run, member) === "function") functionAt(run, scope, member)
  return unknown()
}
