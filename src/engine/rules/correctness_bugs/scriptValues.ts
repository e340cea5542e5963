import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { binaries } from "../../languages/code/binaries.ts"
import { assignments, type Call, calls } from "../../languages/syntax/vocabulary.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import { bare } from "../../structure/sameCode.ts"
import { type Check, languages, quoted, spanOf } from "./Check.ts"
import type { RuleId } from "./rules.ts"

const neverNullish = new Set([
  "object",
  "array",
  "arrow_function",
  "function_expression",
  "template_string",
  "string",
  "number",
  "new_expression",
  "regex"
])

const inspectBinaries = (file: SourceFile, tree: FlatTree, emit: Emit<RuleId>): void => {
  for (const { node, left, operator, right } of binaries(file)) {
    if (operator === "??" && isNeverNullish(tree, bare(tree, left))) {
      const message = `${quoted(tree, left)} is never null or undefined, so ${quoted(tree, right)} is never used; parentheses are probably missing.`
      emit({ rule: "constant_nullish_operand", ...spanOf(tree, node), message })
    } else if (/^[=!]==?$/.test(operator) && [left, right].some((side) => tree.textOf(side) === "-0")) {
      const message = `${quoted(tree, node)} holds for 0, too; \`Object.is(x, -0)\` makes a difference.`
      emit({ rule: "negative_zero_comparison", ...spanOf(tree, node), message })
    }
  }
}

const isNeverNullish = (tree: FlatTree, node: number): boolean => {
  if (neverNullish.has(tree.kind(node))) return true
  if (tree.is(node, "unary_expression")) return /^(?:!|-|\+|~|typeof)$/.test(tree.textOf(tree.child(node, "operator")))
  if (!tree.is(node, "binary_expression")) return false
  return /^(?:[=!]==?|[<>]=?|[-+*/%]|in|instanceof)$/.test(tree.textOf(tree.child(node, "operator")))
}

const inspectNumbers = (tree: FlatTree, emit: Emit<RuleId>): void => {
  for (const node of tree.of("number")) {
    const length = tree.end(node) - tree.start(node)
    if (length < 15 || length > 60) continue
    const text = tree.textOf(node).replace(/_/g, "")
    if (!/^(?:[1-9]\d{15,}|0[xX][0-9a-fA-F]{14,})$/.test(text) || BigInt(text) === BigInt(Number(text))) continue
    const message = `\`${text}\` has more digits than a number holds; the program uses ${BigInt(Number(text))}.`
    emit({ rule: "precision_lost", ...spanOf(tree, node), message, noun: `\`${text}\`` })
  }
}

const chainKinds = ["member_expression", "subscript_expression", "call_expression"]

/** `a?.b.c`: undefined where `a` is. */
const isOptionalChain = (tree: FlatTree, node: number): boolean => {
  for (
    let at = node;
    tree.is(at, ...chainKinds);
    at = tree.child(at, tree.is(at, "call_expression") ? "function" : "object")
  ) {
    if (tree.childOfKind(at, "optional_chain") !== NONE) return true
  }
  return false
}

/** What fails on undefined, for a chain in this position; null where nothing does. */
const failsOn = (tree: FlatTree, chain: number): string | null => {
  const parent = tree.parent(chain)
  if (tree.is(parent, "spread_element"))
    return tree.is(tree.parent(parent), "array", "arguments") ? "spreading undefined" : null
  if (tree.is(parent, "for_in_statement"))
    return tree.fieldOf(chain) === "right" && tree.is(tree.child(parent, "operator"), "of")
      ? "iterating over undefined"
      : null
  if (!tree.is(parent, "parenthesized_expression")) return null
  const outer = tree.parent(parent)
  if (tree.childOfKind(outer, "optional_chain") !== NONE) return null
  if (tree.is(outer, "new_expression")) return "creating an object of undefined"
  if (tree.is(outer, "member_expression", "subscript_expression") && tree.fieldOf(parent) === "object")
    return "reading a member of undefined"
  return tree.is(outer, "call_expression") && tree.fieldOf(parent) === "function" ? "calling undefined" : null
}

