import { compareText } from "../../core/text/compareText.ts"
import { compareNumbers, isNumber } from "./parts.ts"

const shape = /^\s*\d+(?:\.[0-9a-z]+)*(?:-[0-9a-z-]+(?:\.[0-9a-z-]+)*)?\s*$/i

/** Trailing zeros say nothing, neither of the release nor of what comes before it. */
const segmentsOf = (version: string): ReadonlyArray<string> => {
  const segments =
    version
      .trim()
      .replaceAll("-", ".pre.")
      .match(/\d+|[a-z]+/gi) ?? []
  const firstWord = segments.findIndex((segment) => !isNumber(segment))
  const split = firstWord < 0 ? segments.length : firstWord
  return [...withoutZeros(segments.slice(0, split)), ...withoutZeros(segments.slice(split))]
}

const withoutZeros = (segments: ReadonlyArray<string>): ReadonlyArray<string> => {
  let end = segments.length
  while (end > 0 && /^0+$/.test(segments[end - 1]!)) end--
  return segments.slice(0, end)
}

/** The order of `Gem::Version`: a word makes a pre-release. */
export const compareGem = (a: string, b: string): number | null => {
  if (!shape.test(a) || !shape.test(b)) return null
  const left = segmentsOf(a)
  const right = segmentsOf(b)
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const [x, y] = [left[i] ?? "0", right[i] ?? "0"]
    const numeric = Number(isNumber(x)) - Number(isNumber(y))
    const order = numeric !== 0 ? numeric : isNumber(x) ? compareNumbers(x, y) : compareText(x, y)
    if (order !== 0) return order
  }
  return 0
}
