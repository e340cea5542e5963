import { decodePrints, PRINT_TOKENS, type Prints, WINDOW } from "./prints.ts"

export interface PrintedFile {
  readonly path: string
  /** As made by `encodePrints`. */
  readonly prints: string
}

/** A range of code that also occurs elsewhere. */
export interface CloneRange {
  /** Index among the compared files. */
  readonly file: number
  readonly firstToken: number
  readonly lastToken: number
  readonly start: number
  readonly end: number
  readonly lineStart: number
  readonly lineEnd: number
}

/** Ranges with the same code. */
export interface CloneClass {
  readonly ranges: ReadonlyArray<CloneRange>
  /** Not even a name differs. */
  readonly isExact: boolean
  readonly tokens: number
}

export interface CloneLimits {
  readonly minTokens: number
  readonly minDecisions: number
  /** Code that occurs more often is an idiom, and comparing it would take quadratic time. */
  readonly maxRanges: number
  readonly maxRangesInFile: number
}

interface Run {
  readonly a: CloneRange
  readonly b: CloneRange
  readonly isExact: boolean
  readonly tokens: number
}

/** All prints in one sequence. */
interface Pool {
  readonly files: ReadonlyArray<Prints>
  /** Index of each print's file. */
  readonly fileOf: Int32Array
  /** Index of each print in its file. */
  readonly printIn: Int32Array
}

const poolOf = (files: ReadonlyArray<Prints>): Pool => {
  const total = files.reduce((sum, { count }) => sum + count, 0)
  const fileOf = new Int32Array(total)
  const printIn = new Int32Array(total)
  let at = 0
  files.forEach(({ count }, file) => {
    for (let i = 0; i < count; i++) {
      fileOf[at] = file
      printIn[at++] = i
    }
  })
  return { files, fileOf, printIn }
}

/** Numbers of prints, those with equal hashes side by side. */
const sortedByHash = ({ files, fileOf, printIn }: Pool): Float64Array => {
  const keys = new Float64Array(fileOf.length)
  const size = fileOf.length
  for (let i = 0; i < size; i++) keys[i] = files[fileOf[i]!]!.loose(printIn[i]!) * 2 ** 21 + i
  return keys.sort()
}

const MAX_PRINTS = 2 ** 21

/** Calls `found` with pairs of prints that are equal, the earlier first. */
const equalPairs = (pool: Pool, limits: CloneLimits, found: (a: number, b: number) => void): void => {
  const keys = sortedByHash(pool)
  let from = 0
  for (let i = 1; i <= keys.length; i++) {
    if (i < keys.length && Math.floor(keys[i]! / MAX_PRINTS) === Math.floor(keys[from]! / MAX_PRINTS)) continue
    if (i - from > 1 && i - from <= limits.maxRanges) {
      const group = Array.from(keys.subarray(from, i), (key) => key % MAX_PRINTS)
      if (!isRepeated(pool, group, limits)) {
        for (let x = 0; x < group.length; x++) for (let y = x + 1; y < group.length; y++) found(group[x]!, group[y]!)
      }
    }
    from = i
  }
}

const isRepeated = ({ fileOf }: Pool, group: ReadonlyArray<number>, { maxRangesInFile }: CloneLimits): boolean => {
  let inFile = 1
  for (let i = 1; i < group.length; i++) {
    inFile = fileOf[group[i]!] === fileOf[group[i - 1]!] ? inFile + 1 : 1
    if (inFile > maxRangesInFile) return true
  }
  return false
}

const rangeOf = (prints: Prints, file: number, first: number, last: number): CloneRange => ({
  file,
  firstToken: prints.token(first),
  lastToken: prints.token(last) + PRINT_TOKENS - 1,
  start: prints.start(first),
  end: prints.end(last),
  lineStart: prints.lineStart(first),
  lineEnd: prints.lineEnd(last)
})

/** Distances between tokens of two files, either way; a file that is read has fewer tokens than half of it. */
const MAX_DISTANCES = 2 ** 21

