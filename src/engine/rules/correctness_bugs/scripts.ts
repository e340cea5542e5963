import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { asyncNames, isOwnMethod } from "../../languages/code/asyncFunctions.ts"
import { binaryAt } from "../../languages/code/binaries.ts"
import { calls } from "../../languages/syntax/vocabulary.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import { type Check, isScript, languages, quoted, spanOf } from "./Check.ts"
import type { RuleId } from "./rules.ts"

/** What the promise itself is used as; null when it is awaited, returned, stored or passed on. */
const misusedAs = (tree: FlatTree, call: number): string | null => {
  let at = call
  while (tree.is(tree.parent(at), "parenthesized_expression", "non_null_expression")) at = tree.parent(at)
  const parent = tree.parent(at)
  const field = tree.fieldOf(at)
  const isCondition = field === "condition" && tree.is(parent, ...conditional)
  const isNegated = tree.is(parent, "unary_expression") && tree.is(tree.child(parent, "operator"), "!")
  if (isCondition || isNegated || tree.is(parent, "not_operator")) return "a condition"
  if (tree.is(parent, "member_expression") && field === "object") {
    const property = tree.textOf(tree.child(parent, "property"))
    return ofPromises.test(property) ? null : `an object with \`${property}\``
  }
  const binary = binaryAt(tree, parent)
  if (binary === null) return null
  if (/^(?:&&|\|\||\?\?|and|or)$/.test(binary.operator)) return binary.left === at ? "a condition" : null
  return /^(?:[=!]==?|[<>]=?)$/.test(binary.operator) && !/^(?:null|undefined|None)$/.test(tree.textOf(binary.right))
    ? "a value to compare"
    : null
}

const conditional = ["if_statement", "while_statement", "ternary_expression", "elif_clause", "do_statement"]
/** Members that promises have; a dollar sign begins those that libraries add. */
const ofPromises = /^(?:(?:then|catch|finally|constructor|toString)$|\$)/

const inspectAwaits = (file: SourceFile, tree: FlatTree, emit: Emit<RuleId>): void => {
  if (!/\basync\b/.test(file.text)) return
  const names = asyncNames(file)
  if (names.size === 0) return
  for (const { node, callee } of calls(file)) {
    if (!names.has(callee)) continue
    if (/^(?:this|self)\./.test(callee) && !isOwnMethod(file, node, callee.slice(5))) continue
    const use = misusedAs(tree, node)
    if (use === null) continue
    const kind = file.language === "python" ? "coroutine" : "promise"
    const message = `\`${callee}\` is async, so ${quoted(tree, node)} is a ${kind} here, used as ${use}; \`await\` is missing.`
    emit({
      rule: "missing_await",
      ...spanOf(tree, node),
      message,
      identifiers: [callee.replace(/^(?:this|self)\./, "")]
    })
  }
}

const caseKinds = [
  "switch_case",
  "switch_default",
  "case_statement",
  "default_statement",
  "switch_block_statement_group"
]
const labels = ["switch_label"]

const statementsOf = (tree: FlatTree, entry: number): ReadonlyArray<number> => {
  const statements = tree.namedChildren(entry).filter((n) => tree.fieldOf(n) !== "value" && !tree.is(n, ...labels))
  const only = statements[0]
  return statements.length === 1 && tree.is(only!, "statement_block", "block", "compound_statement")
    ? tree.namedChildren(only!)
    : statements
}

/** `$found[] = …`, `list[i++] = …`, `slot().value = …`: the same text is another element each time. */
const takesNewPlace = /\[\s*\]|\+\+|--|\(/

/** `out[at] = from[at++]`: the value moves the index, so the same text is the next element afterwards. */
const movesTarget = (tree: FlatTree, value: number, target: string): boolean =>
  tree.within(value, "update_expression", "assignment_expression", "augmented_assignment_expression").some((change) => {
    const changed = tree.textOf(tree.namedChildren(change)[0] ?? NONE).replace("$", "")
    return /^\w+$/.test(changed) && new RegExp(`(?<!\\w)${changed}(?!\\w)`).test(target)
  })

const assignedBy = (tree: FlatTree, statement: number): { readonly target: string; readonly value: number } | null => {
  const inner = tree.is(statement, "expression_statement") ? tree.firstChild(statement) : NONE
  if (!tree.is(inner, "assignment_expression")) return null
  const operator = tree.child(inner, "operator")
  const target = tree.textOf(tree.child(inner, "left"))
  if ((operator !== NONE && tree.textOf(operator) !== "=") || takesNewPlace.test(target)) return null
  const value = tree.child(inner, "right")
  return movesTarget(tree, value, target) ? null : { target, value }
}

/** `case INDIRECT: done = true; default: done = true;`, or a function without a body where the next case's is to be used. */
const losesNothing = (tree: FlatTree, lost: number, kept: number): boolean =>
  (tree.textOf(lost) === tree.textOf(kept) && !takesNewPlace.test(tree.textOf(lost))) ||
  /[)>]\s*\{\s*\}$/.test(tree.textOf(lost))

const plainText = /"[^"\\\n]*"|'[^'\\\n]*'/g

