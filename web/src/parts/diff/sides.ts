import type { DiffLine } from "./parseDiff.ts"
import { blocksOf } from "./words.ts"

/** Two lines beside each other, by their positions in the hunk; null where one side has none. */
export interface SideRow {
  readonly before: number | null
  readonly after: number | null
}

/** A hunk's lines in two columns: what was removed stands beside what took its place. */
export const sideRows = (lines: ReadonlyArray<DiffLine>): ReadonlyArray<SideRow> => {
  const blocks = new Map(blocksOf(lines).map((block) => [Math.min(...block.removed, ...block.added), block]))
  const rows: Array<SideRow> = []
  for (const [index, { kind }] of lines.entries()) {
    if (kind === "same") rows.push({ before: index, after: index })
    const block = blocks.get(index)
    if (block === undefined) continue
    const height = Math.max(block.removed.length, block.added.length)
    for (let row = 0; row < height; row++)
      rows.push({ before: block.removed[row] ?? null, after: block.added[row] ?? null })
  }
  return rows
}
