// What a spreadsheet takes for a formula, also after white space and in full-width letters.
const formula = /^[\s\u200b\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20]/
const quotable = /[",\r\n]|^\s|\s$/

/** A text starts with an apostrophe where a spreadsheet would run it as a formula; numbers cannot be one. */
const cellOf = (value: string | number | null): string => {
  if (value === null) return ""
  if (typeof value === "number") return String(value)
  const text = formula.test(value) ? `'${value}` : value
  return quotable.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** One line of a CSV file as RFC 4180 has it; null is an empty cell. */
export const csvLine = (cells: ReadonlyArray<string | number | null>): string => `${cells.map(cellOf).join(",")}\r\n`
