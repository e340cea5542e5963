import type { Language } from "../../core/files/Language.ts"
import type { Constant } from "./Value.ts"

const MAX_INTEGER = 2 ** 31
const MAX_TEXT = 1_000

/** The value of a literal that is no text: a number, a flag, the absence of a value or a character. */
export const literalConstant = (text: string): Constant | undefined => {
  if (/^(?:0|[1-9][\d_]*)[lL]?$/.test(text)) return Number(text.replace(/[_lL]/g, ""))
  if (/^\d+\.\d+$/.test(text)) return Number(text)
  if (/^[tT]rue$/.test(text)) return true
  if (/^[fF]alse$/.test(text)) return false
  if (/^(?:None|nil|null|NULL)$/.test(text)) return null
  return /^'[^'\\]'$/.test(text) ? text[1] : undefined
}

/** Languages in which conditions are flags; elsewhere other values count as true or false. */
const strict = new Set<Language>(["java", "go", "csharp"])

/** Whether a constant counts as true; null when that is not known. */
export const truthOf = (language: Language, constant: Constant | undefined): boolean | null => {
  if (constant === undefined) return null
  if (typeof constant === "boolean") return constant
  if (strict.has(language)) return null
  if (language === "ruby") return constant !== null
  return language === "php" && constant === "0" ? false : Boolean(constant)
}

const equal = (language: Language, a: Constant, b: Constant): boolean | undefined => {
  // Equality of texts is identity in Java, and other types are converted in some languages.
  if (typeof a !== typeof b && (language === "php" || (a !== null && b !== null))) return undefined
  return typeof a === "string" && language === "java" ? undefined : a === b
}

const ordered = (operator: string, a: number, b: number): boolean | undefined => {
  switch (operator) {
    case "<":
      return a < b
    case "<=":
      return a <= b
    case ">":
      return a > b
    case ">=":
      return a >= b
    default:
      return undefined
  }
}

const comparison = (language: Language, operator: string, a: Constant, b: Constant): boolean | undefined => {
  if (/^(?:={2,3}|is)$/.test(operator)) return equal(language, a, b)
  if (/^(?:!={1,2}|is not|<>)$/.test(operator)) {
    const same = equal(language, a, b)
    return same === undefined ? undefined : !same
  }
  return typeof a === "number" && typeof b === "number" ? ordered(operator, a, b) : undefined
}

const dividesToFractions = new Set<Language>(["python", "javascript", "typescript", "tsx", "php"])

const quotient = (language: Language, a: number, b: number): number | undefined => {
  if (b === 0) return undefined
  const isWhole = Number.isInteger(a) && Number.isInteger(b)
  if (!isWhole || dividesToFractions.has(language)) return a / b
  return a >= 0 && b > 0 ? Math.floor(a / b) : undefined
}

const arithmetic = (language: Language, operator: string, a: number, b: number): number | undefined => {
  switch (operator) {
    case "+":
      return a + b
    case "-":
      return a - b
    case "*":
      return a * b
    case "/":
      return quotient(language, a, b)
    case "//":
      return b > 0 ? Math.floor(a / b) : undefined
    case "%":
      return a >= 0 && b > 0 ? a % b : undefined
    case "**":
      return b >= 0 ? a ** b : undefined
    default:
      return undefined
  }
}

/** What an operator makes of two constants; undefined where languages or widths of numbers may differ. */
export const foldBinary = (
  language: Language,
  operator: string,
  a: Constant | undefined,
  b: Constant | undefined
): Constant | undefined => {
  if (a === undefined || b === undefined) return undefined
  const compared = comparison(language, operator, a, b)
  if (compared !== undefined) return compared
  if (typeof a !== "number" || typeof b !== "number") return undefined
  const result = arithmetic(language, operator, a, b)
  return result === undefined || !Number.isFinite(result) || Math.abs(result) >= MAX_INTEGER ? undefined : result
}

export const foldUnary = (
  language: Language,
  operator: string,
  operand: Constant | undefined
): Constant | undefined => {
  if (operator === "-") return typeof operand === "number" ? -operand : undefined
  if (operator === "+") return typeof operand === "number" ? operand : undefined
  if (operator !== "!" && operator !== "not") return undefined
  const truth = truthOf(language, operand)
  return truth === null ? undefined : !truth
}

type Method = (text: string, args: ReadonlyArray<Constant>) => Constant | undefined

const length: Method = (text) => text.length
const withText =
  (made: (text: string, other: string) => Constant): Method =>
  (text, [other]) =>
    typeof other === "string" ? made(text, other) : undefined
const startsWith = withText((text, other) => text.startsWith(other))
const endsWith = withText((text, other) => text.endsWith(other))
const includes = withText((text, other) => text.includes(other))
const equals = withText((text, other) => text === other)
const lower: Method = (text, args) => (args.length === 0 ? text.toLowerCase() : undefined)
const upper: Method = (text, args) => (args.length === 0 ? text.toUpperCase() : undefined)
const trim: Method = (text, args) => (args.length === 0 ? text.trim() : undefined)
const charAt: Method = (text, [at]) => (typeof at === "number" ? text[at] : undefined)
const slice: Method = (text, [from, to]) =>
  typeof from === "number" && from >= 0 && (to === undefined || (typeof to === "number" && to >= from))
    ? text.slice(from, to)
    : undefined

/** By name without case or underscores. C# counts the length of what Substring takes, so that one is not among them. */
const methods: Readonly<Record<string, Method>> = {
  length,
  startswith: startsWith,
  endswith: endsWith,
  contains: includes,
  includes,
  equals,
  equalsignorecase: withText((text, other) => text.toLowerCase() === other.toLowerCase()),
  isempty: (text) => text === "",
  lower,
  tolowercase: lower,
  tolower: lower,
  tolowerinvariant: lower,
  upper,
  touppercase: upper,
  toupper: upper,
  toupperinvariant: upper,
  trim,
  strip: trim,
  charat: charAt,
  indexof: withText((text, other) => text.indexOf(other))
}

/** What a method makes of a constant text; undefined for what is not known. */
export const foldMethod = (
  language: Language,
  method: string,
  text: string,
  args: ReadonlyArray<Constant | undefined>
): Constant | undefined => {
  const known = args.filter((arg) => arg !== undefined)
  if (known.length < args.length || text.length > MAX_TEXT) return undefined
  const name = method.replaceAll("_", "").toLowerCase()
  if (name === "substring" && language !== "csharp") return slice(text, known)
  return Object.hasOwn(methods, name) ? methods[name]!(text, known) : undefined
}
