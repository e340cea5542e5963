import type { Call, FunctionInfo } from "../../languages/syntax/Syntax.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"
import { COMMAND, HTML, isLiteral, SQL, sanitised, type Value } from "../values/Value.ts"
import type { Run } from "./Run.ts"

/** What an escape writes for `<`. */
const entity = /&(?:lt|#0*60|#x0*3c);|\\{1,2}(?:u00|x)3c/i
/** What ends a quoted word of a shell, adds a quote and begins the word again. */
const shellQuote = /^'(?:\\{1,2}'|"'")'$/
const replacing = /^(?:replace|replaceAll|gsub|ReplaceAll|Replace)$/

/** Kinds of sinks that a text is harmless to once `pattern` is replaced by this text everywhere. */
const replacedKinds = (pattern: string, by: string): number => {
  if (pattern.includes("<") && entity.test(by)) return HTML
  if (pattern !== "'") return 0
  if (shellQuote.test(by)) return COMMAND
  return by === "''" || by === "\\'" ? SQL : 0
}

/** A pattern that is one class of characters and the flag for all of them: `/[<>&"]/g`. */
const classPattern = /^\/\(?\[[^\]\\^]*<[^\]]*\]\)?\+?\/[a-z]*g[a-z]*$/

/** A replacement without the flag for all matches leaves the second one as it is. */
const replacesFirst = (run: Run, { method }: Call, pattern: number): boolean =>
  run.tree.is(pattern, "regex")
    ? run.file.language !== "ruby" && !/\/[a-z]*g[a-z]*$/.test(run.tree.textOf(pattern))
    : method === "replace" && /^(?:javascript|typescript|tsx)$/.test(run.file.language)

/** `x.split("<").join("&lt;")`. */
const isJoined = (run: Run, { method, receiverNode }: Call, by: Value): boolean =>
  method === "join" &&
  isLiteral(by) &&
  entity.test(by.text) &&
  /\.split\(\s*["']<["']\s*\)$/.test(run.tree.textOf(receiverNode))

const patternText = (run: Run, node: number, value: Value): string => {
  if (run.tree.is(node, "regex")) return run.tree.textOf(node)
  return isLiteral(value) ? value.text : ""
}

/** `x.replace(/</g, "&lt;")`, `x.gsub("'", "''")`: the kinds of sinks that the result is harmless to. */
export const escapedBy = (run: Run, call: Call, [first, by]: ReadonlyArray<Value>): number => {
  if (first === undefined) return 0
  if (by === undefined) return isJoined(run, call, first) ? HTML : 0
  const pattern = call.args[0] ?? NONE
  if (!replacing.test(call.method) || replacesFirst(run, call, pattern)) return 0
  const text = patternText(run, pattern, first)
  // What stands for each character is in a table or a function.
  if (!isLiteral(by) || by.text === "") return classPattern.test(text) ? HTML : 0
  return replacedKinds(/^\/.\/\w+$/.test(text) ? text.charAt(1) : text, by.text)
}

const textsOf = (value: Value): ReadonlyArray<string> =>
  value.fields === null ? (isLiteral(value) ? [value.text] : []) : [...value.fields.values()].flatMap(textsOf)

/** `str_replace("<", "&lt;", $x)`, also with lists; null for calls that replace something else. */
export const escapedByFunction = (path: string, [search, by, subject]: ReadonlyArray<Value>): Value | null => {
  if (search === undefined || by === undefined || subject === undefined) return null
  if (!/^\\?(?:str_i?replace|preg_replace)$/.test(path)) return null
  const replacements = textsOf(by).join(" ")
  const kinds = textsOf(search).reduce((all, text) => all | replacedKinds(text, replacements), 0)
  return kinds === 0 ? null : sanitised(subject, kinds)
}

const MAX_ESCAPER = 1_500
const characterBefore = /["'`/[(|&>]<["'`/\]|)&>]/

/** A function of the program's own that writes entities for `<`, however it does that, and makes no markup itself. */
export const isMarkupEscaper = (run: Run, { body, name }: FunctionInfo): boolean => {
  if (body === NONE || run.tree.end(body) - run.tree.start(body) > MAX_ESCAPER) return false
  const text = run.tree.textOf(body)
  const at = text.search(entity)
  if (at < 0 || /<\/?[a-zA-Z]/.test(text) || /^_*(?:un|de)(?:_|[A-Z]|escape|html|code|quote)/.test(name ?? ""))
    return false
  return characterBefore.test(text.slice(0, at))
}
