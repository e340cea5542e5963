import { compareText } from "../../core/text/compareText.ts"
import { compareNumbers, isNumber } from "./parts.ts"

const shape = /^\s*\w[\w.+-]*\s*$/

interface Token {
  readonly prefix: "." | "-"
  readonly text: string
}

const isNull = (text: string): boolean => /^(?:0*|final|ga|release)$/.test(text)
const ranks: ReadonlyArray<string> = ["alpha", "beta", "milestone", "rc", "snapshot", "", "sp"]
const short: Readonly<Record<string, string>> = { a: "alpha", b: "beta", m: "milestone" }
const same: Readonly<Record<string, string>> = { cr: "rc", final: "", ga: "", release: "" }

/** A separator of tokens, or the beginning. */
const isBoundary = (character: string | undefined): boolean => character === undefined || /[.\-_]/.test(character)

/** Split at dots, hyphens and between digits and letters, which counts as a hyphen. */
const tokensOf = (version: string): Array<Token> => {
  const tokens: Array<Token> = []
  let prefix: Token["prefix"] = "."
  for (const match of version.toLowerCase().matchAll(/(\d+|[^\d.\-_]+)|[.\-_]/g)) {
    const [text, word] = match
    if (word === undefined) {
      if (isBoundary(version[match.index - 1])) tokens.push({ prefix, text: "0" })
      prefix = text === "." ? "." : "-"
      continue
    }
    if (!isBoundary(version[match.index - 1])) prefix = "-"
    const next = version[match.index + text.length]
    const isShort = next !== undefined && /\d/.test(next) && Object.hasOwn(short, text)
    tokens.push({ prefix, text: isShort ? short[text]! : text })
  }
  return tokens
}

/** `1.0.0` is `1`, and `1.0-final` is `1`: null values go at the end, before every hyphen and before every word. */
const trimmed = (tokens: ReadonlyArray<Token>): ReadonlyArray<Token> => {
  const kept: Array<Token> = []
  let isTail = true
  for (let i = tokens.length - 1; i >= 0; i--) {
    const token = tokens[i]!
    if (isTail && isNull(token.text) && i > 0) continue
    isTail = token.prefix === "-" || !isNumber(token.text)
    kept.unshift(token)
  }
  return kept
}

const kindOf = ({ prefix, text }: Token): number => (isNumber(text) ? (prefix === "." ? 3 : 2) : prefix === "-" ? 1 : 0)

const qualifier = (text: string): string => (Object.hasOwn(same, text) ? same[text]! : text)

const compareQualifiers = (a: string, b: string): number => {
  const [left, right] = [qualifier(a), qualifier(b)]
  const [rankLeft, rankRight] = [ranks.indexOf(left), ranks.indexOf(right)]
  if (rankLeft >= 0 && rankRight >= 0) return rankLeft - rankRight
  // Unknown qualifiers come after all known ones.
  return rankLeft >= 0 ? -1 : rankRight >= 0 ? 1 : compareText(left, right)
}

/** What a missing part stands for, beside the part that is there. */
const padding = ({ prefix, text }: Token): Token => ({ prefix, text: isNumber(text) ? "0" : "" })

const compareTokens = (a: Token, b: Token): number => {
  const [numericLeft, numericRight] = [isNumber(a.text), isNumber(b.text)]
  if (numericLeft && numericRight) {
    return a.prefix === b.prefix ? compareNumbers(a.text, b.text) : kindOf(a) - kindOf(b)
  }
  if (numericLeft || numericRight) return kindOf(a) - kindOf(b)
  return compareQualifiers(a.text, b.text)
}

/** The order of Maven's own `ComparableVersion`. */
export const compareMaven = (a: string, b: string): number | null => {
  if (!shape.test(a) || !shape.test(b)) return null
  const left = trimmed(tokensOf(a.trim()))
  const right = trimmed(tokensOf(b.trim()))
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const order = compareTokens(left[i] ?? padding(right[i]!), right[i] ?? padding(left[i]!))
    if (order !== 0) return order
  }
  return 0
}
