import { leavesHarmless } from "../values/patterns.ts"
import type { Scope } from "../values/Scope.ts"
import { traitsOf } from "../values/traits.ts"
import { ALL_KINDS, blend, isLiteral, sanitised, unknown, type Value } from "../values/Value.ts"
import type { EvaluatedCall } from "./EvaluatedCall.ts"
import { escapedByFunction } from "./escapes.ts"
import { iterate } from "./iteration.ts"
import type { Run } from "./Run.ts"

/** The text itself is the first argument; what is said in another language has the same places to fill. */
const translations = /^\\?(?:__|_|_x|gettext|dgettext|translate|(?:esc_html|esc_attr)_(?:_|x))$/
/** One text for one thing, one for more of them; both have the same places. */
const plurals = /^\\?(?:_nx?|ngettext)$/

/** A constant text that is looked up in another language; null for all other calls. */
export const translated = (run: Run, path: string, [first, second]: ReadonlyArray<Value>): Value | null => {
  if (run.file.language !== "php" || first === undefined || !isLiteral(first)) return null
  if (second !== undefined && isLiteral(second) && plurals.test(path)) return second
  return translations.test(path) ? first : null
}

/** Keys that the code spells out are its own words, whatever they hold; null where keys are not all known. */
const keysOf = ({ fields, holes, rest }: Value): Value | null =>
  fields !== null && fields.size > 0 && !fields.has("*") && holes.length === 0 && rest.length === 0
    ? unknown("collection")
    : null

const functionOfOne = (run: Run, path: string, only: Value): Value | null => {
  if (translations.test(path)) return only
  return run.file.language === "php" && /^\\?array_keys$/.test(path) ? keysOf(only) : null
}

/** Functions whose arguments say what becomes of a value; null for all others. */
export const functionOnText = (run: Run, path: string, args: ReadonlyArray<Value>): Value | null => {
  const [first, second, third] = args
  if (first === undefined) return null
  if (second === undefined) return functionOfOne(run, path, first)
  const isPhp = run.file.language === "php"
  const escaped = isPhp ? escapedByFunction(path, args) : null
  if (escaped !== null) return escaped
  if (isPhp && translations.test(path)) return first
  if (isPhp && /^\\?array_map$/.test(path) && isLiteral(first)) return mapped(run, first, second)
  if (third !== undefined && /^(?:\\?preg_replace|re\.sub)$/.test(path) && isLiteral(first) && isLiteral(second)) {
    return leavesHarmless(first.text, second.text, false) ? unknown("clean") : null
  }
  return null
}

/** Functions that call a closure for each element: where they take the closure and where the list. */
const iterators: Readonly<Record<string, readonly [method: string, closure: number, list: number]>> = {
  array_map: ["map", 0, 1],
  array_filter: ["filter", 1, 0],
  array_walk: ["each", 1, 0],
  usort: ["sort", 1, 0],
  uasort: ["sort", 1, 0]
}

/** `array_map(fn ($x) => …, $list)`; null for other calls. */
export const iteratedByFunction = (run: Run, scope: Scope, { path, args }: EvaluatedCall): Value | null => {
  const found = run.file.language === "php" ? iterators[path.replace(/^\\/, "")] : undefined
  if (found === undefined) return null
  const [method, closure, list] = found
  const callback = args[closure]
  const items = args[list]
  if (callback === undefined || callback.callable === null || items === undefined) return null
  return iterate(run, scope, method, items, [callback])
}

/** `array_map('intval', $ids)`. */
const mapped = (run: Run, name: Value, list: Value): Value | null => {
  const { sanitises } = traitsOf(run.language, run.sinks, name.text)
  if (sanitises === 0) return null
  return sanitises === ALL_KINDS ? unknown("clean") : sanitised(blend([list]), sanitises)
}
