import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit, Match } from "../../core/tool/AuditTool.ts"
import { binaryAt } from "../../languages/code/binaries.ts"
import { commentsAround } from "../../languages/code/commentAbove.ts"
import { declaredType } from "../../languages/code/declaredTypes.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import { bare, hasBelow, sameCode } from "../../structure/sameCode.ts"
import { type Check, isScript, languages, quoted, spanOf } from "./Check.ts"
import type { RuleId } from "./rules.ts"

interface Step {
  readonly name: string
  readonly direction: 1 | -1
}

/** What `i++`, `--i`, `i += 2` change, and in which direction. */
const stepOf = (tree: FlatTree, update: number): Step | null => {
  const text = tree.textOf(update)
  const match = /^\$?([A-Za-z_]\w*)(?:(\+\+|--)|\s*([-+])=\s*(\d+))$|^(\+\+|--)\$?([A-Za-z_]\w*)$/.exec(text)
  if (match === null || text.length > 80) return null
  const sign = match[2] ?? match[3] ?? match[5] ?? ""
  return { name: match[1] ?? match[6]!, direction: sign.startsWith("+") ? 1 : -1 }
}

const plain = (tree: FlatTree, node: number): string =>
  tree.is(node, "identifier", "variable_name") ? tree.textOf(node).replace("$", "") : ""

const mentions = (tree: FlatTree, node: number, name: string): boolean =>
  new RegExp(`(?<![\\w$.])\\$?${name.replace(/\$/g, "\\$")}(?![\\w$])`).test(tree.textOf(node))

const leavesEarly = (tree: FlatTree, body: number): boolean =>
  hasBelow(
    tree,
    body,
    "break_statement",
    "return_statement",
    "throw_statement",
    "goto_statement",
    "yield_expression",
    "yield"
  )

/** A loop that tests one variable against a bound and changes one variable in each iteration. */
interface CountedLoop {
  readonly condition: number
  readonly update: number
  readonly body: number
  /** Sides of the comparison; the text of the left one is "" when it is no plain name. */
  readonly left: number
  readonly operator: string
  readonly right: number
  readonly tested: string
  readonly step: Step
}

const countedLoop = (tree: FlatTree, node: number): CountedLoop | null => {
  const clause = tree.is(node, "for_statement") ? tree.childOfKind(node, "for_clause") : NONE
  const holder = clause === NONE ? node : clause
  // `i++, j--`: which of the two is the counter is not known.
  if (tree.childrenOfField(holder, "update").filter((n) => tree.isNamed(n)).length > 1) return null
  const test = tree.child(holder, "condition")
  const condition = tree.is(test, "expression_statement") ? tree.firstChild(test) : test
  const increment = tree.child(holder, "increment")
  const update = increment !== NONE ? increment : tree.child(holder, "update")
  const body = tree.child(node, "body")
  if (condition === NONE || update === NONE || body === NONE) return null
  const binary = binaryAt(tree, bare(tree, condition))
  const step = stepOf(tree, update)
  if (binary === null || step === null || !/^[<>]=?$/.test(binary.operator)) return null
  const { left, operator, right } = binary
  return { condition, update, body, left, operator, right, tested: plain(tree, left), step }
}

/** What changes how many elements a list has. */
const resizes =
  "(?:pop|push|shift|unshift|splice|poll|append|insert|[Aa]dd\\w*|[Rr]emove\\w*|[Dd]elete\\w*|[Cc]lear)\\s*\\("

/** The bound moves: `length > at` where the body adds to `at`, `i < list.length` where it takes from the list. */
const isBoundChanged = (tree: FlatTree, { body, right }: CountedLoop): boolean => {
  const [root = "", member] = tree.textOf(right).split(/[.-]/)
  if (!/^\$?[A-Za-z_]\w*$/.test(root)) return false
  const name = root.replace("$", "")
  return (
    assignsTo(tree, body, name) ||
    (member !== undefined && new RegExp(`(?<![\\w.])\\$?${name}[\\w.]*\\.${resizes}`).test(tree.textOf(body)))
  )
}

/** Characters of a loop's head that may stand before its condition. */
const MAX_START = 80

/** `for i := n - 1; i < n; i--` ends with an unsigned counter, whose step below 0 gives the largest number. */
const mayWrapAround = (tree: FlatTree, { condition, operator, step, tested, body }: CountedLoop): boolean =>
  operator.startsWith("<") &&
  step.direction < 0 &&
  mentions(tree, body, tested) &&
  !new RegExp(`(?<![\\w$])\\$?${tested}\\s*:?=\\s*\\d+\\s*;\\s*$`).test(
    tree.text.slice(Math.max(0, tree.start(condition) - MAX_START), tree.start(condition))
  )

