/** A number that was typed, or null for none; undefined when it is no number in the range. */
export const limitOf = (text: string, least: number, isWhole: boolean): number | null | undefined => {
  if (text.trim() === "") return null
  const value = Number(text.trim().replace(/^\$/, ""))
  return Number.isFinite(value) && value >= least && (!isWhole || Number.isInteger(value)) ? value : undefined
}

export const requestsProblem = (text: string): string | undefined =>
  limitOf(text, 1, true) === undefined ? "Enter a whole number of at least 1." : undefined

export const dollarsProblem = (text: string): string | undefined =>
  limitOf(text, 0.01, false) === undefined ? "Enter an amount of at least 0.01." : undefined

/** What was typed between commas and line breaks. */
export const listed = (text: string): ReadonlyArray<string> =>
  text
    .split(/[\s,]+/)
    .map((one) => one.trim())
    .filter((one) => one !== "")
