import { compareNumbers, compareRelease, isNumber } from "./parts.ts"

const shape =
  /^\s*v?(\d+(?:\.\d+){0,3})(?:[._-]?(dev|stable|alpha|beta|rc|patch|pl|p|a|b)[._-]?(\d+(?:[._-]\d+){0,3})?)?(?:[._-]?(dev))?(?:\+[0-9a-z.-]*)?\s*$/i

const ranks: Readonly<Record<string, number>> = {
  dev: 0,
  alpha: 1,
  a: 1,
  beta: 2,
  b: 2,
  rc: 3,
  stable: 4,
  patch: 5,
  pl: 5,
  p: 5
}

const numbersOf = (text: string | undefined): ReadonlyArray<string> => (text ?? "").split(/[._-]/).filter(isNumber)

/** As Composer orders versions; branches (`dev-main`) have no place in the order. */
export const comparePackagist = (a: string, b: string): number | null => {
  const left = shape.exec(a)
  const right = shape.exec(b)
  if (left === null || right === null) return null
  const rank = (match: RegExpExecArray) => ranks[(match[2] ?? "stable").toLowerCase()]!
  const isDev = (match: RegExpExecArray) => (match[4] === undefined ? 1 : 0)
  return (
    compareRelease(left[1]!.split("."), right[1]!.split(".")) ||
    rank(left) - rank(right) ||
    compareStability(numbersOf(left[3]), numbersOf(right[3])) ||
    isDev(left) - isDev(right)
  )
}

const compareStability = (a: ReadonlyArray<string>, b: ReadonlyArray<string>): number => {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const order = compareNumbers(a[i] ?? "0", b[i] ?? "0")
    if (order !== 0) return order
  }
  return 0
}
