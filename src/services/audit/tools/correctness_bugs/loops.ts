import type { Hit } from "../../AuditTool.ts"
import { binaryAt } from "../../analysis/binaries.ts"
import { type FlatTree, NONE } from "../../analysis/FlatTree.ts"
import { bare, hasBelow, sameCode } from "../../analysis/sameCode.ts"
import type { SourceFile } from "../../SourceFile.ts"
import { type Check, certain, isScript, languages, quoted, spanOf } from "./Check.ts"

type Emit = (hit: Hit) => void

interface Counter {
  readonly condition: number
  readonly update: number
  readonly body: number
}

const counterOf = (tree: FlatTree, node: number): Counter | null => {
  const clause = tree.is(node, "for_statement") ? tree.childOfKind(node, "for_clause") : NONE
  const holder = clause === NONE ? node : clause
  const condition = tree.child(holder, "condition")
  const increment = tree.child(holder, "increment")
  // `i++, j--`: which of the two is the counter is not looked into.
  if (tree.childrenOfField(holder, "update").filter((n) => tree.isNamed(n)).length > 1) return null
  const update = increment !== NONE ? increment : tree.child(holder, "update")
  const body = tree.child(node, "body")
  const inner = tree.is(condition, "expression_statement") ? tree.firstChild(condition) : condition
  return inner === NONE || update === NONE || body === NONE ? null : { condition: inner, update, body }
}

