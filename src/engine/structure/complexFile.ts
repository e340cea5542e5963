import type { SourceFile } from "../core/files/SourceFile.ts"
import { NONE } from "../languages/tree/FlatTree.ts"
import { cognitiveComplexity } from "./cognitiveComplexity.ts"

/** How hard a file is to follow, and the function that makes it so. */
export interface ComplexFile {
  /** Cognitive complexity of all functions together. */
  readonly total: number
  readonly hardest: number
  readonly name: string
  /** Its header. */
  readonly start: number
  readonly end: number
}

const compute = (file: SourceFile): ComplexFile | null => {
  const tree = file.tree
  if (tree === null) return null
  let total = 0
  let hardest: ReturnType<typeof cognitiveComplexity>[number] | null = null
  for (const complexity of cognitiveComplexity(file)) {
    total += complexity.cognitive
    if (hardest === null || complexity.cognitive > hardest.cognitive) hardest = complexity
  }
  if (hardest === null || total === 0) return null
  const { node, body, name } = hardest.info
  const start = tree.start(node)
  const end = Math.max(start + 1, body === NONE ? tree.end(node) : tree.start(body))
  return { total, hardest: hardest.cognitive, name: (name ?? "").slice(0, 80), start, end }
}

/** Null for a file without decisions. */
export const complexFile = (file: SourceFile): ComplexFile | null => file.memo(compute, compute)

/** A complex file as it crosses threads: a row without names. */
export type EncodedComplexity = readonly [total: number, hardest: number, name: string, start: number, end: number]

export const encodeComplex = ({ total, hardest, name, start, end }: ComplexFile): EncodedComplexity => [
  total,
  hardest,
  name,
  start,
  end
]

/** The inverse of `encodeComplex`, for what it made. */
export const decodeComplex = ([total, hardest, name, start, end]: EncodedComplexity): ComplexFile => ({
  total,
  hardest,
  name,
  start,
  end
})
