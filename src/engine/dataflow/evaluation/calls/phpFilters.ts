import { ALL_KINDS, HTML, REDIRECT, SQL, sanitised, URL, type Value } from "../../values/Value.ts"
import type { EvaluatedCall } from "../EvaluatedCall.ts"
import { sourceAt } from "../members.ts"
import type { Run } from "../Run.ts"

/** Kinds of sinks that what a filter of PHP lets through is harmless to. */
const harmlessBy = (filter: string): number => {
  if (/^$|^FILTER_(?:DEFAULT|UNSAFE_RAW|SANITIZE_URL)$/.test(filter)) return 0
  if (/^FILTER_VALIDATE_URL$/.test(filter)) return ALL_KINDS & ~(URL | REDIRECT)
  // They write entities for quotes and angle brackets.
  if (/^FILTER_SANITIZE_(?:STRING|STRIPPED|SPECIAL_CHARS|FULL_SPECIAL_CHARS)$/.test(filter)) return HTML | SQL
  if (/^FILTER_SANITIZE_(?:ADD_SLASHES|MAGIC_QUOTES)$/.test(filter)) return SQL
  // Numbers, addresses of machines, a pattern or a function of the program's own, and filters that are not known.
  return ALL_KINDS
}

const filtered = (value: Value, filter: string): Value => {
  const kinds = harmlessBy(filter)
  return kinds === 0 ? value : sanitised(value, kinds)
}

/** What `filter_var($value, FILTER)` and `filter_input(INPUT_GET, "name", FILTER)` of PHP give; null for other calls. */
export const filteredByPhp = (run: Run, node: number, { call, path, args }: EvaluatedCall): Value | null => {
  if (run.file.language !== "php") return null
  const filterOf = (index: number): string => {
    const text = call.args[index] === undefined ? "" : run.tree.textOf(call.args[index])
    return text.replace(/^\\/, "")
  }
  if (/^\\?filter_var$/.test(path) && args[0] !== undefined) return filtered(args[0], filterOf(1))
  if (!/^\\?filter_input$/.test(path)) return null
  return /^INPUT_(?:GET|POST|COOKIE|REQUEST)$/.test(filterOf(0))
    ? filtered(sourceAt(run, node, "filter_input()"), filterOf(2))
    : null
}
