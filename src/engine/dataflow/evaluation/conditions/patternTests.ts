import { assignmentsTo } from "../../../languages/code/lastAssigned.ts"
import type { Call } from "../../../languages/syntax/Syntax.ts"
import { NONE } from "../../../languages/tree/FlatTree.ts"
import { harmlessPattern, isLocalPath } from "../../values/patterns.ts"
import type { Scope } from "../../values/Scope.ts"
import { ALL_KINDS, isLiteral, isTainted, REDIRECT, URL } from "../../values/Value.ts"
import type { Cleared } from "../checks.ts"
import { evaluate } from "../evaluate.ts"
import type { Run } from "../Run.ts"

/** `/^\w+$/.test(x)`, `re.match("^[a-z]+$", x)`, `x.matches("[a-z]+")`, `Regex.IsMatch(x, "^[a-z]+$")`. */
export const patternTest = (run: Run, scope: Scope, call: Call, found: Array<Cleared>): void => {
  const [first, second] = call.args
  if (first === undefined) return
  const isFull = call.method === "fullmatch" || (call.method === "matches" && run.file.language === "java")
  const kinds = kindsPassing(run, scope, [call.receiverNode, ...call.args], isFull)
  if (kinds === 0) return
  const isPattern = (node: number) => run.tree.is(node, "regex") || !isTainted(evaluate(run, scope, node))
  if (second === undefined || !/^(?:match|fullmatch|IsMatch|MatchString|matches|preg_match)$/.test(call.method)) {
    const isReceiver = /^(?:match\??|matches)$/.test(call.method) && !isPattern(call.receiverNode)
    found.push({ node: isReceiver ? call.receiverNode : first, kinds })
  } else found.push({ node: isPattern(first) ? second : first, kinds })
}

/** `x =~ /\A\w+\z/`. */
export const patternMatch = (run: Run, scope: Scope, left: number, right: number, found: Array<Cleared>): void => {
  const kinds = kindsPassing(run, scope, [left, right], false)
  if (kinds !== 0) found.push({ node: run.tree.is(left, "regex") ? right : left, kinds })
}

/** Kinds of sinks to which nothing is harmful that matches the pattern by which a call tests. */
const kindsPassing = (run: Run, scope: Scope, candidates: ReadonlyArray<number>, isFull: boolean): number => {
  const isRuby = run.file.language === "ruby"
  for (const candidate of candidates) {
    if (candidate === NONE) continue
    const text = patternText(run, scope, candidate)
    const pattern = text === null ? null : harmlessPattern(text, isRuby, isFull)
    // Names of hosts have dots: such a pattern lets every host through.
    if (pattern !== null) return pattern.includes(".") ? ALL_KINDS & ~URL : ALL_KINDS
    if (text !== null && isLocalPath(text, isRuby)) return REDIRECT
  }
  return 0
}

/** A pattern as it is written, here or where the only assignment of a constant gives it; null for what is tainted. */
const patternText = (run: Run, scope: Scope, node: number): string | null => {
  const { tree, file } = run
  if (tree.is(node, "regex")) return tree.textOf(node)
  const value = evaluate(run, scope, node)
  if (isTainted(value)) return null
  if (!tree.is(node, "constant") || isLiteral(value)) return value.text
  const [given, other] = assignmentsTo(file, tree.textOf(node))
  return given !== undefined && other === undefined && tree.is(given.value, "regex") ? tree.textOf(given.value) : null
}
