import type { SourceFile } from "../../core/files/SourceFile.ts"
import { type Emit, type Match } from "../../core/tool/AuditTool.ts"
import { type Binary, binaries, binaryAt } from "../../languages/code/binaries.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import { bare, isRepeatable, sameCode } from "../../structure/sameCode.ts"
import { type Check, isScript, languages, namesIn, quoted, spanOf } from "./Check.ts"
import { looseAlternative } from "./looseAlternatives.ts"
import { contradiction } from "./ranges.ts"
import type { RuleId } from "./rules.ts"

const comparison = /^(?:===?|!==?|<=?|>=?|is|is not)$/
const nan =
  /^(?:NaN|Number\.NaN|(?:np|numpy|math)\.(?:nan|NaN|NAN)|float\((?:"nan"|'nan')\)|(?:Double|Float)\.NaN|math\.NaN\(\)|f(?:32|64)::NAN)$/

const nanMatch = (tree: FlatTree, { node, left, operator, right }: Binary): Match<RuleId> | null => {
  if (!comparison.test(operator) || operator.startsWith("is")) return null
  const side = [left, right].find((n) => tree.end(n) - tree.start(n) < 16 && nan.test(tree.textOf(n)))
  if (side === undefined) return null
  const result = operator.startsWith("!") ? "always true" : "always false"
  const message = `${quoted(tree, node)} is ${result}: nothing equals NaN, not even NaN.`
  return { rule: "nan_comparison", ...spanOf(tree, node), message }
}

const typeNames = new Set([
  "undefined",
  "object",
  "boolean",
  "number",
  "string",
  "function",
  "symbol",
  "bigint",
  "unknown",
  "date"
])

const typeofMatch = (tree: FlatTree, { node, left, operator, right }: Binary): Match<RuleId> | null => {
  if (!/^[=!]==?$/.test(operator)) return null
  const [query, other] = tree.is(left, "unary_expression") ? [left, right] : [right, left]
  if (!tree.is(query, "unary_expression") || !tree.is(tree.child(query, "operator"), "typeof")) return null
  if (tree.is(other, "undefined") || (tree.is(other, "identifier") && tree.textOf(other) === "undefined")) {
    const message = `${quoted(tree, node)} compares a string with undefined; \`typeof\` returns the string "undefined".`
    return { rule: "invalid_typeof", ...spanOf(tree, node), message }
  }
  if (!tree.is(other, "string")) return null
  const name = tree.textOf(other).slice(1, -1)
  if (typeNames.has(name)) return null
  const message = `\`typeof\` never returns ${quoted(tree, other)}, so ${quoted(tree, node)} always has the same result.`
  return { rule: "invalid_typeof", ...spanOf(tree, other), message }
}

const negationMatch = (tree: FlatTree, { node, left, operator, right }: Binary): Match<RuleId> | null => {
  if (!tree.is(left, "unary_expression") || !tree.is(tree.child(left, "operator"), "!")) return null
  if (tree.is(tree.child(left, "argument"), "unary_expression")) return null
  const isTest = operator === "in" || operator === "instanceof"
  const isLiteral = tree.is(right, "string", "number") && /^(?:===|!==|<=?|>=?)$/.test(operator)
  if (!isTest && !isLiteral) return null
  const inner = tree.textOf(tree.child(left, "argument"))
  const message = `\`!\` applies to \`${inner.slice(0, 40)}\` only, so ${quoted(tree, node)} does not negate the \`${operator}\` test.`
  return { rule: "misplaced_negation", ...spanOf(tree, node), message, identifiers: namesIn(tree, left) }
}

const freshMatch = (tree: FlatTree, { node, left, operator, right }: Binary): Match<RuleId> | null => {
  if (operator !== "===" && operator !== "!==") return null
  const fresh = [left, right].find((n) => tree.is(n, "array", "object", "regex", "arrow_function", "new_expression"))
  if (fresh === undefined) return null
  const frequency = operator === "===" ? "never" : "always"
  const message = `${quoted(tree, node)} compares with an object that is created here, which ${frequency} holds.`
  return { rule: "comparison_with_new_object", ...spanOf(tree, node), message }
}