const movesAway = (tree: FlatTree, loop: CountedLoop): boolean => {
  const { body, operator, right, tested, step } = loop
  return (
    tested === step.name &&
    plain(tree, right) !== step.name &&
    step.direction === (operator.startsWith("<") ? -1 : 1) &&
    !leavesEarly(tree, body) &&
    !assignsTo(tree, body, tested) &&
    !mayWrapAround(tree, loop) &&
    !isBoundChanged(tree, loop)
  )
}

const changesAnother = (tree: FlatTree, loop: CountedLoop): boolean => {
  const { condition, body, right, tested, step } = loop
  return (
    tested !== "" &&
    tested !== step.name &&
    !mentions(tree, condition, step.name) &&
    /^[A-Za-z_]\w*(?:\.\w+)*$|^\d+$/.test(tree.textOf(right)) &&
    !assignsTo(tree, body, tested) &&
    !leavesEarly(tree, body) &&
    !isBoundChanged(tree, loop)
  )
}

/** How often such a report is right of a loop that does nothing: what it was to do is not known. */
const EMPTY = 0.75

/** Of a loop that reads its counter, which often ends with an error of what it reads; not measured. */
const READ = 0.85

/** Samples and test data of analysers, whose comments call the loop what it is. */
const onPurpose =
  /infinit|endless|forever|jumbled|never (?:ends|terminates|stops)|\b(?:want|expect(?:ed|s)?|nope|diag|ok|ruleid|todo ?ruleid|non-?compliant|violation|on purpose|intentional\w*|deliberate\w*|(?:wrong|negative|opposite) (?:direction|increment|step))\b/i

