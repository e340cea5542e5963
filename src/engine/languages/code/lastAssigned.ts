import { addTo } from "../../core/collections/lists.ts"
import type { SourceFile } from "../../core/files/SourceFile.ts"
import { syntaxOf } from "../syntax/languages.ts"
import { type Assignment, assignments } from "../syntax/vocabulary.ts"
import { NONE } from "../tree/FlatTree.ts"

const MAX_LOOKED_AT = 12

const byTarget = (file: SourceFile): ReadonlyMap<string, ReadonlyArray<Assignment>> => {
  const found = new Map<string, Array<Assignment>>()
  for (const given of assignments(file)) addTo(found, given.target, given)
  return found
}

export const assignmentsTo = (file: SourceFile, target: string): ReadonlyArray<Assignment> =>
  file.memo(byTarget, byTarget).get(target) ?? []

/** The value a variable was given last before a node, in the same function or at the top of the file; NONE if unknown. */
export const lastAssigned = (file: SourceFile, target: string, before: number): number => {
  const given = assignmentsTo(file, target)
  if (given.length === 0) return NONE
  const tree = file.tree!
  let low = 0
  let high = given.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (given[middle]!.node < before) low = middle + 1
    else high = middle
  }
  const kinds = syntaxOf(file.language)!.functionKinds
  const owner = tree.enclosing(before, ...kinds)
  for (let i = low - 1; i >= 0 && i >= low - MAX_LOOKED_AT; i--) {
    const { node, value } = given[i]!
    const around = tree.enclosing(node, ...kinds)
    if (around === NONE || around === owner || (owner !== NONE && tree.contains(around, owner))) return value
  }
  return NONE
}
