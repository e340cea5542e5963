import { memberOf, sourceAt } from "./members.ts"
import { importedPath, type Run } from "./Run.ts"
import type { Scope } from "./Scope.ts"
import { unknown, type Value } from "./Value.ts"

export const nameAt = (run: Run, scope: Scope, node: number): Value => {
  const name = run.tree.textOf(node)
  const held = scope.get(name)
  if (held !== undefined) return held
  if (name === "$this") return selfAt(run, scope, node)
  const path = importedPath(run.file, name)
  if (path !== null) return run.language.sources.test(path) ? sourceAt(run, node, path) : unknown(path)
  const local = run.index.named(name)
  if (local !== undefined) return { ...unknown(), callable: { node: local.node, scope: null } }
  // Java fields and Ruby methods are used without a receiver.
  if (run.file.language === "java" && run.frame.info !== null) {
    const owner = run.index.className(run.frame.info.node)
    if (owner !== null && /^[a-z_]/.test(name)) {
      const field = memberOf(run, node, unknown(`self:${owner}`), name)
      if (field.type !== null || field.callable !== null) return field
    }
  }
  if (run.file.language === "java" && /^[A-Z]/.test(name))
    return unknown(run.language.declaredType(run.file, name) ?? name)
  return run.language.sources.test(name) ? sourceAt(run, node, name) : unknown(name)
}

export const selfAt = (run: Run, scope: Scope, node: number): Value => {
  const held = scope.get(run.tree.textOf(node))
  if (held !== undefined) return held
  const owner = run.index.className(node)
  return unknown(owner === null ? null : `self:${owner}`)
}