const inspectChains = (tree: FlatTree, emit: Emit<RuleId>): void => {
  for (const mark of tree.of("optional_chain").subarray(0, 500)) {
    let chain = tree.parent(mark)
    while (
      tree.is(tree.parent(chain), ...chainKinds) &&
      tree.fieldOf(chain) !== "arguments" &&
      tree.fieldOf(chain) !== "index"
    )
      chain = tree.parent(chain)
    const failure = isOptionalChain(tree, chain) ? failsOn(tree, chain) : null
    if (failure === null || isTested(tree, chain)) continue
    const message = `${quoted(tree, chain)} may be undefined, and ${failure} throws a TypeError.`
    emit({ rule: "optional_chain_unguarded", ...spanOf(tree, chain), message })
  }
}

/** A condition around the chain names the same object. */
const isTested = (tree: FlatTree, chain: number): boolean => {
  const root = /^[\w$]+(?:\.[\w$]+)?/.exec(tree.textOf(chain))?.[0] ?? ""
  for (let up = tree.parent(chain); up !== NONE; up = tree.parent(up)) {
    if (tree.is(up, "if_statement", "ternary_expression", "while_statement")) {
      if (tree.textOf(tree.child(up, "condition")).includes(root)) return true
    }
    if (
      tree.is(up, "binary_expression") &&
      tree.textOf(tree.child(up, "left")).includes(root) &&
      !tree.contains(tree.child(up, "left"), chain)
    )
      return true
    if (tree.is(up, "function_declaration", "method_definition", "program"))
      return hasEarlyReturn(tree, up, chain, root)
  }
  return false
}

/** `if (!a) return` before the chain. */
const hasEarlyReturn = (tree: FlatTree, holder: number, chain: number, root: string): boolean =>
  tree
    .within(holder, "if_statement")
    .some((node) => node < chain && tree.textOf(tree.child(node, "condition")).includes(root.split(".", 1)[0]!))

const collections = /^(?:map|filter|reduce|some|every|find|findIndex|findLast|findLastIndex|flatMap|reduceRight)$/

/** Objects whose methods of these names are no array's. */
const foreign =
  /^(?:_|\$|R|fp|async|Promise|Bluebird|d3|jQuery|cy|z|yup|[A-Z]\w*)$|\$$|\b(?:pipe|cy|d3|\$|jQuery|z|observable)\b|[sS]chema|[sS]tream/

const hasResult = (tree: FlatTree, fn: number): boolean => {
  const body = tree.child(fn, "body")
  if (!tree.is(body, "statement_block") || tree.namedChildren(body).length === 0) return true
  return tree
    .within(body, "return_statement", "throw_statement", "yield_expression")
    .some(
      (node) =>
        ownerOf(tree, node) === fn && (!tree.is(node, "return_statement") || tree.namedChildren(node).length > 0)
    )
}

const functionKinds = [
  "arrow_function",
  "function_expression",
  "function_declaration",
  "method_definition",
  "generator_function",
  "generator_function_declaration"
]
const ownerOf = (tree: FlatTree, node: number): number => tree.enclosing(node, ...functionKinds)

const inspectCallback = (tree: FlatTree, { node, method, receiver, args }: Call, emit: Emit<RuleId>): void => {
  const [callback] = args
  if (receiver === null || callback === undefined || !collections.test(method) || foreign.test(receiver)) return
  if (!tree.is(callback, "arrow_function", "function_expression") || hasResult(tree, callback)) return
  if (
    tree.childOfKind(callback, "async") !== NONE ||
    /^reduce/.test(method) !== (args.length === 2 && /^reduce/.test(method))
  )
    return
  // Where the result is not used, the method only stands for `forEach`.
  if (tree.is(tree.parent(node), "expression_statement", "unary_expression", "sequence_expression")) return
  if (tree.is(tree.parent(node), "arrow_function") || tree.is(tree.parent(node), "await_expression")) return
  const message = `The callback of \`${method}\` never returns a value, so its result is ${method === "map" || method === "flatMap" ? "a list of undefined" : "the same for every element"}.`
  emit({
    rule: "callback_without_result",
    start: tree.start(callback),
    end: tree.start(tree.child(callback, "body")) + 1,
    message,
    identifiers: [method]
  })
}

