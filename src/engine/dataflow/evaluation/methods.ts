import type { Call } from "../../languages/syntax/Syntax.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"
import { leavesHarmless } from "../values/patterns.ts"
import {
  blend,
  CUT,
  isCarried,
  isLiteral,
  isTainted,
  sanitised,
  taintsOf,
  unknown,
  type Value
} from "../values/Value.ts"
import { readBack } from "./calls/textCalls.ts"
import type { Run } from "./Run.ts"

const keepsText =
  /^(?:trim|strip|chomp|squish|to_s|to_str|upcase|downcase|capitalize|presence|dup|freeze|force_encoding|toString|ToLowerInvariant|ToUpperInvariant|lower|upper|toLowerCase|toUpperCase|rstrip|lstrip|decode|encode|value|await|unwrap|String)$/i

/** Methods that leave out the beginning of a text, unless they start at 0. */
const cutting = /^(?:slice|substring|substr|Substring)$/

/** Methods that answer what lies under a key: `store.get(name)`, `users.find_by_name(name)`. The key is no part of it. */
const lookUps =
  /^(?:get|find|fetch|load|read|look_?up|getItem|get_?[oO]bject|(?:get|find|load|fetch)_?(?:one_?)?[bB]y_?\w+)$/

/** What a method nothing else is known of makes of its receiver; null when the receiver says nothing about it. */
export const methodOf = (
  run: Run,
  call: Call,
  receiver: Value,
  args: ReadonlyArray<Value>,
  type: string | null
): Value | null => {
  if (isCleanMethod(run, call, args)) return unknown(type)
  if (args.length === 2 && removing.test(call.method) && leaves(run, call, args)) return unknown("clean")
  if (isTainted(receiver) && !/^(?:self|local):/.test(receiver.type ?? "")) {
    if (keepsText.test(call.method)) return { ...receiver, type }
    if (taintsOf(receiver).some(isCarried)) return partOf(call, args, blend([receiver, ...answered(call, args)], type))
    // A result or field may be anything: to call its methods does not make text of their arguments.
    return null
  }
  const own = args.length === 0 ? receiver.fields?.get(call.method) : undefined
  if (own !== undefined) return own
  return receiver.fields === null ? null : readBack(receiver, call, args)
}

/** What a method leaves of a text, or takes out of all that was sent. */
const partOf = ({ method }: Call, [first]: ReadonlyArray<Value>, value: Value): Value => {
  const isPart = method === "get" ? first !== undefined : cutting.test(method) && first?.constant !== 0
  return isPart ? sanitised(value, CUT) : value
}

/** Arguments that may be part of what a method answers. */
const answered = (call: Call, args: ReadonlyArray<Value>): ReadonlyArray<Value> =>
  args.slice(lookUps.test(call.method) ? 1 : 0).filter((arg) => arg.callable === null)

const isCleanMethod = (run: Run, call: Call, args: ReadonlyArray<Value>): boolean =>
  run.language.cleanMethods.has(call.method) ||
  // Records answer their keys and dates without arguments.
  (args.length === 0 && run.language.cleanAnswers?.test(call.method) === true)

const removing = /^(?:replace|replaceAll|gsub|ReplaceAllString)$/

/** `x.replace(/[^a-z]/g, "")` keeps nothing that could do harm. */
const leaves = (run: Run, call: Call, [pattern, by]: ReadonlyArray<Value>): boolean => {
  const node = call.args[0] ?? NONE
  const text = run.tree.is(node, "regex") ? run.tree.textOf(node) : (pattern?.text ?? "")
  const isScript = run.tree.is(node, "regex") && run.file.language !== "ruby"
  const isPattern = isScript || run.file.language === "ruby" || run.file.language === "java"
  return isPattern && by !== undefined && isLiteral(by) && leavesHarmless(text, by.text, isScript)
}
