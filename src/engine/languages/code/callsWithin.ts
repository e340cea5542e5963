import type { SourceFile } from "../../core/files/SourceFile.ts"
import { type Call, calls } from "../syntax/vocabulary.ts"

const firstFrom = (all: ReadonlyArray<Call>, node: number): number => {
  let low = 0
  let high = all.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (all[middle]!.node < node) low = middle + 1
    else high = middle
  }
  return low
}

/** Calls below a node (or the node itself), in document order. */
export const callsWithin = (file: SourceFile, node: number): ReadonlyArray<Call> => {
  const tree = file.tree
  if (tree === null || node < 0) return []
  const all = calls(file)
  return all.slice(firstFrom(all, node), firstFrom(all, tree.lastDescendant(node) + 1))
}