const indexCall = (tree: FlatTree, node: number): { readonly receiver: number; readonly name: string } | null => {
  if (!tree.is(node, "call_expression")) return null
  const callee = tree.child(node, "function")
  const name = tree.textOf(tree.child(callee, "property"))
  if (!tree.is(callee, "member_expression") || !/^(?:indexOf|lastIndexOf|findIndex|findLastIndex|search)$/.test(name))
    return null
  if (
    tree.childOfKind(callee, "optional_chain") !== NONE ||
    tree.namedChildren(tree.child(node, "arguments")).length === 0
  )
    return null
  return { receiver: tree.child(callee, "object"), name }
}

/** -1 is true and 0 is false: the opposite of what the condition means. */
const indexMatch = (tree: FlatTree, { node, left, operator, right }: Binary): Match<RuleId> | null => {
  if (operator === "&&") {
    const operand = [left, right].find((n) => indexCall(tree, bare(tree, n))?.name !== undefined)
    return operand === undefined || !isTested(tree, node) ? null : indexAsBoolean(tree, bare(tree, operand))
  }
  const call = indexCall(tree, left)
  if (call === null || call.name === "search") return null
  const bound = tree.textOf(right)
  const isAlways =
    (bound === "-1" && (operator === ">=" || operator === "<")) ||
    (bound === "0" && operator === ">" && tree.is(call.receiver, "array"))
  if (!isAlways) return null
  const why =
    bound === "0"
      ? "misses the first element"
      : `is always ${operator === "<" ? "false" : "true"}, since \`${call.name}\` never returns less than -1`
  return { rule: "index_as_boolean", ...spanOf(tree, node), message: `${quoted(tree, node)} ${why}.` }
}

const indexAsBoolean = (tree: FlatTree, node: number): Match<RuleId> | null => {
  const call = indexCall(tree, node)
  // Classes of the project may have a search() that returns something else.
  if (call === null || call.name === "search") return null
  const message = `${quoted(tree, node)} is used as a condition, but \`${call.name}\` returns -1, which is true, when nothing is found, and 0 for the first element.`
  return { rule: "index_as_boolean", ...spanOf(tree, node), message, identifiers: namesIn(tree, call.receiver) }
}

/** Whether an expression's truth is all that is used of it. */
const isTested = (tree: FlatTree, node: number): boolean => {
  let at = node
  for (;;) {
    const parent = tree.parent(at)
    if (tree.is(parent, "parenthesized_expression")) at = parent
    else if (/^(?:&&|\|\|)$/.test(binaryAt(tree, parent)?.operator ?? "")) at = parent
    else if (tree.is(parent, "if_statement", "while_statement", "do_statement", "ternary_expression", "for_statement"))
      return tree.fieldOf(at) === "condition"
    else return false
  }
}

const nullish = /^(?:null|undefined|None|nil)$/

/** `a == null && a.b` reads a member of what was just found to be null. */
const invertedNullMatch = (tree: FlatTree, { node, left, operator, right }: Binary): Match<RuleId> | null => {
  const isAnd = operator === "&&" || operator === "and"
  if (!isAnd && operator !== "||" && operator !== "or") return null
  let checked = binaryAt(tree, bare(tree, left))
  // Only the operand directly before the operator is known to hold.
  if (checked?.operator === operator) checked = binaryAt(tree, bare(tree, checked.right))
  if (checked === null) return null
  const nullTest = isAnd ? /^(?:===?|is)$/ : /^(?:!==?|is not)$/
  if (!nullTest.test(checked.operator) || !nullish.test(tree.textOf(checked.right))) return null
  const subject = bare(tree, checked.left)
  if (!isRepeatable(tree, subject) || tree.is(subject, "this")) return null
  const access = dereferenceOf(tree, bare(tree, right), subject)
  if (access === NONE) return null
  const message = `${quoted(tree, access)} is read only when ${quoted(tree, subject)} is ${tree.textOf(checked.right)}, so it fails; either the \`${operator}\` or the comparison is inverted.`
  return { rule: "inverted_null_check", ...spanOf(tree, node), message, identifiers: namesIn(tree, subject) }
}

