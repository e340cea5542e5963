import type { SourceFile } from "../../core/files/SourceFile.ts"
import { type Binary, binaries } from "../../languages/code/binaries.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import { bare, isRepeatable, sameCode } from "../../structure/sameCode.ts"
import { type Check, isScript, languages, namesIn, quoted, spanOf } from "./Check.ts"

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

/** `x != x` asks whether x is not a number; the same is done with elements and with results of arithmetic. */
const mayAskForNaN = (tree: FlatTree, { operator, left }: Binary): boolean =>
  !members.has(tree.kind(bare(tree, left))) || operator.startsWith("!")

/** Numeric code writes `(x - x) / (x - x)` to make infinities and NaN. */
const isNumericIdiom = (tree: FlatTree, { left }: Binary): boolean => plainNames.has(tree.kind(bare(tree, left)))

const comparesItself = (tree: FlatTree, binary: Binary): boolean => {
  const { operator, left, right } = binary
  if (equality.has(operator)) {
    if (isLiteral(tree, bare(tree, left)) || mayAskForNaN(tree, binary)) return false
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
        // What stands between may change what is asked.
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

const inspectBinaries = (file: SourceFile, tree: FlatTree, emit: Parameters<Check["inspect"]>[2]): void => {
  const all = binaries(file)
  let at: Map<number, Binary> | undefined
  for (const binary of all) {
    const { node, operator } = binary
    if (comparesItself(tree, binary)) {
      const message = `${quoted(tree, node)} compares ${quoted(tree, binary.left)} with itself, so the answer is always the same.`
      emit({ rule: "self_comparison", ...spanOf(tree, node), message, identifiers: namesIn(tree, node) })
    } else if (cancelsItself(tree, binary)) {
      const result = operator === "/" ? "1" : "0"
      const message = `Both operands of ${quoted(tree, node)} are the same, so it is ${result} whatever the value.`
      emit({ rule: "identical_operands", ...spanOf(tree, node), message, identifiers: namesIn(tree, node) })
    } else if (junctions.has(operator) || (bitwise.has(operator) && file.language !== "rust")) {
      at ??= new Map(all.map((one) => [one.node, one]))
      const operands = runOf(tree, at, binary)
      const repeated = operands === null ? NONE : repeatedOperand(tree, operands)
      if (repeated === NONE || isGuardOfItself(tree, binary, operands!, repeated)) continue
      // Sets, vectors and queries of Python have operators of their own; flags are in capitals.
      if (
        bitwise.has(operator) &&
        file.language === "python" &&
        !/(?:^|\.)[A-Z][A-Z0-9_]+$/.test(tree.textOf(repeated))
      )
        continue
      if (bitwise.has(operator) && /^\(?[\d.]/.test(tree.textOf(repeated))) continue
      const message = `${quoted(tree, repeated)} is an operand of the same \`${operator}\` twice; the second was probably meant to be something else.`
      emit({ rule: "identical_operands", ...spanOf(tree, repeated), message, identifiers: namesIn(tree, repeated) })
    }
  }
}

const isFieldAccess = (tree: FlatTree, node: number): boolean =>
  tree.is(node, "member_expression", "attribute", "field_access", "selector_expression")

/** Assigning a property to itself may run a setter, tell a framework about a change or copy from the prototype. */
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

const inspectAssignments: Check["inspect"] = (file, tree, emit) => {
  for (const node of tree.of("assignment_expression", "assignment_statement", "assignment")) {
    let left = tree.child(node, "left")
    let right = tree.child(node, "right")
    if (right === NONE || tree.end(left) - tree.start(left) !== tree.end(right) - tree.start(right)) continue
    if (tree.child(node, "type") !== NONE) continue
    const operator = tree.child(node, "operator")
    if (operator !== NONE && tree.textOf(operator) !== "=") continue
    if (tree.is(left, "expression_list")) {
      if (tree.namedChildren(left).length !== 1) continue
      left = tree.namedChildren(left)[0]!
      right = tree.namedChildren(right)[0] ?? NONE
    }
    if (!sameCode(tree, left, right) || !isRepeatable(tree, left) || tree.textOf(left) === "_") continue
    if (assignsForEffect(file, tree, node, left) || hasCommentAfter(file, tree, node)) continue
    const message = `${quoted(tree, node)} assigns ${quoted(tree, left)} to itself, which does nothing; one side was probably meant to be something else.`
    emit({ rule: "self_assignment", ...spanOf(tree, node), message, identifiers: namesIn(tree, left) })
  }
}

/** A remark for a checker says that the line is there for the checker. */
const hasCommentAfter = (file: SourceFile, tree: FlatTree, node: number): boolean =>
  /(?:#|\/\/|\/\*).*(?:noqa|type|lint|ignore|sonar|inspect|cast|narrow)/i.test(
    file.lineText(file.line(tree.start(node)))
  )

export const operands: Check = {
  languages: languages("typescript", "tsx", "javascript", "python", "go", "java", "php", "csharp", "rust"),
  inspect: (file, tree, emit) => {
    inspectBinaries(file, tree, emit)
    inspectAssignments(file, tree, emit)
  }
}
