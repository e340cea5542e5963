import type { PrintPool } from "./prints.ts"

export interface EqualLimits {
  /** Code that occurs more often is an idiom, and comparing it would take quadratic time. */
  readonly maxRanges: number
  readonly maxRangesInFile: number
}

const NONE = -1

/** Slots of a table that is at most half full, as a power of two. */
export const slotsFor = (entries: number): number => 2 ** Math.ceil(Math.log2(2 * Math.max(1, entries)))

/** Spreads keys over so many slots. */
export const slotOf = (key: number, slots: number): number => (Math.imul(key, 0x9e3779b1) >>> 7) & (slots - 1)

/** For each print the next one with the same hash, and how many follow it. */
const chainsOf = (pool: PrintPool) => {
  const next = new Int32Array(pool.count)
  const following = new Int32Array(pool.count)
  const slots = slotsFor(pool.count)
  const first = new Int32Array(slots).fill(NONE)
  for (let i = pool.count - 1; i >= 0; i--) {
    const hash = pool.loose(i)
    let slot = slotOf(hash, slots)
    while (first[slot] !== NONE && pool.loose(first[slot]!) !== hash) slot = (slot + 1) & (slots - 1)
    const known = first[slot]!
    next[i] = known
    following[i] = known === NONE ? 0 : following[known]! + 1
    first[slot] = i
  }
  return { next, following }
}

/** Prints of equal code, linked in their order: those that say nothing are in no chain. */
export interface EqualPrints {
  /** The next print that equals this one, or a negative number. */
  readonly next: Int32Array
  readonly pairs: number
}

/** Cuts every chain that is an idiom, or that one file repeats. */
export const equalPrints = (pool: PrintPool, { maxRanges, maxRangesInFile }: EqualLimits): EqualPrints => {
  const { next, following } = chainsOf(pool)
  const isSeen = new Uint8Array(pool.count)
  let pairs = 0
  for (let head = 0; head < pool.count; head++) {
    if (isSeen[head] === 1 || next[head] === NONE) continue
    let inFile = 1
    let most = 1
    for (let i = head; i !== NONE; i = next[i]!) {
      isSeen[i] = 1
      const after = next[i]!
      inFile = after !== NONE && pool.fileOf[after] === pool.fileOf[i] ? inFile + 1 : 1
      if (inFile > most) most = inFile
    }
    const size = following[head]! + 1
    if (size <= maxRanges && most <= maxRangesInFile) pairs += (size * (size - 1)) / 2
    else cut(next, head)
  }
  return { next, pairs }
}

const cut = (next: Int32Array, head: number): void => {
  for (let i = head; i !== NONE; ) {
    const after = next[i]!
    next[i] = NONE
    i = after
  }
}
