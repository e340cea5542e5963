/** Offsets into a file's text. */
export type Range = readonly [start: number, end: number]

/** Ranges in order, overlapping ones made one. */
export const mergedRanges = (ranges: ReadonlyArray<Range>): ReadonlyArray<Range> => {
  const out: Array<[number, number]> = []
  for (const [start, end] of [...ranges].sort((a, b) => a[0] - b[0] || b[1] - a[1])) {
    const last = out.at(-1)
    if (last !== undefined && start < last[1]) last[1] = Math.max(last[1], end)
    else if (end > start) out.push([start, end])
  }
  return out
}
