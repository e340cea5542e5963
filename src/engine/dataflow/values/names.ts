import { applySummary, summaryOf } from "../evaluation/functions.ts"
import { memberOf, sourceAt } from "../evaluation/members.ts"
import { importedPath, type Run } from "../evaluation/Run.ts"
import type { Scope } from "./Scope.ts"
import { isTainted, unknown, type Value } from "./Value.ts"

export const nameAt = (run: Run, scope: Scope, node: number): Value => {
  const name = run.tree.textOf(node)
  const held = scope.get(name)
  if (held !== undefined) return held
  if (name === "$this") return selfAt(run, scope, node)
  const global = run.language.globals?.(run.file, name) ?? null
  if (global !== null) return pathValue(run, node, global)
  if (/^@\w/.test(name)) return memberOf(run, node, selfAt(run, scope, node), name.slice(1))
  const answer = run.file.language === "ruby" ? answerOf(run, node, name) : null
  if (answer !== null) return answer
  const path = importedPath(run.file, name)
  if (path !== null) return pathValue(run, node, path)
  const local = run.index.named(name)
  if (local !== undefined) return { ...unknown(), callable: { node: local.node, scope: null } }
  const implied = run.language.implicitThis === true ? impliedAt(run, node, name) : null
  return implied ?? pathValue(run, node, name)
}

/** What an access path holds: untrusted input, or something known by its path only. */
const pathValue = (run: Run, node: number, path: string): Value =>
  run.language.sources.test(path) ? sourceAt(run, node, path) : unknown(path)

/** A field of the class around a method, or a class, in languages that leave out `this`. */
const impliedAt = (run: Run, node: number, name: string): Value | null => {
  const owner = run.frame.info === null ? null : run.index.className(run.frame.info.node)
  if (owner !== null && /^[A-Za-z_]/.test(name)) {
    const field = memberOf(run, node, unknown(`self:${owner}`), name)
    if (field.type !== null || field.callable !== null || field.constant !== undefined || isTainted(field)) return field
  }
  return /^[A-Z]/.test(name) ? unknown(run.language.declaredType(run.file, name) ?? name) : null
}

/** A Ruby method without arguments looks like a variable. */
const answerOf = (run: Run, node: number, name: string): Value | null => {
  if (!run.index.hasMethod(name)) return null
  const owner = run.index.className(node)
  const info = run.index.named(owner === null ? name : `${owner}.${name}`)
  if (info === undefined || info.parameters.length > 0) return null
  const summary = summaryOf(run, info)
  return summary === null ? unknown() : applySummary(run, node, summary, [])
}

export const selfAt = (run: Run, scope: Scope, node: number): Value => {
  const held = scope.get(run.tree.textOf(node))
  if (held !== undefined) return held
  const owner = run.index.className(node)
  return unknown(owner === null ? null : `self:${owner}`)
}