const numberList = (tree: FlatTree, node: number): boolean => {
  const elements = tree.namedChildren(node)
  const texts = elements.map((n) => tree.textOf(n))
  return (
    tree.is(node, "array") &&
    elements.length > 1 &&
    texts.every((text) => /^-?[\d.]+$/.test(text)) &&
    texts.some((text) => /^-|^\d\d/.test(text))
  )
}

const inspectSort = (
  file: SourceFile,
  tree: FlatTree,
  { node, method, receiver, receiverNode, args }: Call,
  emit: Emit<RuleId>
): void => {
  if (!/^(?:sort|toSorted)$/.test(method) || args.length > 0 || receiver === null) return
  const isConverted = /\.map\((?:Number|parseFloat|Number\.parseFloat)\)$/.test(receiver)
  if (!isConverted && !numberList(tree, receiverNode) && !isNumberVariable(file, tree, receiverNode)) return
  const message = `\`${method}()\` without a comparison sorts ${quoted(tree, receiverNode)} as text: 10 comes before 9.`
  emit({ rule: "numbers_sorted_as_text", ...spanOf(tree, node), message, identifiers: [method] })
}

const isNumberVariable = (file: SourceFile, tree: FlatTree, node: number): boolean => {
  if (!tree.is(node, "identifier")) return false
  const name = tree.textOf(node)
  const values = assignments(file).filter(({ target, value }) => target === name && value !== NONE)
  return values.length === 1 && numberList(tree, values[0]!.value)
}

const inspectCalls = (file: SourceFile, tree: FlatTree, emit: Emit<RuleId>): void => {
  let sorts = 0
  for (const call of calls(file)) {
    inspectCallback(tree, call, emit)
    if (call.method.endsWith("ort") && sorts++ < 100) inspectSort(file, tree, call, emit)
    const first = call.args[0]
    if (call.method === "map" && call.args.length === 1 && /^(?:Number\.)?parseInt$/.test(tree.textOf(first!))) {
      const message = `\`map\` passes the index as the second argument, which \`parseInt\` takes as the base: \`["10", "10"]\` becomes 10 and NaN.`
      emit({ rule: "parse_int_as_callback", ...spanOf(tree, call.node), message })
    }
  }
}

/** Whether the pattern has a class without members; `[]a]`, which other languages read as a class, is left out. */
const hasEmptyClass = (pattern: string): boolean => {
  for (let at = pattern.indexOf("["); at >= 0; at = pattern.indexOf("[", at + 1)) {
    if (isEscaped(pattern, at)) continue
    if (pattern[at + 1] === "]") return !/^[^[\]]*\]/.test(pattern.slice(at + 2))
    while (at < pattern.length && (pattern[at] !== "]" || isEscaped(pattern, at))) at++
  }
  return false
}

const isEscaped = (text: string, at: number): boolean => {
  let slashes = 0
  while (text[at - 1 - slashes] === "\\") slashes++
  return slashes % 2 === 1
}

/** Patterns with `[]`, which matches nothing. */
const inspectRegexes = (tree: FlatTree, emit: Emit<RuleId>): void => {
  for (const node of tree.of("regex")) {
    const text = tree.textOf(tree.child(node, "pattern"))
    if (!hasEmptyClass(text) || /v/.test(tree.textOf(tree.child(node, "flags")))) continue
    const message = `\`[]\` in ${quoted(tree, node)} matches no character at all, so this part never matches.`
    emit({ rule: "empty_character_class", ...spanOf(tree, node), message })
  }
}

export const scriptValues: Check = {
  languages: languages("typescript", "tsx", "javascript"),
  inspect: (file, tree, emit) => {
    inspectBinaries(file, tree, emit)
    inspectNumbers(tree, emit)
    if (file.text.includes("?.")) inspectChains(tree, emit)
    inspectCalls(file, tree, emit)
    if (file.text.includes("[]")) inspectRegexes(tree, emit)
  }
}