/** What `i++`, `--i`, `i += 2` change, and in which direction; 0 where that is not known. */
const stepOf = (tree: FlatTree, update: number): { readonly name: string; readonly direction: number } | null => {
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

const inspectFor = (file: SourceFile, tree: FlatTree, node: number, emit: Emit): void => {
  const counter = counterOf(tree, node)
  if (counter === null) return
  const binary = binaryAt(tree, bare(tree, counter.condition))
  const step = stepOf(tree, counter.update)
  if (binary === null || step === null || !/^[<>]=?$/.test(binary.operator)) return
  const [left, right] = [plain(tree, binary.left), plain(tree, binary.right)]
  const isUp = binary.operator.startsWith("<")
  if (left === step.name && right !== step.name) {
    const runsAway = isUp ? step.direction < 0 : step.direction > 0
    if (runsAway && !leavesEarly(tree, counter.body) && !mentions(tree, counter.body, left)) {
      const message = `\`${tree.textOf(counter.update)}\` moves \`${left}\` away from the bound in ${quoted(tree, counter.condition)}, so the loop never runs or never ends.`
      emit({ rule: "loop_never_ends", ...spanOf(tree, counter.update), message, identifiers: [left] })
      return
    }
  } else if (left !== "" && step.name !== left && !mentions(tree, counter.condition, step.name)) {
    const isBound = /^[A-Za-z_]\w*(?:\.\w+)*$|^\d+$|^(?:len|count)\([\w.$]+\)$/.test(tree.textOf(binary.right))
    if (
      isBound &&
      !mentions(tree, counter.body, left === step.name ? "" : `${left}\\s*(?:[-+*/]?=|\\+\\+|--)`) &&
      !assignsTo(tree, counter.body, left) &&
      !leavesEarly(tree, counter.body) &&
      !/\(/.test(tree.textOf(binary.right))
    ) {
      const message = `The loop tests \`${left}\` but changes \`${step.name}\`, so ${quoted(tree, counter.condition)} never changes.`
      emit({ rule: "loop_never_ends", ...spanOf(tree, counter.update), message, identifiers: [left, step.name] })
      return
    }
  }
  inspectBound(file, tree, counter, binary.left, binary.operator, binary.right, step, emit)
}

const assignsTo = (tree: FlatTree, body: number, name: string): boolean =>
  new RegExp(
    `(?<![\\w.])\\$?${name}\\s*(?:[-+*/%|&^]?=(?!=)|\\+\\+|--|:=|,)|(?:\\+\\+|--|&)\\s*\\$?${name}(?!\\w)`
  ).test(tree.textOf(body))

/** `i <= a.length` and then `a[i]`: the last round reads past the end. */
const inspectBound = (
  file: SourceFile,
  tree: FlatTree,
  { body }: Counter,
  left: number,
  operator: string,
  right: number,
  step: { readonly name: string; readonly direction: number },
  emit: Emit
): void => {
  if (operator !== "<=" || step.direction < 0 || plain(tree, left) !== step.name) return
  const bound = tree.textOf(right)
  const list = /^([\w.$]+)\.(?:length|size\(\)|Length|Count)$|^len\(([\w.]+)\)$|^count\((\$\w+)\)$/.exec(bound)
  const name = list?.[1] ?? list?.[2] ?? list?.[3]
  if (name === undefined || tree.textOf(body).includes(bound) || leavesEarly(tree, body)) return
  for (const access of tree.within(
    body,
    "subscript_expression",
    "array_access",
    "index_expression",
    "element_access_expression",
    "method_invocation"
  )) {
    const isGet = tree.is(access, "method_invocation") && tree.textOf(tree.child(access, "name")) === "get"
    const index = isGet
      ? (tree.namedChildren(tree.child(access, "arguments"))[0] ?? NONE)
      : tree.namedChildren(access).at(-1)!
    const object = tree.is(access, "method_invocation") ? tree.child(access, "object") : tree.firstChild(access)
    if (tree.is(access, "method_invocation") && !isGet) continue
    if (tree.textOf(index) !== step.name || tree.textOf(object) !== name) continue
    const holder = tree.parent(access)
    // Reading undefined is harmless in JavaScript until something is asked of it.
    const isUsed =
      !isScript(file) || (tree.is(holder, "member_expression") && tree.childOfKind(holder, "optional_chain") === NONE)
    const isGuarded = tree.enclosing(access, "if_statement", "ternary_expression", "binary_expression") > body
    if (!isUsed || isGuarded || isTarget(tree, access)) continue
    const message = `The loop runs while \`${step.name} <= ${bound}\`, so its last round reads ${quoted(tree, access)}, one past the end.`
    emit({
      rule: "loop_past_end",
      ...spanOf(tree, left),
      message,
      steps: [{ ...spanOf(tree, access), note: "read past the end" }],
      identifiers: [step.name]
    })
    return
  }
}

const isTarget = (tree: FlatTree, access: number): boolean => {
  const holder = tree.parent(access)
  return tree.is(holder, "assignment_expression") && tree.fieldOf(access) === "left"
}

/** `for (const i in list)` gives strings: `list[i + 1]` asks for element "01". */
const inspectForIn = (tree: FlatTree, node: number, emit: Emit): void => {
  if (!tree.is(tree.child(node, "operator"), "in")) return
  const key = tree.textOf(tree.child(node, "left"))
  const list = tree.child(node, "right")
  const body = tree.child(node, "body")
  if (!/^[A-Za-z_$][\w$]*$/.test(key)) return
  for (const access of tree.within(body, "subscript_expression")) {
    if (!sameCode(tree, tree.child(access, "object"), list)) continue
    const sum = binaryAt(tree, bare(tree, tree.child(access, "index")))
    if (sum === null || sum.operator !== "+" || tree.textOf(sum.left) !== key || !tree.is(sum.right, "number")) continue
    const message = `\`for … in\` gives \`${key}\` as a string, so ${quoted(tree, access)} does not read the next element but the key \`${key}\` with a ${tree.textOf(sum.right)} appended.`
    emit({ rule: "string_index_arithmetic", ...spanOf(tree, access), message, identifiers: [key] })
  }
}

export const loops: Check = {
  languages: languages("typescript", "tsx", "javascript", "java", "go", "csharp", "php"),
  inspect: (file, tree, emit) => {
    for (const node of tree.of("for_statement")) inspectFor(file, tree, node, emit)
    if (isScript(file)) for (const node of tree.of("for_in_statement")) inspectForIn(tree, node, emit)
  },
  rules: [
    certain({
      id: "loop_never_ends",
      title: "Loop counter does not lead to the end of the loop",
      description:
        "The update moves the counter away from its bound, or changes another variable than the one that is tested, so " +
        "the loop either does not run at all or runs forever. Change the tested variable, in the direction of the bound.",
      cwe: [835],
      priority: "P1"
    }),
    certain({
      id: "loop_past_end",
      title: "Loop reads one element past the end",
      description:
        "Indexes go from 0 to length - 1, and the condition with `<=` adds one round more, which reads what is not there: " +
        "an exception, a panic or undefined. Use `<`, or loop over the elements themselves.",
      cwe: [193, 125],
      priority: "P1"
    }),
    certain({
      id: "string_index_arithmetic",
      title: "Arithmetic with an index that is a string",
      description:
        "`for … in` gives property names, which are strings also for arrays, and `+` joins them with the number. Use a " +
        "counting loop, `entries()` or `forEach` with an index.",
      cwe: [704],
      confidence: 0.95
    })
  ]
}
