const MAX_BLOCK = 4_000

/** Blocks of constants of Go, with where each begins; a block without an end is none. Each end is looked for once. */
export const constBlocks = (text: string): ReadonlyArray<{ readonly body: string; readonly from: number }> => {
  let end = -1
  return [...text.matchAll(/^const[ \t]{0,8}\(\n/gm)].flatMap(({ 0: head, index }) => {
    const from = index + head.length
    if (end < from - 1) end = text.indexOf("\n)", from - 1)
    if (end < 0) end = text.length + MAX_BLOCK
    return end < from || end - from > MAX_BLOCK ? [] : [{ body: text.slice(from, end + 1), from }]
  })
}