/** Pairs that keep their distance are one long piece of equal code. */
const runsOf = (pool: Pool, limits: CloneLimits): ReadonlyArray<Run> => {
  const { files, fileOf, printIn } = pool
  const diagonals: Array<Array<readonly [a: number, b: number]>> = []
  const byFile = new Map<number, Map<number, Array<readonly [a: number, b: number]>>>()
  const tokenOf = (i: number) => files[fileOf[i]!]!.token(printIn[i]!)
  equalPairs(pool, limits, (a, b) => {
    const file = fileOf[a]!
    const known = byFile.get(file) ?? new Map<number, Array<readonly [a: number, b: number]>>()
    byFile.set(file, known)
    const key = fileOf[b]! * MAX_DISTANCES + tokenOf(b) - tokenOf(a)
    const pairs = known.get(key)
    if (pairs !== undefined) pairs.push([a, b])
    else {
      const begun = [[a, b] as const]
      known.set(key, begun)
      diagonals.push(begun)
    }
  })
  const runs: Array<Run> = []
  for (const pairs of diagonals) {
    if (pairs.length < 2) continue
    pairs.sort(([x], [y]) => x - y)
    let from = 0
    for (let i = 1; i <= pairs.length; i++) {
      if (i < pairs.length && tokenOf(pairs[i]![0]) - tokenOf(pairs[i - 1]![0]) <= WINDOW) continue
      const run = runOf(pool, pairs.slice(from, i), limits)
      if (run !== null) runs.push(run)
      from = i
    }
  }
  return runs
}

const runOf = (
  { files, fileOf, printIn }: Pool,
  pairs: ReadonlyArray<readonly [a: number, b: number]>,
  { minTokens, minDecisions }: CloneLimits
): Run | null => {
  const [[a1, b1], [a2, b2]] = [pairs[0]!, pairs.at(-1)!]
  const [fileA, fileB] = [fileOf[a1]!, fileOf[b1]!]
  const [printsA, printsB] = [files[fileA]!, files[fileB]!]
  const a = rangeOf(printsA, fileA, printIn[a1]!, printIn[a2]!)
  const b = rangeOf(printsB, fileB, printIn[b1]!, printIn[b2]!)
  const tokens = a.lastToken - a.firstToken + 1
  if (pairs.length < 2 || tokens < minTokens) return null
  if (printsA.decisions(printIn[a2]!) - printsA.decisions(printIn[a1]!) < minDecisions) return null
  // Code that is like itself a little further on is a list.
  if (fileA === fileB && b.firstToken <= a.lastToken) return null
  const isExact = pairs.every(([x, y]) => printsA.exact(printIn[x]!) === printsB.exact(printIn[y]!))
  return { a, b, isExact, tokens }
}

interface Draft {
  readonly ranges: Array<CloneRange>
  isExact: boolean
  readonly tokens: number
}

const sharedTokens = (a: CloneRange, b: CloneRange): number =>
  a.file !== b.file ? 0 : Math.max(0, Math.min(a.lastToken, b.lastToken) - Math.max(a.firstToken, b.firstToken) + 1)

/** Longest first, so that what is part of a longer clone is reported with it. */
const classesOf = (runs: ReadonlyArray<Run>): ReadonlyArray<CloneClass> => {
  const classes: Array<Draft> = []
  const byFile = new Map<number, Array<readonly [CloneRange, Draft]>>()
  const add = (draft: Draft, range: CloneRange): void => {
    draft.ranges.push(range)
    const known = byFile.get(range.file)
    if (known === undefined) byFile.set(range.file, [[range, draft]])
    else known.push([range, draft])
  }
  const covering = (range: CloneRange): Draft | null =>
    byFile
      .get(range.file)
      ?.find(([known]) => sharedTokens(known, range) * 2 >= range.lastToken - range.firstToken)?.[1] ?? null
  for (const { a, b, isExact, tokens } of runs) {
    const [ofA, ofB] = [covering(a), covering(b)]
    if (ofA !== null && ofB !== null) continue
    const draft = ofA ?? ofB
    if (draft === null) {
      const made: Draft = { ranges: [], isExact, tokens }
      classes.push(made)
      add(made, a)
      add(made, b)
    } else if (tokens * 10 >= draft.tokens * 7) {
      draft.isExact &&= isExact
      add(draft, ofA === null ? a : b)
    }
  }
  return classes
}

/** Code that occurs more than once, the longest first. Files are ordered by path. */
export const clonesIn = (
  all: ReadonlyArray<PrintedFile>,
  limits: CloneLimits,
  mayBeAlike: (a: number, b: number) => boolean
): ReadonlyArray<CloneClass> => {
  let left = MAX_PRINTS
  const files = all.map(({ prints }) => {
    const decoded = decodePrints(prints)
    left -= decoded.count
    return left > 0 ? decoded : { ...decoded, count: 0 }
  })
  const runs = runsOf(poolOf(files), limits)
    .filter(({ a, b }) => !mayBeAlike(a.file, b.file))
    .sort(
      (x, y) =>
        y.tokens - x.tokens ||
        x.a.file - y.a.file ||
        x.a.firstToken - y.a.firstToken ||
        x.b.file - y.b.file ||
        x.b.firstToken - y.b.firstToken
    )
  return classesOf(runs)
}