/** `sleep(1)` and `flush()` in a loop that moves away from its bound: it is to go on until someone ends the program. */
const waits = /\b(?:u?sleep|Sleep|flush|wait)\s*\(/

/** By a comment at the loop or at the one around it, which is often about both. */
const isCalledMeant = (file: SourceFile, tree: FlatTree, node: number): boolean =>
  [node, tree.enclosing(node, "for_statement")].some(
    (loop) =>
      loop !== NONE && onPurpose.test(commentsAround(file, tree.start(loop), tree.start(tree.child(loop, "body"))))
  )

const isEmpty = (tree: FlatTree, body: number): boolean =>
  tree.namedChildren(body).every((part) => tree.isComment(part) || tree.is(part, "empty_statement"))

/** Why a loop never ends, with the names that it is about; null where nothing shows it. */
const endlessness = (
  tree: FlatTree,
  loop: CountedLoop
): Pick<Match<RuleId>, "message" | "identifiers" | "confidence"> | null => {
  const { body, condition, update, tested, step } = loop
  if (movesAway(tree, loop)) {
    const moves = `\`${tree.textOf(update)}\` moves \`${tested}\` away from the bound in ${quoted(tree, condition)}`
    return mentions(tree, body, tested)
      ? { message: `${moves}, so the loop never runs, or until it fails.`, identifiers: [tested], confidence: READ }
      : { message: `${moves}, so the loop never runs or never ends.`, identifiers: [tested] }
  }
  if (!changesAnother(tree, loop)) return null
  const message = `The loop tests \`${tested}\` but changes \`${step.name}\`, so ${quoted(tree, condition)} never changes.`
  return { message, identifiers: [tested, step.name] }
}

const inspectFor = (file: SourceFile, tree: FlatTree, node: number, emit: Emit<RuleId>): void => {
  const loop = countedLoop(tree, node)
  if (loop === null) return
  const reason = endlessness(tree, loop)
  if (reason === null) {
    inspectBound(file, tree, loop, emit)
    return
  }
  const { update, body } = loop
  if (waits.test(tree.textOf(body)) || isCalledMeant(file, tree, node)) return
  const doubt = isEmpty(tree, body) ? { confidence: EMPTY } : {}
  emit({ rule: "loop_never_ends", ...spanOf(tree, update), ...reason, ...doubt })
}

/** What stands between the brackets of `map[x, y]` is read, unless it changes something itself. */
const readIndexes = /(?<=\w)\[[^\][\n=+-]*\]/g

const assignsTo = (tree: FlatTree, body: number, name: string): boolean =>
  new RegExp(
    `(?<![\\w.])\\$?${name}\\s*(?:(?:[-+*/%|&^]|<<|>>>?|\\*\\*)?=(?!=)|\\+\\+|--|:=|,[^\\n;({}=<>!]*=(?!=))|(?:\\+\\+|--|&)\\s*\\$?${name}(?!\\w)`
  ).test(tree.textOf(body).replace(readIndexes, "[]"))

const accesses = [
  "subscript_expression",
  "array_access",
  "index_expression",
  "element_access_expression",
  "method_invocation"
]

/** What is declared as a list has indexes from 0; the keys of a map, which has `get` and `size` as well, may be 1 to its size. */
const isList = (file: SourceFile, name: string): boolean =>
  /^(?:[\w.]*\.)?(?:\w*List|Vector)(?:<|$)/.test(declaredType(file, name.replace(/^this\./, "")) ?? "")

interface Access {
  readonly list: string
  readonly index: string
}

/** List and index of `list[index]` and `list.get(index)`; null for a call of anything else. */
const accessOf = (file: SourceFile, tree: FlatTree, access: number): Access | null => {
  if (!tree.is(access, "method_invocation")) {
    return { list: tree.textOf(tree.firstChild(access)), index: tree.textOf(tree.namedChildren(access).at(-1)!) }
  }
  if (tree.textOf(tree.child(access, "name")) !== "get") return null
  const [index] = tree.namedChildren(tree.child(access, "arguments"))
  const list = tree.textOf(tree.child(access, "object"))
  return isList(file, list) ? { list, index: tree.textOf(index ?? NONE) } : null
}

/** Reading undefined is harmless in JavaScript until a member of it is read. */
const isUsed = (file: SourceFile, tree: FlatTree, access: number): boolean => {
  const holder = tree.parent(access)
  return (
    !isScript(file) || (tree.is(holder, "member_expression") && tree.childOfKind(holder, "optional_chain") === NONE)
  )
}

/** `i <= a.length` and then `a[i]`: the last iteration reads past the end. */
const inspectBound = (file: SourceFile, tree: FlatTree, loop: CountedLoop, emit: Emit<RuleId>): void => {
  const { body, left, operator, right, tested, step } = loop
  if (operator !== "<=" || step.direction < 0 || tested !== step.name) return
  const bound = tree.textOf(right)
  const list = /^([\w.$]+)\.(?:length|size\(\)|Length|Count)$|^len\(([\w.]+)\)$|^count\((\$\w+)\)$/.exec(bound)
  const name = list?.[1] ?? list?.[2] ?? list?.[3]
  if (name === undefined || tree.textOf(body).includes(bound) || leavesEarly(tree, body)) return
  for (const access of tree.within(body, ...accesses)) {
    const read = accessOf(file, tree, access)
    if (read === null || read.index !== step.name || read.list !== name) continue
    const isGuarded = tree.enclosing(access, "if_statement", "ternary_expression", "binary_expression") > body
    if (!isUsed(file, tree, access) || isGuarded || isTarget(tree, access)) continue
    const message = `The loop runs while \`${step.name} <= ${bound}\`, so its last iteration reads ${quoted(tree, access)}, one past the end.`
    emit({
      rule: "loop_past_end",
      ...spanOf(tree, left),
      message,
      steps: [{ ...spanOf(tree, access), note: "This reads past the end." }],
      identifiers: [step.name]
    })
    return
  }
}

const isTarget = (tree: FlatTree, access: number): boolean => {
  const holder = tree.parent(access)
  return tree.is(holder, "assignment_expression") && tree.fieldOf(access) === "left"
}

/** `for (const i in list)` yields strings: `list[i + 1]` reads element "01". */
const inspectForIn = (tree: FlatTree, node: number, emit: Emit<RuleId>): void => {
  if (!tree.is(tree.child(node, "operator"), "in")) return
  const key = tree.textOf(tree.child(node, "left"))
  const list = tree.child(node, "right")
  const body = tree.child(node, "body")
  if (!/^[A-Za-z_$][\w$]*$/.test(key)) return
  for (const access of tree.within(body, "subscript_expression")) {
    if (!sameCode(tree, tree.child(access, "object"), list)) continue
    const sum = binaryAt(tree, bare(tree, tree.child(access, "index")))
    if (sum === null || sum.operator !== "+" || tree.textOf(sum.left) !== key || !tree.is(sum.right, "number")) continue
    const message = `\`for … in\` yields \`${key}\` as a string, so ${quoted(tree, access)} does not read the next element but the key \`${key}\` with a ${tree.textOf(sum.right)} appended.`
    emit({ rule: "string_index_arithmetic", ...spanOf(tree, access), message, identifiers: [key] })
  }
}

export const loops: Check = {
  languages: languages("typescript", "tsx", "javascript", "java", "go", "csharp", "php"),
  inspect: (file, tree, emit) => {
    for (const node of tree.of("for_statement")) inspectFor(file, tree, node, emit)
    if (isScript(file)) for (const node of tree.of("for_in_statement")) inspectForIn(tree, node, emit)
  }
}
