/** Sorted, disjoint ranges of UTF-16 units, both ends included. */
export type CharSet = ReadonlyArray<readonly [low: number, high: number]>

const MAX = 0xffff

export const setOf = (ranges: ReadonlyArray<readonly [number, number]>): CharSet => {
  const sorted = [...ranges].sort((a, b) => a[0] - b[0])
  const merged: Array<readonly [number, number]> = []
  for (const [low, high] of sorted) {
    const last = merged.at(-1)
    if (last !== undefined && low <= last[1] + 1) merged[merged.length - 1] = [last[0], Math.max(last[1], high)]
    else merged.push([low, high])
  }
  return merged
}

export const complement = (set: CharSet): CharSet => {
  const out: Array<readonly [number, number]> = []
  let next = 0
  for (const [low, high] of set) {
    if (low > next) out.push([next, low - 1])
    next = high + 1
  }
  if (next <= MAX) out.push([next, MAX])
  return out
}

export const intersection = (a: CharSet, b: CharSet): CharSet => {
  const out: Array<readonly [number, number]> = []
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const low = Math.max(a[i]![0], b[j]![0])
    const high = Math.min(a[i]![1], b[j]![1])
    if (low <= high) out.push([low, high])
    if (a[i]![1] < b[j]![1]) i++
    else j++
  }
  return out
}

/** Some character of both, a printable one where there is one; null when there is none. */
export const common = (a: CharSet, b: CharSet): number | null => {
  let found: number | null = null
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const low = Math.max(a[i]![0], b[j]![0])
    const high = Math.min(a[i]![1], b[j]![1])
    if (low <= high) {
      if (high >= 0x61 && low <= 0x7a) return Math.max(low, 0x61)
      if (found === null || found < 0x20) found = Math.max(low, Math.min(high, 0x21))
    }
    if (a[i]![1] < b[j]![1]) i++
    else j++
  }
  return found
}

export const has = (set: CharSet, unit: number): boolean => {
  // Asked at every step of a trial on a pattern: no iterators.
  for (let i = 0; i < set.length; i++) {
    const range = set[i]!
    if (unit < range[0]) return false
    if (unit <= range[1]) return true
  }
  return false
}

const chars = (text: string): Array<readonly [number, number]> =>
  [...text].map((c) => [c.charCodeAt(0), c.charCodeAt(0)] as const)

const letters: ReadonlyArray<readonly [number, number]> = [
  [0x41, 0x5a],
  [0x61, 0x7a]
]

export const digit = setOf([[0x30, 0x39]])
export const word = setOf([...letters, [0x30, 0x39], [0x5f, 0x5f]])
export const space = setOf([...chars("\t\n\v\f\r \u00a0\ufeff\u2028\u2029"), [0x2000, 0x200a]])
export const anything = setOf([[0, MAX]])
export const notNewline = complement(setOf(chars("\n\r")))
export const letter = setOf([...letters, [0xc0, 0x24f]])

/** The other case of ASCII letters, too. */
export const bothCases = (set: CharSet): CharSet => {
  const more: Array<readonly [number, number]> = []
  for (const [low, high] of set) {
    if (high - low > 0x1000) continue
    for (let c = Math.max(low, 0x41); c <= Math.min(high, 0x7a); c++) {
      if ((c >= 0x41 && c <= 0x5a) || c >= 0x61) more.push([c ^ 0x20, c ^ 0x20])
    }
  }
  return more.length === 0 ? set : setOf([...set, ...more])
}
