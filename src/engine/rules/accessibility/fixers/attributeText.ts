import type { Attribute } from "../../../languages/markup/Element.ts"

/** The range of an attribute's value without its quotes; null for one without a value. */
export const valueRange = (
  text: string,
  { start, end }: Attribute
): { readonly start: number; readonly end: number } | null => {
  const written = /^[^=]*=\s*(\{\s*["'`]|\{\s*|["'`]?)/.exec(text.slice(start, end))
  if (written === null) return null
  const from = start + written[0].length
  const inside = text.slice(from, end).replace(/\s*["'`]?\s*\}?$/, "")
  return { start: from, end: from + inside.length }
}
