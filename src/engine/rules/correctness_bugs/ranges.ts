import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Match } from "../../core/tool/AuditTool.ts"
import { type Binary, binaryAt } from "../../languages/code/binaries.ts"
import { commentsAround } from "../../languages/code/commentAbove.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import { bare, isRepeatable, sameCode } from "../../structure/sameCode.ts"
import { namesIn, quoted, spanOf } from "./Check.ts"
import type { RuleId } from "./rules.ts"

interface Test {
  readonly subject: number
  readonly operator: string
  readonly value: number | string
  /** A name in capitals, such as a member of an enumeration. */
  readonly isNamed: boolean
  /** `null` or `undefined`. */
  readonly isNothing?: boolean
}

const mirrored: Record<string, string> = { "<": ">", ">": "<", "<=": ">=", ">=": "<=" }

type Constant = Pick<Test, "value" | "isNamed" | "isNothing">

const constantOf = (tree: FlatTree, node: number, isStrict: boolean): Constant | null => {
  const kind = tree.kind(node)
  if (tree.end(node) - tree.start(node) > 80) return null
  const text = tree.textOf(node)
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return { value: Number(text), isNamed: false }
  if (/^(?:string|string_literal|interpreted_string_literal|encapsed_string)$/.test(kind)) {
    return /[\\${}]/.test(text) ? null : { value: text.slice(1, -1), isNamed: false }
  }
  // Only strict comparisons distinguish them from everything else.
  if (/^(?:null|undefined)$/.test(text) && isStrict) return { value: text, isNamed: false, isNothing: true }
  // Members of one enumeration differ; other constants may be equal under two names.
  if (
    /^(?:member_expression|field_access|member_access_expression|attribute)$/.test(kind) &&
    /^[A-Z]\w*(?:\.[A-Z]\w*)+$/.test(text)
  ) {
    return { value: text, isNamed: true }
  }
  return null
}

const testOf = (tree: FlatTree, node: number): Test | null => {
  const binary = binaryAt(tree, bare(tree, node))
  if (binary === null || !/^(?:[=!]==?|[<>]=?)$/.test(binary.operator)) return null
  const [left, right] = [bare(tree, binary.left), bare(tree, binary.right)]
  const isStrict = isOfType(binary.operator)
  const onRight = constantOf(tree, right, isStrict)
  const onLeft = onRight === null ? constantOf(tree, left, isStrict) : null
  const constant = onRight ?? onLeft
  if (constant === null) return null
  const operator = onRight === null ? (mirrored[binary.operator] ?? binary.operator) : binary.operator
  if (constant.isNamed && !/^[=!]/.test(operator)) return null
  // `Server.HOST == null` tests a member that is written in capitals, not null.
  const subject = onRight === null ? right : left
  if (/^(?:null|None|nil|undefined)$/.test(tree.textOf(subject).slice(0, 10))) return null
  if (typeof constant.value === "string" && /^[<>]/.test(operator)) return null
  return { subject, operator, ...constant }
}

/** Compares types as well, so that only values of one type are equal. */
const isOfType = (operator: string): boolean => operator === "===" || operator === "!=="
const isEqual = (operator: string): boolean => operator === "==" || operator === "==="
const isUnequal = (operator: string): boolean => operator === "!=" || operator === "!=="

const differ = (a: Test, b: Test): boolean => a.value !== b.value || a.isNothing !== b.isNothing

/** Whether no value passes both tests. */
const excludes = (a: Test, b: Test): boolean => {
  if (isEqual(a.operator) && isEqual(b.operator)) return differ(a, b)
  if (typeof a.value !== "number" || typeof b.value !== "number") return false
  const [lower, upper] = /^>/.test(a.operator) ? [a, b] : [b, a]
  if (/^>/.test(lower.operator) && /^</.test(upper.operator)) {
    if (lower.value === upper.value) return !(lower.operator === ">=" && upper.operator === "<=")
    return lower.value > upper.value
  }
  const [equal, bound] = isEqual(a.operator) ? [a, b] : [b, a]
  if (!isEqual(equal.operator) || !/^[<>]/.test(bound.operator)) return false
  const [x, y] = [equal.value as number, bound.value as number]
  return !{ "<": x < y, "<=": x <= y, ">": x > y, ">=": x >= y }[bound.operator]
}

/** Whether every value passes one of the tests. */
const covers = (a: Test, b: Test): boolean => {
  if (isUnequal(a.operator) && isUnequal(b.operator)) return differ(a, b)
  if (typeof a.value !== "number" || typeof b.value !== "number") return false
  const [below, above] = /^</.test(a.operator) ? [a, b] : [b, a]
  if (!/^</.test(below.operator) || !/^>/.test(above.operator)) return false
  // `x <= 0 || x > 0` is an idiom that tests whether x is a number at all.
  return below.value > above.value
}

/** Loose equality in JavaScript and PHP converts: only values of one type certainly differ. */
const sameNature = (file: SourceFile, a: Test, b: Test): boolean => {
  if (isOfType(a.operator) && isOfType(b.operator) && !a.isNamed && !b.isNamed) return true
  if (typeof a.value !== typeof b.value || a.isNamed !== b.isNamed) return false
  if (a.isNamed) {
    const owner = (text: string): string => text.slice(0, text.lastIndexOf("."))
    return owner(a.value as string) === owner(b.value as string)
  }
  return file.language !== "php" || typeof a.value === "number"
}

