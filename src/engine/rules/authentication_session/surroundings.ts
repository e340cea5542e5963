import type { SourceFile } from "../../core/files/SourceFile.ts"
import { lastAssigned } from "../../languages/code/lastAssigned.ts"
import { syntaxOf } from "../../languages/syntax/languages.ts"
import { literalValue, unwrap } from "../../languages/syntax/strings.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"

export type State = "on" | "off" | "unknown"

/** Whether a value is written as true or false; anything computed is not known. */
export const stateOf = (file: SourceFile, node: number | undefined): State => {
  if (node === undefined || node === NONE) return "unknown"
  const text = file.tree!.textOf(unwrap(file, node)).slice(0, 12).toLowerCase()
  return text === "true" || text === "1" ? "on" : text === "false" || text === "0" ? "off" : "unknown"
}

/** A number, a product of numbers, or the value of a name that was assigned one. */
export const numberOf = (file: SourceFile, node: number | undefined): number | null => {
  if (node === undefined || node === NONE) return null
  const tree = file.tree!
  let at = unwrap(file, node)
  if (tree.is(at, "identifier", "variable_name", "constant")) at = unwrap(file, lastAssigned(file, tree.textOf(at), at))
  const text = tree
    .textOf(at)
    .slice(0, 60)
    .replaceAll("_", "")
    .replace(/(?<=\d)L$/, "")
  if (!/^\d{1,9}(?:\s*\*\s*\d{1,9}){0,3}$/.test(text)) return null
  return text.split("*").reduce((total, part) => total * Number(part), 1)
}

const MAX_FUNCTION = 20_000
const LINES_AT_TOP = 16

/** The function around a node, or its block of lines at the top level: equal for nodes with the same surroundings. */
const scopeOf = (file: SourceFile, node: number): number => {
  const tree = file.tree!
  const scope = tree.enclosing(node, ...syntaxOf(file.language)!.functionKinds)
  return scope === NONE ? -1 - Math.floor(file.line(tree.start(node)) / LINES_AT_TOP) : scope
}

/** Text of the function around a node, or of the lines around it at the top level. */
export const around = (file: SourceFile, node: number): string => {
  const tree = file.tree!
  const scope = scopeOf(file, node)
  if (scope < 0) {
    const first = (-1 - scope) * LINES_AT_TOP
    const from = file.lineStarts[Math.max(0, first - LINES_AT_TOP)]!
    const to = file.lineStarts[first + 2 * LINES_AT_TOP] ?? file.text.length
    return file.text.slice(from, Math.min(to, from + MAX_FUNCTION))
  }
  const start = tree.start(scope)
  return file.text.slice(start, Math.min(tree.end(scope), start + MAX_FUNCTION))
}

const occurrences = (): Map<RegExp, Map<number, boolean>> => new Map()

/** Whether a pattern occurs around a node; tested once for each function. */
export const occursAround = (file: SourceFile, node: number, pattern: RegExp): boolean => {
  const byPattern = file.memo(occurrences, occurrences)
  const known = byPattern.get(pattern) ?? new Map<number, boolean>()
  byPattern.set(pattern, known)
  const scope = scopeOf(file, node)
  const occurs = known.get(scope) ?? pattern.test(around(file, node))
  known.set(scope, occurs)
  return occurs
}

export const textOf = (file: SourceFile, node: number | undefined): string =>
  node === undefined ? "" : (literalValue(file, node) ?? file.tree!.textOf(unwrap(file, node)).slice(0, 200))

/** Names of the function and class around a node, which indicate its purpose. */
export const purpose = (file: SourceFile, node: number): string => file.symbolAt(file.tree!.start(node)) ?? ""
