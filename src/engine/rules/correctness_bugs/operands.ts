import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { type Binary, binaries } from "../../languages/code/binaries.ts"
import { ifChains } from "../../languages/code/ifChains.ts"
import { isNative } from "../../languages/native/functions.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import { bare, isRepeatable, sameCode } from "../../structure/sameCode.ts"
import { type Check, isScript, languages, namesIn, quoted, spanOf } from "./Check.ts"
import type { RuleId } from "./rules.ts"

const equality = new Set(["==", "===", "!=", "!==", "is", "is not"])
const order = new Set(["<", ">", "<=", ">="])
const junctions = new Set(["&&", "||", "and", "or"])
/** Not `^`: `x ^ x` is how some write the empty set of flags. */
const bitwise = new Set(["|", "&"])
const arithmetic = new Set(["-", "/", "%"])

const plainNames = new Set(["identifier", "variable_name", "name"])
const members = new Set([
  "member_expression",
  "attribute",
  "selector_expression",
  "field_access",
  "member_access_expression",
  "field_expression"
])
const isLiteral = (tree: FlatTree, node: number): boolean =>
  /literal|^(?:number|integer|float|true|false|null|nil|none|string|encapsed_string)$/i.test(tree.kind(node))

/** `x != x` tests whether x is NaN; the same is done with elements and with results of arithmetic. */
const mayTestForNaN = (tree: FlatTree, { operator, left }: Binary): boolean =>
  !members.has(tree.kind(bare(tree, left))) || operator.startsWith("!")

/** Numeric code writes `(x - x) / (x - x)` to make infinities and NaN. */
const isNumericIdiom = (tree: FlatTree, { left }: Binary): boolean => plainNames.has(tree.kind(bare(tree, left)))

const comparesItself = (tree: FlatTree, binary: Binary): boolean => {
  const { operator, left, right } = binary
  if (equality.has(operator)) {
    if (isLiteral(tree, bare(tree, left)) || mayTestForNaN(tree, binary)) return false
  } else if (!order.has(operator)) return false
  return sameCode(tree, bare(tree, left), bare(tree, right)) && isRepeatable(tree, left)
}

const cancelsItself = (tree: FlatTree, binary: Binary): boolean => {
  const { operator, left, right } = binary
  if (!arithmetic.has(operator) || isNumericIdiom(tree, binary)) return false
  const operand = bare(tree, left)
  if (!sameCode(tree, operand, bare(tree, right)) || !isRepeatable(tree, left)) return false
  return members.has(tree.kind(operand)) || /subscript|index|element|array_access/.test(tree.kind(operand))
}

/** Operands of `a && b && c`, for the outermost of a run; null further in. */
const runOf = (tree: FlatTree, at: ReadonlyMap<number, Binary>, binary: Binary): ReadonlyArray<number> | null => {
  const parent = at.get(tree.parent(binary.node))
  if (parent?.operator === binary.operator && parent.left === binary.node) return null
  const operands: Array<number> = []
  let current: Binary | undefined = binary
  while (current !== undefined && current.operator === binary.operator) {
    operands.push(current.right)
    const left: number = current.left
    current = at.get(left)
    if (current?.operator !== binary.operator) operands.push(left)
  }
  return operands.reverse()
}

const repeatedOperand = (tree: FlatTree, operands: ReadonlyArray<number>): number => {
  for (let i = 1; i < operands.length && i < 40; i++) {
    for (let j = 0; j < i; j++) {
      const [a, b] = [bare(tree, operands[j]!), bare(tree, operands[i]!)]
      if (sameCode(tree, a, b) && !isLiteral(tree, a) && isRepeatable(tree, a, true)) {
        // An operand in between may change the value.
        return operands.slice(j, i).every((between) => isRepeatable(tree, between, true)) ? operands[i]! : NONE
      }
    }
  }
  return NONE
}

