/** Lines of a text with their offsets, without line ends. */
export function* linesOf(text: string): Generator<readonly [line: string, start: number]> {
  for (let start = 0; start <= text.length; ) {
    let end = text.indexOf("\n", start)
    if (end < 0) end = text.length
    const stop = end > start && text.charCodeAt(end - 1) === 0x0d ? end - 1 : end
    yield [text.slice(start, stop), start]
    start = end + 1
  }
}

/** Longer lines are nothing that these formats have; patterns need not look at them. */
export const MAX_LINE = 4_096