/** `x != x or (x == 0.0 and x == 1.0)` looks for the number that is none, which compares unlike any other. */
const testsForNaN = (tree: FlatTree, node: number): boolean => {
  let outermost = node
  while (binaryAt(tree, tree.parent(outermost)) !== null || /paren/.test(tree.kind(tree.parent(outermost)))) {
    outermost = tree.parent(outermost)
  }
  return /(?<![\w.])([\w.]{1,60})\s{0,4}!==?\s{0,4}\1(?![\w.])/.test(tree.textOf(outermost).slice(0, 400))
}

/** `x > 5 && x < 3`, `x != 1 || x != 2`: the last two operands of a run, and those before them. */
export const contradiction = (file: SourceFile, tree: FlatTree, binary: Binary): Match<RuleId> | null => {
  const { node, left, operator } = binary
  const subject = decidedSubject(file, tree, binary)
  if (subject === NONE || isDecidedBefore(file, tree, left, operator)) return null
  if (testsForNaN(tree, node)) return null
  const frequency = isConjunction(operator) ? "never" : "always"
  const isShown = shows(tree, node) || onPurpose.test(commentsAround(file, tree.start(node), tree.end(node)))
  return {
    rule: "contradictory_condition",
    ...spanOf(tree, node),
    message: `${quoted(tree, node, 90)} ${frequency} holds, for every value of ${quoted(tree, subject)}.`,
    identifiers: namesIn(tree, subject),
    ...(isShown ? { confidence: SHOWN } : {})
  }
}

/** How often such a report is right where the result is printed, or a comment says what it is: lessons and samples. */
const SHOWN = 0.6
const prints = /^(?:print|println|puts|echo|printf|console\.log|fmt\.Print(?:ln|f)?)$/
const onPurpose =
  /\b(?:(?:is|are|be)\s+(?:never|always)|always\s+(?:true|false)|never\s+(?:true|holds?|happens?)|on purpose|intentional\w*|deliberate\w*|short[- ]?circuit\w*|(?:should|must|to)\s+(?:be\s+)?(?:report|flag|find|found|detect)\w*)\b/i
const MAX_CALLEE = 40

/** Whether a condition is printed rather than used. */
const shows = (tree: FlatTree, node: number): boolean => {
  let at = tree.parent(node)
  while (/paren|argument|not_operator|unary/.test(tree.kind(at)) || binaryAt(tree, at) !== null) at = tree.parent(at)
  if (tree.is(at, "echo_statement", "print_intrinsic")) return true
  const callee = tree.child(at, "function")
  return callee !== NONE && prints.test(tree.textOf(callee).slice(0, MAX_CALLEE))
}

/** A run whose beginning is decided is reported there, and not again with the operands that follow. */
const isDecidedBefore = (file: SourceFile, tree: FlatTree, left: number, operator: string): boolean => {
  let begun = binaryAt(tree, bare(tree, left))
  for (let count = 0; begun?.operator === operator && count < MAX_OPERANDS; count++) {
    if (decidedSubject(file, tree, begun) !== NONE) return true
    begun = binaryAt(tree, bare(tree, begun.left))
  }
  return false
}

const isConjunction = (operator: string): boolean => operator === "&&" || operator === "and"

/** What the last operand of a run tests, where that and an operand before it decide the run; NONE otherwise. */
const decidedSubject = (file: SourceFile, tree: FlatTree, { left, operator, right }: Binary): number => {
  const isAnd = isConjunction(operator)
  if (!isAnd && operator !== "||" && operator !== "or") return NONE
  const last = testOf(tree, right)
  if (last === null || !isRepeatable(tree, last.subject)) return NONE
  const before = operandsBefore(tree, left, operator)
  const isDecided = before.some((operand, at) => {
    const other = testOf(tree, operand)
    if (other === null || !sameCode(tree, other.subject, last.subject) || !sameNature(file, other, last)) return false
    if (before.slice(0, at).some((between) => assigns(tree, between, last.subject))) return false
    return isAnd ? excludes(other, last) : covers(other, last)
  })
  return isDecided ? last.subject : NONE
}

/** `node.name === "a" && (node = node.next) && node.name === "b"`: the last operand tests another node. */
const assigns = (tree: FlatTree, operand: number, subject: number): boolean => {
  const root = /^\$?\w+/.exec(tree.textOf(subject))?.[0]
  return tree
    .within(
      operand,
      "assignment_expression",
      "augmented_assignment_expression",
      "update_expression",
      "named_expression"
    )
    .some((change) => tree.namedChildren(change).some((changed) => tree.textOf(changed) === root))
}

const MAX_OPERANDS = 30

/** Operands of a run of one operator, from the last back to the first. */
const operandsBefore = (tree: FlatTree, left: number, operator: string): ReadonlyArray<number> => {
  const found: Array<number> = []
  let at = bare(tree, left)
  while (found.length < MAX_OPERANDS) {
    const run = binaryAt(tree, at)
    if (run?.operator !== operator) return [...found, at]
    found.push(run.right)
    at = bare(tree, run.left)
  }
  return found
}
