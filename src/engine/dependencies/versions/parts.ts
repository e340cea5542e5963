import { compareText } from "../../core/text/compareText.ts"

/** Numbers of any length, compared as numbers: versions contain dates and commit counts beyond 2^53. */
export const compareNumbers = (a: string, b: string): number => {
  const left = a.replace(/^0+(?=\d)/, "")
  const right = b.replace(/^0+(?=\d)/, "")
  return left.length - right.length || compareText(left, right)
}

export const isNumber = (part: string): boolean => /^\d+$/.test(part)

/** Dotted numbers, the shorter padded with zeros. */
export const compareRelease = (a: ReadonlyArray<string>, b: ReadonlyArray<string>): number => {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const order = compareNumbers(a[i] ?? "0", b[i] ?? "0")
    if (order !== 0) return order
  }
  return 0
}
