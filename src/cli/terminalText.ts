/** Lines of at most so many columns; a word that is longer has a line of its own. */
export const wrapped = (text: string, columns: number): ReadonlyArray<string> => {
  const lines = [""]
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1)!
    if (last === "") lines[lines.length - 1] = word
    else if (last.length + 1 + word.length <= columns) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

/** One line that is cut at its end where it is too long. */
export const shortened = (text: string, columns: number): string =>
  text.length <= columns ? text : `${text.slice(0, Math.max(1, columns - 1))}…`

/** Thousands apart by commas. The language library that does it for any language takes longer to load than a small audit to print. */
export const grouped = (n: number): string => String(n).replace(/\B(?=(?:\d{3})+$)/g, ",")

export const counted = (n: number, noun: string): string => `${grouped(n)} ${noun}${n === 1 ? "" : "s"}`