/** `options && options.marker && options` and `x and x or y` have the value of the operand, not its truth. */
const isGuardOfItself = (
  tree: FlatTree,
  { node, operator }: Binary,
  operands: ReadonlyArray<number>,
  repeated: number
): boolean => {
  if (operator !== "&&" && operator !== "and") return false
  let at = node
  while (tree.is(tree.parent(at), "parenthesized_expression")) at = tree.parent(at)
  const parent = tree.parent(at)
  if (operands.length === 2) return tree.is(parent, "boolean_operator") && tree.fieldOf(at) === "left"
  return (
    repeated === operands.at(-1) &&
    !/^(?:if|while|do|for|elif)/.test(tree.kind(parent)) &&
    !tree.is(bare(tree, repeated), "binary_expression", "comparison_operator")
  )
}

/** Sets, vectors and queries of Python have bitwise operators of their own; only flags, in capitals, are compared. */
const isFlagOperand = (file: SourceFile, text: string): boolean =>
  !/^\(?[\d.]/.test(text) && (file.language !== "python" || /(?:^|\.)[A-Z][A-Z0-9_]+$/.test(text))

/** `hash & hash` and `x | x` of JavaScript turn a number into one of 32 bits. */
const convertsToInteger = (file: SourceFile, tree: FlatTree, operands: ReadonlyArray<number>): boolean =>
  isScript(file) && operands.length === 2 && tree.is(bare(tree, operands[0]!), "identifier")

const inspectRun = (
  file: SourceFile,
  tree: FlatTree,
  binary: Binary,
  operands: ReadonlyArray<number>,
  emit: Emit<RuleId>
): void => {
  const { operator } = binary
  const repeated = repeatedOperand(tree, operands)
  if (repeated === NONE || isGuardOfItself(tree, binary, operands, repeated)) return
  if (bitwise.has(operator)) {
    if (!isFlagOperand(file, tree.textOf(repeated)) || convertsToInteger(file, tree, operands)) return
  }
  const message = `${quoted(tree, repeated)} is an operand of the same \`${operator}\` twice; the second was probably meant to be something else.`
  emit({ rule: "identical_operands", ...spanOf(tree, repeated), message, identifiers: namesIn(tree, repeated) })
}

const inspectBinaries = (file: SourceFile, tree: FlatTree, emit: Emit<RuleId>): void => {
  const all = binaries(file)
  let at: Map<number, Binary> | undefined
  for (const binary of all) {
    const { node, operator } = binary
    if (comparesItself(tree, binary)) {
      const message = `${quoted(tree, node)} compares ${quoted(tree, binary.left)} with itself, so the result is always the same.`
      emit({ rule: "self_comparison", ...spanOf(tree, node), message, identifiers: namesIn(tree, node) })
    } else if (cancelsItself(tree, binary)) {
      const result = operator === "/" ? "1" : "0"
      const message = `Both operands of ${quoted(tree, node)} are the same, so the result is ${result} for every value.`
      emit({ rule: "identical_operands", ...spanOf(tree, node), message, identifiers: namesIn(tree, node) })
    } else if (junctions.has(operator) || (bitwise.has(operator) && file.language !== "rust")) {
      at ??= new Map(all.map((one) => [one.node, one]))
      const operands = runOf(tree, at, binary)
      if (operands !== null) inspectRun(file, tree, binary, operands, emit)
    }
  }
}

const isFieldAccess = (tree: FlatTree, node: number): boolean =>
  tree.is(node, "member_expression", "attribute", "field_access", "selector_expression")

/** Assigning a property to itself may run a setter, notify a framework of a change or copy from the prototype. */
const assignsForEffect = (file: SourceFile, tree: FlatTree, node: number, left: number): boolean => {
  if (isScript(file)) {
    if (tree.is(left, "identifier")) return false
    const method = tree.enclosing(
      node,
      "method_definition",
      "function_declaration",
      "function_expression",
      "arrow_function"
    )
    const inConstructor =
      tree.is(method, "method_definition") && tree.textOf(tree.child(method, "name")) === "constructor"
    const name = tree.textOf(tree.child(left, "property"))
    const isOwn = tree.is(tree.child(left, "object"), "this")
    return !(inConstructor && isOwn) || file.text.includes(`set ${name}(`) || file.text.includes(`get ${name}(`)
  }
  switch (file.language) {
    case "python": {
      // `x = x` in a class body takes over a global; at the top it is a probe for an old name.
      const scope = tree.enclosing(node, "function_definition", "class_definition", "try_statement")
      return !tree.is(left, "identifier") || !tree.is(scope, "function_definition")
    }
    case "java":
    case "go":
      return !(tree.is(left, "identifier") || isFieldAccess(tree, left))
    case "csharp":
      return (
        !tree.is(left, "identifier") ||
        !/^[a-z_]/.test(tree.textOf(left)) ||
        tree.enclosing(node, "initializer_expression", "attribute_argument") !== NONE
      )
    default:
      return !tree.is(left, "identifier", "variable_name")
  }
}

/** Sides of a plain `a = b`; null for anything else. */
const sidesOf = (tree: FlatTree, node: number): { readonly left: number; readonly right: number } | null => {
  const [left, right] = [tree.child(node, "left"), tree.child(node, "right")]
  const operator = tree.child(node, "operator")
  if (right === NONE || tree.child(node, "type") !== NONE) return null
  if (operator !== NONE && tree.textOf(operator) !== "=") return null
  if (!tree.is(left, "expression_list")) return { left, right }
  const [only, ...more] = tree.namedChildren(left)
  return only === undefined || more.length > 0 ? null : { left: only, right: tree.namedChildren(right)[0] ?? NONE }
}

const assigning = ["assignment_expression", "assignment_statement", "assignment"]

/** By each body of an `if` chain, all bodies of the chain. */
const computeBodies = (file: SourceFile): ReadonlyMap<number, ReadonlyArray<number>> => {
  const found = new Map<number, ReadonlyArray<number>>()
  for (const { branches, otherwise } of ifChains(file)) {
    const bodies = [...branches.map(({ body }) => body), otherwise].filter((body) => body !== NONE)
    for (const body of bodies) found.set(body, bodies)
  }
  return found
}

/** A branch that keeps the value, beside one that assigns another: every case is written out on purpose. */
const keepsValueOfBranch = (file: SourceFile, tree: FlatTree, node: number, left: number): boolean => {
  const name = tree.textOf(left)
  const bodies = file.memo(computeBodies, computeBodies).get(tree.parent(tree.parent(node))) ?? []
  return bodies.some((body) =>
    tree.within(body, ...assigning).some((other) => other !== node && tree.textOf(tree.child(other, "left")) === name)
  )
}

const inspectAssignments: Check["inspect"] = (file, tree, emit) => {
  for (const node of tree.of(...assigning)) {
    const sides = sidesOf(tree, node)
    if (sides === null) continue
    const { left, right } = sides
    if (tree.end(left) - tree.start(left) !== tree.end(right) - tree.start(right)) continue
    if (!sameCode(tree, left, right) || !isRepeatable(tree, left) || tree.textOf(left) === "_") continue
    if (assignsForEffect(file, tree, node, left) || hasCommentAfter(file, tree, node)) continue
    if (keepsValueOfBranch(file, tree, node, left)) continue
    const message = `${quoted(tree, node)} assigns ${quoted(tree, left)} to itself, which does nothing; one side was probably meant to be something else.`
    emit({ rule: "self_assignment", ...spanOf(tree, node), message, identifiers: namesIn(tree, left) })
  }
}

/** A remark for a static checker marks a line that exists for the checker. */
const hasCommentAfter = (file: SourceFile, tree: FlatTree, node: number): boolean =>
  /(?:#|\/\/|\/\*).*(?:noqa|type|lint|ignore|sonar|inspect|cast|narrow)/i.test(
    file.lineText(file.line(tree.start(node)))
  )

export const operands: Check = {
  languages: languages("typescript", "tsx", "javascript", "python", "go", "java", "php", "csharp", "rust", "c", "cpp"),
  inspect: (file, tree, emit) => {
    inspectBinaries(file, tree, emit)
    // In C and C++ an assignment to itself keeps compilers from warnings of unused parameters.
    if (!isNative(file.language)) inspectAssignments(file, tree, emit)
  }
}
