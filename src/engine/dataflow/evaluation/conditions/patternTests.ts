import { assignmentsTo } from "../../../languages/code/lastAssigned.ts"
import type { Call } from "../../../languages/syntax/Syntax.ts"
import { NONE } from "../../../languages/tree/FlatTree.ts"
import { deniesShell, harmlessAbsence, harmlessPattern, isLocalPath } from "../../values/patterns.ts"
import type { Scope } from "../../values/Scope.ts"
import { ALL_KINDS, COMMAND, isLiteral, isTainted, PATH, REDIRECT, URL } from "../../values/Value.ts"
import type { Cleared } from "../checks.ts"
import { evaluate } from "../evaluate.ts"
import type { Run } from "../Run.ts"

/** Where the text has to match from its beginning, or as a whole. */
const anchorsItself = (run: Run, { method }: Call): boolean =>
  method === "fullmatch" ||
  (method === "matches" && run.file.language === "java") ||
  (method === "match" && run.file.language === "python")

/**
 * `/^\w+$/.test(x)`, `re.match("^[a-z]+$", x)`, `x.matches("[a-z]+")`, `Regex.IsMatch(x, "^[a-z]+$")`; and what does not
 * hold any of the characters that are not allowed: `!/[^a-z]/.test(x)`.
 */
export const patternTest = (run: Run, scope: Scope, call: Call, holds: boolean, found: Array<Cleared>): void => {
  const [first, second] = call.args
  if (first === undefined || (!holds && anchorsItself(run, call))) return
  const kinds = kindsByTest(run, scope, call, holds)
  if (kinds === 0) return
  const isPattern = (node: number) => run.tree.is(node, "regex") || !isTainted(evaluate(run, scope, node))
  if (second !== undefined && takesPatternAndText.test(call.method)) {
    found.push(...matched(isPattern(first) ? second : first, kinds))
    return
  }
  const isReceiver = /^(?:match\??|matches)$/.test(call.method) && !isPattern(call.receiverNode)
  found.push(...matched(isReceiver ? call.receiverNode : first, kinds))
}

const takesPatternAndText = /^(?:match|fullmatch|IsMatch|MatchString|matches|preg_match|search)$/

/** Kinds of sinks to which what a test lets through is harmless. */
const kindsByTest = (run: Run, scope: Scope, call: Call, holds: boolean): number => {
  const isFull = holds && anchorsItself(run, call) && call.method !== "match"
  const kinds = kindsBy(run, scope, [call.receiverNode, ...call.args], holds ? matching(run, isFull) : notMatching)
  if (kinds !== 0 || !holds) return kinds
  const pattern = call.receiverNode === NONE ? call.args[0]! : call.receiverNode
  return isKeptElsewhere(run, scope, pattern) ? PATH : 0
}

/** What has a harmless shape was harmless before, too: so is what was made of it earlier, but for addresses. */
const matched = (node: number, kinds: number): ReadonlyArray<Cleared> =>
  kinds === ALL_KINDS
    ? [
        { node, kinds: ALL_KINDS & ~URL },
        { node, kinds }
      ]
    : [{ node, kinds }]

/** A pattern that another file keeps by name was written to say which names of files are let through. */
const isKeptElsewhere = (run: Run, scope: Scope, node: number): boolean => {
  const name = run.tree.textOf(node)
  if (!/^[A-Z][A-Z\d]*(?:_[A-Z\d]+)+$/.test(name) || assignmentsTo(run.file, name).length > 0) return false
  const value = evaluate(run, scope, node)
  return !isTainted(value) && !isLiteral(value)
}

/** `x =~ /\A\w+\z/`. */
export const patternMatch = (run: Run, scope: Scope, left: number, right: number, found: Array<Cleared>): void => {
  const kinds = kindsBy(run, scope, [left, right], matching(run, false))
  if (kinds !== 0) found.push({ node: run.tree.is(left, "regex") ? right : left, kinds })
}

/** Kinds of sinks to which no text is harmful that has the shape of the first candidate which is a pattern for them. */
const kindsBy = (
  run: Run,
  scope: Scope,
  candidates: ReadonlyArray<number>,
  kindsOf: (pattern: string) => number
): number => {
  for (const candidate of candidates) {
    const text = candidate === NONE ? null : patternText(run, scope, candidate)
    const kinds = text === null ? 0 : kindsOf(text)
    if (kinds !== 0) return kinds
  }
  return 0
}

/** Names of hosts have dots: a pattern with one lets every host through. */
const withoutHosts = (pattern: string | null): number =>
  pattern === null ? 0 : pattern.includes(".") ? ALL_KINDS & ~URL : ALL_KINDS

/** What matches is harmless, or leads to the same site. */
const matching =
  ({ file }: Run, isFull: boolean) =>
  (pattern: string): number => {
    const isRuby = file.language === "ruby"
    return withoutHosts(harmlessPattern(pattern, isRuby, isFull)) || (isLocalPath(pattern, isRuby) ? REDIRECT : 0)
  }

const notMatching = (pattern: string): number =>
  withoutHosts(harmlessAbsence(pattern)) || (deniesShell(pattern) ? COMMAND : 0)

/** A pattern as it is written, here or where the only assignment of a constant gives it; null for what is tainted. */
const patternText = (run: Run, scope: Scope, node: number): string | null => {
  const { tree, file } = run
  if (tree.is(node, "regex")) return tree.textOf(node)
  const copied = copiedPattern(run, node)
  if (copied !== NONE) return patternText(run, scope, copied)
  const value = evaluate(run, scope, node)
  if (isTainted(value)) return null
  if (!tree.is(node, "constant") || isLiteral(value)) return value.text
  const [given, other] = assignmentsTo(file, tree.textOf(node))
  return given !== undefined && other === undefined && tree.is(given.value, "regex") ? tree.textOf(given.value) : null
}

/** `new RegExp(pattern)` of a pattern that has a name. */
const copiedPattern = ({ tree }: Run, node: number): number => {
  if (!tree.is(node, "new_expression") || tree.textOf(tree.child(node, "constructor")) !== "RegExp") return NONE
  const [first, flags] = tree.namedChildren(tree.child(node, "arguments"))
  return first !== undefined && flags === undefined && tree.is(first, "identifier") ? first : NONE
}
