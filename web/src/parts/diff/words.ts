import { diffWordsWithSpace } from "diff"
import type { Range } from "../code/tokens.ts"
import type { DiffLine } from "./parseDiff.ts"

/** Longer lines are compared as a whole. */
const maxLength = 1_000
/** Lines that share less than that are two lines, not one that changed. */
const leastShared = 0.3

interface Changed {
  readonly before: ReadonlyArray<Range>
  readonly after: ReadonlyArray<Range>
}

/** The words that differ between two versions of a line; null where they have too little in common. */
export const changedWords = (before: string, after: string): Changed | null => {
  if (before.length > maxLength || after.length > maxLength) return null
  const removed: Array<Range> = []
  const added: Array<Range> = []
  let old = 0
  let now = 0
  let shared = 0
  for (const { value, added: isAdded, removed: isRemoved } of diffWordsWithSpace(before, after)) {
    if (isRemoved) removed.push({ from: old, to: old + value.length })
    else if (isAdded) added.push({ from: now, to: now + value.length })
    else shared += value.trim().length
    if (!isAdded) old += value.length
    if (!isRemoved) now += value.length
  }
  const longest = Math.max(before.trim().length, after.trim().length)
  return longest === 0 || shared / longest < leastShared ? null : { before: removed, after: added }
}

/** Removed lines and the added ones that took their place, in the order of a hunk. */
export const blocksOf = (
  lines: ReadonlyArray<DiffLine>
): ReadonlyArray<{ readonly removed: ReadonlyArray<number>; readonly added: ReadonlyArray<number> }> => {
  const blocks: Array<{ removed: Array<number>; added: Array<number> }> = []
  let open: { removed: Array<number>; added: Array<number> } | null = null
  for (const [index, { kind }] of lines.entries()) {
    if (kind === "same") {
      open = null
      continue
    }
    if (open === null || (kind === "removed" && open.added.length > 0)) {
      open = { removed: [], added: [] }
      blocks.push(open)
    }
    open[kind].push(index)
  }
  return blocks
}

/** The changed words of each line of a hunk, by its position; lines that are wholly new or gone have none. */
export const wordRanges = (lines: ReadonlyArray<DiffLine>): ReadonlyMap<number, ReadonlyArray<Range>> => {
  const ranges = new Map<number, ReadonlyArray<Range>>()
  for (const { removed, added } of blocksOf(lines)) {
    for (const [pair, from] of removed.entries()) {
      const to = added[pair]
      const words = to === undefined ? null : changedWords(lines[from]!.text, lines[to]!.text)
      if (to === undefined || words === null) continue
      ranges.set(from, words.before)
      ranges.set(to, words.after)
    }
  }
  return ranges
}
