import { startOf } from "../../../schema/characters.ts"
import type { Language } from "../../core/files/Language.ts"
import type { FlatTree } from "../tree/FlatTree.ts"
import { syntaxOf } from "./languages.ts"

/** The named scopes of a file: functions, classes, keys. */
export interface Scopes {
  /** Sorted by start; a scope's parent comes before it. */
  readonly starts: Int32Array
  readonly ends: Int32Array
  readonly parents: Int32Array
  readonly names: ReadonlyArray<string>
  readonly paths: Array<string | undefined>
}

const clip = (name: string): string => (name.length > 120 ? `${startOf(name, 117)}...` : name)

/** Null for a language without scopes, whose files are then not parsed. */
export const scopesOf = (file: { readonly language: Language; readonly tree: FlatTree | null }): Scopes | null => {
  const syntax = syntaxOf(file.language)
  const tree = syntax === null ? null : file.tree
  if (syntax === null || tree === null) return null
  const functionKinds = new Set(syntax.functionKinds)
  const starts: Array<number> = []
  const ends: Array<number> = []
  const parents: Array<number> = []
  const names: Array<string> = []
  const open: Array<number> = []
  for (const node of tree.of(...syntax.functionKinds, ...syntax.scopeKinds)) {
    const isFunction = functionKinds.has(tree.kind(node))
    const name = isFunction ? syntax.functionAt(tree, node)?.name : syntax.scopeName(tree, node)
    if (name === undefined || name === null || name === "") continue
    const start = tree.start(node)
    while (open.length > 0 && ends[open.at(-1)!]! <= start) open.pop()
    starts.push(start)
    ends.push(tree.end(node))
    parents.push(open.at(-1) ?? -1)
    names.push(clip(name))
    open.push(starts.length - 1)
  }
  return {
    starts: Int32Array.from(starts),
    ends: Int32Array.from(ends),
    parents: Int32Array.from(parents),
    names,
    paths: new Array(names.length)
  }
}

/** No one writes scopes as deep as this; a file made to be deep must not make names as long as itself. */
const MAX_DEPTH = 24

const pathOf = (scopes: Scopes, index: number): string => {
  const known = scopes.paths[index]
  if (known !== undefined) return known
  const names: Array<string> = []
  for (let at = index; at >= 0 && names.length < MAX_DEPTH; at = scopes.parents[at]!) names.push(scopes.names[at]!)
  const path = names.reverse().join(".")
  scopes.paths[index] = path
  return path
}

/** Names of the scopes around an offset, joined by "."; null outside of all. */
export const symbolIn = (scopes: Scopes, offset: number): string | null => {
  let low = 0
  let high = scopes.starts.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (scopes.starts[middle]! <= offset) low = middle + 1
    else high = middle
  }
  let at = low - 1
  while (at >= 0 && scopes.ends[at]! <= offset) at = scopes.parents[at]!
  return at < 0 ? null : pathOf(scopes, at)
}
