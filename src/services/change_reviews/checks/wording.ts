import { clip } from "../../../schema/characters.ts"

/** `3 files`. */
export const counted = (n: number, noun: string): string => `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`

const MAX_NAMED = 5

/** The first of them, and how many more there are. */
export const named = (items: ReadonlyArray<string>): string => {
  const shown = items.slice(0, MAX_NAMED).map(shortened)
  const more = items.length - shown.length
  return `${shown.join(", ")}${more > 0 ? ` and ${more.toLocaleString("en")} more` : ""}`
}

const MAX_CHARS = 160

const shortened = (item: string): string => clip(item, MAX_CHARS)
