// A character is a Unicode code point, as in JSON Schema; the runtime's own length counts some of them twice.

const isPair = (s: string, low: number) =>
  (s.charCodeAt(low) & 0xfc00) === 0xdc00 && (s.charCodeAt(low - 1) & 0xfc00) === 0xd800

/** How many characters a text has. */
export const charactersOf = (s: string): number => {
  let count = s.length
  for (let i = 1; i < s.length; i++) if (isPair(s, i)) count--
  return count
}

/** The start of a text: at most `max` code units, without half a character at the end. */
export const startOf = (s: string, max: number): string => s.slice(0, isPair(s, max) ? max - 1 : max)

/** A text of at most `max` characters, the last of which stands for what was cut off. */
export const clip = (s: string, max: number): string => {
  let end = 0
  let last = 0
  for (let n = 0; n < max && end < s.length; n++) {
    last = end
    end += isPair(s, end + 1) ? 2 : 1
  }
  return end >= s.length ? s : `${s.slice(0, last)}…`
}
