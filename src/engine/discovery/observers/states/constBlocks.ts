const MAX_BLOCK = 4_000

/** Blocks of constants of Go, with where each begins; a block without an end is none. */
export const constBlocks = (text: string): ReadonlyArray<{ readonly body: string; readonly from: number }> =>
  [...text.matchAll(/^const[ \t]{0,8}\(\n/gm)].flatMap(({ 0: head, index }) => {
    const from = index + head.length
    const block = text.slice(from, from + MAX_BLOCK)
    const end = block.startsWith(")") ? -1 : block.indexOf("\n)")
    return end < 0 ? [] : [{ body: block.slice(0, end + 1), from }]
  })