/** Whether a value is made of what a target holds: `"Monday"` is not made of `day`. */
const usesName = (value: string, target: string): boolean => {
  const code = value.replace(plainText, '""')
  for (let at = code.indexOf(target); at >= 0; at = code.indexOf(target, at + 1))
    if (!/\w/.test(code[at - 1] ?? "") && !/\w/.test(code[at + target.length] ?? "")) return true
  return false
}

interface Overwritten {
  /** The statement whose value is lost, and the one that assigns again. */
  readonly lost: number
  readonly again: number
  readonly target: string
}

/** What the last statement of a case and the first of the next one assign, where both assign the same. */
const overwritten = (tree: FlatTree, entry: number): Overwritten | null => {
  let next = tree.nextSibling(entry)
  while (tree.isComment(next)) next = tree.nextSibling(next)
  if (!tree.is(next, ...caseKinds)) return null
  const lost = statementsOf(tree, entry).at(-1) ?? NONE
  const again = statementsOf(tree, next)[0] ?? NONE
  const last = assignedBy(tree, lost)
  const first = last === null ? null : assignedBy(tree, again)
  if (last === null || first === null || last.target !== first.target || last.target.length > 60) return null
  const isMeant = usesName(tree.textOf(first.value), last.target) || losesNothing(tree, last.value, first.value)
  return isMeant ? null : { lost, again, target: last.target }
}

/** A case that ends by setting what the next case at once sets again: the `break` is missing. */
const inspectFallthrough = (tree: FlatTree, emit: Emit<RuleId>): void => {
  for (const entry of tree.of(...caseKinds)) {
    const found = overwritten(tree, entry)
    if (found === null) continue
    const { lost, again, target } = found
    const remark = tree.text.slice(tree.start(entry), tree.start(again))
    if (/fall|through|no ?break/i.test(remark)) continue
    const message = `There is no \`break\` after ${quoted(tree, lost)}, so the next case assigns \`${target}\` again and this value is lost.`
    const steps = [{ ...spanOf(tree, again), note: "The next case assigns it again." }]
    emit({ rule: "missing_break", ...spanOf(tree, lost), message, steps })
  }
}

const inspectRegexes = (file: SourceFile, tree: FlatTree, emit: Emit<RuleId>): void => {
  const constructor = file.language === "go" ? /^regexp\.(?:MustCompile|Compile)$/ : /^RegExp$/
  if (!file.text.includes(file.language === "go" ? "regexp." : "RegExp(")) return
  for (const { node, callee, args } of calls(file)) {
    if (!constructor.test(callee) || args.length === 0) continue
    const problem = file.language === "go" ? goRegexProblem(tree, args[0]!) : scriptRegexProblem(tree, args)
    if (problem === null) continue
    emit({
      rule: "invalid_regex",
      ...spanOf(tree, node),
      message: `The pattern ${quoted(tree, args[0]!)} is rejected at run time: ${problem}.`
    })
  }
}

const goRegexProblem = (tree: FlatTree, pattern: number): string | null => {
  if (!tree.is(pattern, "raw_string_literal", "interpreted_string_literal")) return null
  if (tree.end(pattern) - tree.start(pattern) > 2_000) return null
  const text = tree.textOf(pattern).replace(/\\\\\\\\|\[\^?\]?[^\]]*\]/g, "")
  if (/\(\?<?[=!]/.test(text.replace(/\\\(/g, ""))) return "Go's regular expressions have no look-around"
  return tree.is(pattern, "raw_string_literal") && /(?<!\\)\\[1-9]/.test(text)
    ? "Go's regular expressions have no back-references"
    : null
}

const scriptRegexProblem = (tree: FlatTree, args: ReadonlyArray<number>): string | null => {
  const [pattern, flags] = args
  if (!tree.is(pattern!, "string") || tree.textOf(pattern!).length > 500) return null
  const flagText = flags === undefined ? "" : tree.is(flags, "string") ? tree.textOf(flags).slice(1, -1) : null
  if (flagText === null || /[^gimsuyd]/.test(flagText)) return null
  const source = /^(["'])(?:[^\\]|\\[^ux0-9\n])*\1$/.test(tree.textOf(pattern!))
    ? tree.textOf(pattern!).slice(1, -1).replace(/\\(.)/g, unescaped)
    : null
  if (source === null) return null
  try {
    new RegExp(source, flagText)
    return null
  } catch (error) {
    return error instanceof Error
      ? error.message.replace(/^Invalid regular expression: .*: /, "").toLowerCase()
      : "it is not valid"
  }
}

const unescaped = (_: string, char: string): string =>
  ({ n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", v: "\v" })[char] ?? char

export const scripts: Check = {
  languages: languages("typescript", "tsx", "javascript", "python", "java", "php", "go"),
  inspect: (file, tree, emit) => {
    if (isScript(file) || file.language === "python") inspectAwaits(file, tree, emit)
    if (file.language !== "python" && file.language !== "go") inspectFallthrough(tree, emit)
    if (isScript(file) || file.language === "go") inspectRegexes(file, tree, emit)
  }
}
