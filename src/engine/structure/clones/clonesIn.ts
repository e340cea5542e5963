import { type EqualLimits, equalPrints, slotOf, slotsFor } from "./equalPrints.ts"
import { PRINT_TOKENS, PrintPool, WINDOW } from "./prints.ts"

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

export interface CloneLimits extends EqualLimits {
  readonly minTokens: number
  readonly minDecisions: number
}

interface Run {
  readonly a: CloneRange
  readonly b: CloneRange
  readonly isExact: boolean
  readonly tokens: number
}

const MAX_PRINTS = 2 ** 21

const rangeOf = (pool: PrintPool, first: number, last: number): CloneRange => ({
  file: pool.fileOf[first]!,
  firstToken: pool.token(first),
  lastToken: pool.token(last) + PRINT_TOKENS - 1,
  start: pool.start(first),
  end: pool.end(last),
  lineStart: pool.lineStart(first),
  lineEnd: pool.lineEnd(last)
})

/**
 * Pairs of equal prints that keep their distance are one long piece of equal code. Pairs come in the order of their first
 * print, so of each distance between two files one run is open at a time.
 */
class Runs {
  readonly found: Array<Run> = []
  private readonly pool: PrintPool
  private readonly limits: CloneLimits
  /** The open run of each distance that was seen, by number: its first and last pair, and whether names are equal, too. */
  private readonly firstA: Int32Array
  private readonly firstB: Int32Array
  private readonly lastA: Int32Array
  private readonly lastB: Int32Array
  private readonly isExact: Uint8Array
  private readonly numbers: Int32Array
  private count = 0

  constructor(pool: PrintPool, limits: CloneLimits, pairs: number) {
    this.pool = pool
    this.limits = limits
    this.firstA = new Int32Array(pairs)
    this.firstB = new Int32Array(pairs)
    this.lastA = new Int32Array(pairs)
    this.lastB = new Int32Array(pairs)
    this.isExact = new Uint8Array(pairs)
    this.numbers = new Int32Array(slotsFor(pairs)).fill(-1)
  }

  add(a: number, b: number): void {
    const { pool } = this
    const run = this.numberOf(a, b)
    const isNew = run === this.count
    const goesOn = !isNew && pool.token(a) - pool.token(this.lastA[run]!) <= WINDOW
    if (isNew) this.count++
    if (!goesOn) {
      if (!isNew) this.close(run)
      this.firstA[run] = a
      this.firstB[run] = b
      this.isExact[run] = 1
    }
    this.lastA[run] = a
    this.lastB[run] = b
    if (pool.exact(a) !== pool.exact(b)) this.isExact[run] = 0
  }

  closeAll(): void {
    for (let run = 0; run < this.count; run++) this.close(run)
  }

  /** Of the distance between these prints; the next number when it is new. */
  private numberOf(a: number, b: number): number {
    const { pool, numbers } = this
    const { fileOf } = pool
    const distance = pool.token(b) - pool.token(a)
    const key = Math.imul(Math.imul(fileOf[a]!, 0x85ebca6b) ^ fileOf[b]!, 0xc2b2ae35) ^ distance
    let slot = slotOf(key, numbers.length)
    for (; numbers[slot] !== -1; slot = (slot + 1) & (numbers.length - 1)) {
      const known = numbers[slot]!
      const [x, y] = [this.lastA[known]!, this.lastB[known]!]
      if (fileOf[x] === fileOf[a] && fileOf[y] === fileOf[b] && pool.token(y) - pool.token(x) === distance) return known
    }
    numbers[slot] = this.count
    return this.count
  }

  private close(run: number): void {
    const { pool, limits } = this
    const [a1, a2, b1, b2] = [this.firstA[run]!, this.lastA[run]!, this.firstB[run]!, this.lastB[run]!]
    if (a1 === a2) return
    const tokens = pool.token(a2) + PRINT_TOKENS - pool.token(a1)
    if (tokens < limits.minTokens) return
    if (pool.decisions(a2) - pool.decisions(a1) < limits.minDecisions) return
    // Code that is like itself a little further on is a list.
    if (pool.fileOf[a1] === pool.fileOf[b1] && pool.token(b1) < pool.token(a2) + PRINT_TOKENS) return
    this.found.push({
      a: rangeOf(pool, a1, a2),
      b: rangeOf(pool, b1, b2),
      isExact: this.isExact[run] === 1,
      tokens
    })
  }
}

const runsOf = (pool: PrintPool, limits: CloneLimits): ReadonlyArray<Run> => {
  const { next, pairs } = equalPrints(pool, limits)
  const runs = new Runs(pool, limits, pairs)
  for (let a = 0; a < pool.count; a++) for (let b = next[a]!; b >= 0; b = next[b]!) runs.add(a, b)
  runs.closeAll()
  return runs.found
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
  const pool = new PrintPool(
    all.map(({ prints }) => prints),
    MAX_PRINTS
  )
  const runs = runsOf(pool, limits)
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
