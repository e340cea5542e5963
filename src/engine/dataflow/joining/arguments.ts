import { languageOf } from "../../core/files/Language.ts"
import type { ArgumentFact, TaintFact } from "../facts.ts"
import { taintLanguageOf } from "../languages/languages.ts"
import { SOURCE, SPREAD } from "../values/Value.ts"

/** Something tainted that a call hands on, and the part of it that matters. */
export interface GivenTaint {
  readonly taint: TaintFact
  readonly property: string
}

const firstOf = (property: string): string => property.split(".", 1)[0]!

/** The part of an origin that the part `property` of an object is, when the origin is in it; null when it is not. */
export const composed = (taint: TaintFact, property: string): string | null => {
  const first = firstOf(property)
  if (taint.field === "") return [taint.property, property].filter((part) => part !== "").join(".")
  if (property !== "" && taint.field !== "*" && taint.field !== SPREAD && taint.field !== first) return null
  if (taint.field === SPREAD) return [taint.property, property].filter((part) => part !== "").join(".")
  const rest = property.slice(first.length + 1)
  return [taint.property, rest].filter((part) => part !== "").join(".")
}

/** The request is no input by itself, but parts of it are: `request.body.name` of a request that is handed on. */
const requestTaint = (
  path: string,
  [type, name]: readonly [string, string],
  origin: readonly [number, number],
  property: string
): TaintFact | null => {
  const sources = taintLanguageOf(languageOf(path))?.sources
  const parts = property.split(".")
  for (let length = 1; length <= parts.length; length++) {
    const part = parts.slice(0, length).join(".")
    if (sources?.test(`${type}.${part}`) !== true) continue
    const shown = `${name}.${property}`
    const full = `${type}.${part}`
    return { index: SOURCE, property: "", name: shown, type: full, origin, safe: 0, hole: -1, field: "", steps: [] }
  }
  return null
}

/** What is tainted in an argument, as far as the part of it matters that the called function uses. */
export const argumentTaints = (
  path: string,
  argument: ArgumentFact,
  at: readonly [number, number],
  property: string
): ReadonlyArray<GivenTaint> => {
  const given = argument.taints.flatMap((taint): ReadonlyArray<GivenTaint> => {
    const part = composed(taint, property)
    return part === null ? [] : [{ taint, property: part }]
  })
  if (argument.request === undefined || property === "") return given
  const taint = requestTaint(path, argument.request, at, property)
  return taint === null ? given : [...given, { taint, property: "" }]
}
