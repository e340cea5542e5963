import type { Call } from "../../../languages/syntax/Syntax.ts"
import { NONE } from "../../../languages/tree/FlatTree.ts"
import { harmlessPattern } from "../../values/patterns.ts"
import type { Scope } from "../../values/Scope.ts"
import { ALL_KINDS, isTainted, URL } from "../../values/Value.ts"
import { type Cleared, harmless } from "../checks.ts"
import { evaluate } from "../evaluate.ts"
import type { Run } from "../Run.ts"

/** `/^\w+$/.test(x)`, `re.match("^[a-z]+$", x)`, `x.matches("[a-z]+")`, `Regex.IsMatch(x, "^[a-z]+$")`. */
export const patternTest = (run: Run, scope: Scope, call: Call, found: Array<Cleared>): void => {
  const [first, second] = call.args
  if (first === undefined) return
  const isFull = call.method === "fullmatch" || (call.method === "matches" && run.file.language === "java")
  const pattern = anchoredPattern(run, scope, [call.receiverNode, ...call.args], isFull)
  if (pattern === null) return
  // Names of hosts have dots: such a pattern lets every host through.
  const kinds = pattern.includes(".") ? ALL_KINDS & ~URL : ALL_KINDS
  const isPattern = (node: number) => run.tree.is(node, "regex") || !isTainted(evaluate(run, scope, node))
  if (second === undefined || !/^(?:match|fullmatch|IsMatch|MatchString|matches|preg_match)$/.test(call.method)) {
    const isReceiver = /^(?:match\??|matches)$/.test(call.method) && !isPattern(call.receiverNode)
    found.push({ node: isReceiver ? call.receiverNode : first, kinds })
  } else found.push({ node: isPattern(first) ? second : first, kinds })
}

/** `x =~ /\A\w+\z/`. */
export const patternMatch = (run: Run, scope: Scope, left: number, right: number, found: Array<Cleared>): void => {
  const pattern = anchoredPattern(run, scope, [left, right], false)
  if (pattern !== null) found.push(harmless(run.tree.is(left, "regex") ? right : left))
}

/** The pattern that a call tests by, when nothing harmful matches it. */
const anchoredPattern = (run: Run, scope: Scope, candidates: ReadonlyArray<number>, isFull: boolean): string | null => {
  for (const candidate of candidates) {
    if (candidate === NONE) continue
    const value = evaluate(run, scope, candidate)
    const text = run.tree.is(candidate, "regex") ? run.tree.textOf(candidate) : value.text
    const pattern = isTainted(value) ? null : harmlessPattern(text, run.file.language === "ruby", isFull)
    if (pattern !== null) return pattern
  }
  return null
}
