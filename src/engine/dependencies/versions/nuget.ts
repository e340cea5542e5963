import { compareText } from "../../core/text/compareText.ts"
import { compareNumbers, compareRelease, isNumber } from "./parts.ts"

const shape = /^\s*v?(\d+(?:\.\d+){0,3})(?:-([0-9a-z-]+(?:\.[0-9a-z-]+)*))?(?:\+[0-9a-z.-]*)?\s*$/i

const comparePrerelease = (a: string | undefined, b: string | undefined): number => {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? 1 : -1
  const left = a.toLowerCase().split(".")
  const right = b.toLowerCase().split(".")
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const [x, y] = [left[i]!, right[i]!]
    const numeric = Number(isNumber(y)) - Number(isNumber(x))
    const order = numeric !== 0 ? numeric : isNumber(x) ? compareNumbers(x, y) : compareText(x, y)
    if (order !== 0) return order
  }
  return left.length - right.length
}

/** Semantic versions with up to four numbers, whatever the case of their labels. */
export const compareNuget = (a: string, b: string): number | null => {
  const left = shape.exec(a)
  const right = shape.exec(b)
  if (left === null || right === null) return null
  return compareRelease(left[1]!.split("."), right[1]!.split(".")) || comparePrerelease(left[2], right[2])
}