/** The access to a member of `subject` that the evaluation of `node` always begins with. */
const dereferenceOf = (tree: FlatTree, node: number, subject: number): number => {
  let at = node
  for (let depth = 0; depth < 20 && at !== NONE; depth++) {
    const isAccess = tree.is(at, ...accessKinds)
    if (isAccess && tree.childOfKind(at, "optional_chain") !== NONE) return NONE
    if (isAccess && sameCode(tree, tree.firstChild(at), subject)) return at
    if (tree.is(at, "method_invocation") && sameCode(tree, tree.child(at, "object"), subject)) return at
    at = firstEvaluated(tree, at)
  }
  return NONE
}

const accessKinds = ["member_expression", "attribute", "field_access", "subscript_expression", "selector_expression"]

/** The operand with which the evaluation of an expression begins; NONE where that is not known. */
const firstEvaluated = (tree: FlatTree, node: number): number => {
  if (tree.is(node, "unary_expression", "not_operator")) {
    const argument = tree.child(node, "argument")
    return argument === NONE ? tree.child(node, "operand") : argument
  }
  const binary = binaryAt(tree, node)
  if (binary !== null) return binary.left
  if (tree.is(node, "method_invocation")) return tree.child(node, "object")
  if (tree.is(node, "parenthesized_expression")) return bare(tree, node)
  const isHolder = tree.is(node, "member_expression", "attribute", "field_access", "call_expression", "call")
  return isHolder ? tree.firstChild(node) : NONE
}

const literalValueKinds = new Set([
  "number",
  "string",
  "true",
  "false",
  "null",
  "integer",
  "integer_literal",
  "decimal_integer_literal",
  "string_literal",
  "boolean"
])

const assignmentMatch = (tree: FlatTree, condition: number): Match<RuleId> | null => {
  const value = tree.child(condition, "right")
  const operator = tree.child(condition, "operator")
  // A second pair of parentheses marks an intended assignment.
  const isDoubled = tree.is(tree.parent(tree.parent(condition)), "parenthesized_expression")
  const isPlain = operator === NONE || tree.textOf(operator) === "="
  if (isDoubled || !isPlain || !literalValueKinds.has(tree.kind(value))) return null
  const message = `${quoted(tree, condition)} assigns instead of comparing, so the condition is always the value of ${quoted(tree, value)}.`
  return { rule: "assignment_in_condition", ...spanOf(tree, condition), message, identifiers: namesIn(tree, condition) }
}

const inspectConditions = (tree: FlatTree, emit: Emit<RuleId>, script: boolean): void => {
  for (const node of tree.of("if_statement", "while_statement", "do_statement", "else_if_clause")) {
    const condition = bare(tree, tree.child(node, "condition"))
    const isAssignment = tree.is(condition, "assignment_expression")
    const match = isAssignment ? assignmentMatch(tree, condition) : script ? indexAsBoolean(tree, condition) : null
    if (match !== null) emit(match)
  }
}

const inspectCaseNaN = (tree: FlatTree, emit: Emit<RuleId>): void => {
  for (const node of tree.of("switch_case")) {
    const value = tree.child(node, "value")
    if (tree.textOf(value) !== "NaN") continue
    emit({
      rule: "nan_comparison",
      ...spanOf(tree, value),
      message: "`case NaN` never matches: nothing equals NaN, not even NaN."
    })
  }
}

const inspect = (file: SourceFile, tree: FlatTree, emit: Emit<RuleId>): void => {
  const script = isScript(file)
  const mayHaveNaN = /\bnan\b/i.test(file.text)
  for (const binary of binaries(file)) {
    const match =
      (mayHaveNaN ? nanMatch(tree, binary) : null) ??
      looseAlternative(tree, binary, script) ??
      invertedNullMatch(tree, binary) ??
      contradiction(file, tree, binary) ??
      (script
        ? (typeofMatch(tree, binary) ??
          negationMatch(tree, binary) ??
          freshMatch(tree, binary) ??
          indexMatch(tree, binary))
        : null)
    if (match !== null) emit(match)
  }
  inspectConditions(tree, emit, script)
  if (script && mayHaveNaN) inspectCaseNaN(tree, emit)
}

export const conditions: Check = {
  languages: languages("typescript", "tsx", "javascript", "python", "go", "java", "php", "csharp"),
  inspect
}
