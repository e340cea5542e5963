import { compareText } from "../../core/text/compareText.ts"
import { compareNumbers, compareRelease, isNumber } from "./parts.ts"

const shape =
  /^v?(?:(\d+)!)?(\d+(?:\.\d+)*)(?:[-_.]?(alpha|beta|preview|pre|a|b|c|rc)[-_.]?(\d*))?(?:-(\d+)|[-_.]?(post|rev|r)[-_.]?(\d*))?(?:[-_.]?(dev)[-_.]?(\d*))?(?:\+([a-z0-9]+(?:[-_.][a-z0-9]+)*))?$/

const preRanks: Readonly<Record<string, number>> = { a: 0, alpha: 0, b: 1, beta: 1, c: 2, rc: 2, pre: 2, preview: 2 }

interface Version {
  readonly epoch: string
  readonly release: ReadonlyArray<string>
  /** Kind of pre-release and its number; a bare development release comes before every pre-release. */
  readonly pre: readonly [rank: number, number: string]
  /** -1: none */
  readonly post: string | null
  readonly dev: string | null
  readonly local: ReadonlyArray<string> | null
}

const BEFORE_PRE = -1
const FINAL = 3

const parse = (text: string): Version | null => {
  const match = shape.exec(text.trim().toLowerCase())
  if (match === null) return null
  const [, epoch, release, pre, preNumber, implicitPost, post, postNumber, dev, devNumber, local] = match
  const hasPost = implicitPost !== undefined || post !== undefined
  const rank = pre !== undefined ? preRanks[pre]! : dev !== undefined && !hasPost ? BEFORE_PRE : FINAL
  return {
    epoch: epoch ?? "0",
    release: release!.split("."),
    pre: [rank, preNumber || "0"],
    post: hasPost ? implicitPost || postNumber || "0" : null,
    dev: dev === undefined ? null : devNumber || "0",
    local: local === undefined ? null : local.split(/[-_.]/)
  }
}

/** What is absent sorts before (`-1`) or after (`1`) what is there. */
const compareOptional = (a: string | null, b: string | null, absent: -1 | 1): number => {
  if (a === null || b === null) return a === b ? 0 : a === null ? absent : -absent
  return compareNumbers(a, b)
}

const compareLocal = (a: ReadonlyArray<string> | null, b: ReadonlyArray<string> | null): number => {
  if (a === null || b === null) return a === b ? 0 : a === null ? -1 : 1
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const [left, right] = [a[i]!, b[i]!]
    const numeric = Number(isNumber(left)) - Number(isNumber(right))
    const order = numeric !== 0 ? numeric : isNumber(left) ? compareNumbers(left, right) : compareText(left, right)
    if (order !== 0) return order
  }
  return a.length - b.length
}

/** PEP 440. */
export const comparePep440 = (a: string, b: string): number | null => {
  const left = parse(a)
  const right = parse(b)
  if (left === null || right === null) return null
  return (
    compareNumbers(left.epoch, right.epoch) ||
    compareRelease(left.release, right.release) ||
    left.pre[0] - right.pre[0] ||
    compareNumbers(left.pre[1], right.pre[1]) ||
    compareOptional(left.post, right.post, -1) ||
    compareOptional(left.dev, right.dev, 1) ||
    compareLocal(left.local, right.local)
  )
}
