const comment = /(?:^|\s)#.*$/
const betweenDouble = /"(?:[^"\\]|\\.)*"/g
const beginsInput = /<<[-~]?\s*["']?([A-Za-z_]\w*)["']?/

/** A line that is longer was written by a program. */
const MAX_LINE = 1_000

/** Apostrophes that begin or end a text, outside of comments and of what stands between double quotes. */
const apostrophesIn = (line: string): number =>
  line
    .slice(0, MAX_LINE)
    .replace(betweenDouble, "")
    .replace(comment, "")
    .match(/(?<!\\)'/g)?.length ?? 0

/** Lines of shell without those that are the text of an argument over several lines, or the input of a command. */
export const withoutArguments = <Line extends { readonly text: string }>(
  lines: ReadonlyArray<Line>
): ReadonlyArray<Line> => {
  let isQuoted = false
  let end: string | null = null
  return lines.filter(({ text }) => {
    if (end !== null) {
      if (text.trim() === end) end = null
      return false
    }
    const wasQuoted = isQuoted
    if (apostrophesIn(text) % 2 === 1) isQuoted = !isQuoted
    if (!wasQuoted && !isQuoted) end = beginsInput.exec(text)?.[1] ?? null
    return !wasQuoted
  })
}
