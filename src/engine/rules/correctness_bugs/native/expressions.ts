import type { SourceFile } from "../../../core/files/SourceFile.ts"
import type { Emit, Match } from "../../../core/tool/AuditTool.ts"
import {
  constantOf,
  type Declared,
  localArrayAt,
  type NativeFunction,
  plain,
  returnsPointer,
  sizeofOperand,
  variableAt
} from "../../../languages/native/functions.ts"
import { calledName } from "../../../languages/native/variables.ts"
import type { Call } from "../../../languages/syntax/vocabulary.ts"
import { type FlatTree, NONE } from "../../../languages/tree/FlatTree.ts"
import { quoted } from "../Check.ts"
import type { RuleId } from "../rules.ts"
import { nativeMatch } from "./CallSite.ts"

type Check = (file: SourceFile, tree: FlatTree, fn: NativeFunction, node: number) => Match<RuleId> | null

const operatorOf = (tree: FlatTree, node: number): string => tree.textOf(tree.child(node, "operator"))

/** `!flags & MASK` and `flags & MASK == VALUE`. */
const bitTest: Check = (_, tree, __, node) => {
  const operator = operatorOf(tree, node)
  if (operator !== "&" && operator !== "|") return null
  const left = tree.child(node, "left")
  const right = tree.child(node, "right")
  if (
    operator === "&" &&
    tree.is(left, "unary_expression") &&
    operatorOf(tree, left) === "!" &&
    !isTruth(tree, right)
  ) {
    const negated = tree.child(left, "argument")
    if (isTruth(tree, plain(tree, negated)) || tree.is(negated, "unary_expression")) return null
    const message = `\`!\` applies to ${quoted(tree, negated)} alone, so ${quoted(tree, node)} tests the lowest bit only; write \`!(a & b)\`.`
    return nativeMatch(tree, node, { rule: "negated_bit_test", message })
  }
  const compared = [left, right].find(
    (side) => tree.is(side, "binary_expression") && /^[!=]=$/.test(operatorOf(tree, side))
  )
  const other = compared === left ? right : left
  if (compared === undefined || isTruth(tree, other) || compared === left) return null
  const value = tree.child(compared, "right")
  const isMask = tree.is(value, "number_literal") || /^[A-Z_][A-Z0-9_]*$/.test(tree.textOf(value))
  const mask = tree.child(compared, "left")
  if (!isMask || !/^(?:0x[\da-fA-F]+|\d+|[A-Z_][A-Z0-9_]+)[uUlL]*$/.test(tree.textOf(mask))) return null
  const message = `\`${operatorOf(tree, compared)}\` binds more tightly than \`${operator}\`, so ${quoted(tree, compared)} is compared first; put ${quoted(tree, node)} as \`(a ${operator} b) ${operatorOf(tree, compared)} c\`.`
  return nativeMatch(tree, node, { rule: "bit_test_precedence", message })
}

/** Whether a value is 0 or 1. */
const isTruth = (tree: FlatTree, node: number): boolean => {
  const at = plain(tree, node)
  if (tree.is(at, "unary_expression")) return operatorOf(tree, at) === "!"
  if (tree.is(at, "binary_expression")) return /^(?:[!=]=|[<>]=?|&&|\|\|)$/.test(operatorOf(tree, at))
  return (
    tree.is(at, "true", "false", "call_expression") ||
    /^(?:is|has|can)_|^b[A-Z]|bool/i.test(tree.textOf(at).slice(0, 40))
  )
}

const unsigned =
  /^(?:(?:const|static|register|volatile) )*(?:unsigned(?: (?:int|long|char|short|long long|long int|short int))?|size_t|std::size_t|uint(?:8|16|32|64|ptr|max)_t|u_?int\d*|u_long|u_char|u_short)$/

/** An assertion that always holds costs nothing and says what the type says, too. */
const isAsserted = (tree: FlatTree, node: number): boolean =>
  /^\w*assertf?$/i.test(calledName(tree, tree.enclosing(node, "call_expression")))

/** `unsigned x; x < 0` and `x >= 0`. */
const unsignedComparison: Check = (_, tree, fn, node) => {
  const operator = operatorOf(tree, node)
  if (operator !== "<" && operator !== ">=") return null
  if (tree.textOf(tree.child(node, "right")) !== "0") return null
  const left = tree.child(node, "left")
  const variable = tree.is(left, "identifier") ? variableAt(tree, fn, left) : null
  if (variable === null || variable.pointers > 0 || variable.isArray || !unsigned.test(variable.type)) return null
  const isRange =
    tree.is(tree.parent(node), "binary_expression") &&
    new RegExp(`\\b${variable.name}\\b.*[<>]`, "s").test(tree.textOf(tree.parent(node)).replace(tree.textOf(node), ""))
  if (isRange || tree.enclosing(node, "template_declaration") !== NONE || isAsserted(tree, node)) return null
  const message = `\`${variable.name}\` is \`${variable.type}\` and never less than 0, so ${quoted(tree, node)} is always ${operator === "<" ? "false" : "true"}.`
  return nativeMatch(tree, node, { rule: "unsigned_comparison_with_zero", message, noun: `\`${variable.name}\`` })
}

/** `name == "text"` compares addresses. */
const literalComparison: Check = (_, tree, fn, node) => {
  const operator = operatorOf(tree, node)
  if (operator !== "==" && operator !== "!=") return null
  const sides = [plain(tree, tree.child(node, "left")), plain(tree, tree.child(node, "right"))]
  const literal = sides.find((side) => tree.is(side, "string_literal"))
  const variable = variableAt(
    tree,
    fn,
    sides.find((side) => side !== literal)
  )
  const isText =
    variable !== null &&
    (variable.pointers === 1 || (variable.isArray && variable.pointers === 0)) &&
    /\bchar$/.test(variable.type)
  if (literal === undefined || !isText) return null
  const message = `${quoted(tree, node)} compares addresses, not texts; use \`strcmp\`.`
  return nativeMatch(tree, node, { rule: "literal_comparison", message, noun: `\`${variable.name}\`` })
}

/** `strcmp(a, b) == 1`. */
const comparedResult: Check = (_, tree, __, node) => {
  if (!/^[!=]=$/.test(operatorOf(tree, node))) return null
  const call = plain(tree, tree.child(node, "left"))
  const value = tree.textOf(plain(tree, tree.child(node, "right")))
  if (!tree.is(call, "call_expression") || !/^-?1$|^(?:true|TRUE)$/.test(value)) return null
  const name = tree.textOf(tree.child(call, "function"))
  if (!/^(?:std::)?(?:str(?:n|case|ncase)?cmp|memcmp|strcoll)$/.test(name)) return null
  const message = `\`${name}\` returns any number below, at or above 0, so comparing with ${value} works with some libraries only.`
  return nativeMatch(tree, node, { rule: "compared_result", message, noun: `\`${name}\`` })
}

/** `char c; (c = getchar()) != EOF`. */
const narrowEnd: Check = (_, tree, fn, node) => {
  if (!/^[!=]=$/.test(operatorOf(tree, node)) || tree.textOf(tree.child(node, "right")) !== "EOF") return null
  const assignment = plain(tree, tree.child(node, "left"))
  const target = tree.is(assignment, "assignment_expression") ? tree.child(assignment, "left") : assignment
  const variable = variableAt(tree, fn, target)
  if (
    variable === null ||
    variable.pointers > 0 ||
    variable.isArray ||
    !/^(?:unsigned |signed )?char$/.test(variable.type)
  )
    return null
  const reads = /\b(?:fgetc|getc|getchar|getc_unlocked|getchar_unlocked)\s*\(/
  if (!tree.is(assignment, "assignment_expression") || !reads.test(tree.textOf(assignment))) return null
  const message = `\`${variable.name}\` is \`${variable.type}\`: the byte 0xFF ends the input early, or EOF is never equal; declare it \`int\`.`
  return nativeMatch(tree, node, { rule: "narrow_end_of_file", message, noun: `\`${variable.name}\`` })
}

/** The array whose number of elements an expression is; null for anything else. */
const countedArray = (tree: FlatTree, node: number): string | null => {
  const text = tree.textOf(plain(tree, node)).replace(/\s+/g, "")
  const division = /^sizeof\(?(\w+)\)?\/sizeof\(?(?:\*?(\w+)(?:\[0\])?)\)?$/.exec(text)
  if (division !== null) return division[1]!
  return (
    /^(?:ARRAY_SIZE|ARRAY_LEN|ARRAYSIZE|COUNT_?OF|NELEM|NELEMS|nitems|N_ELEMENTS|G_N_ELEMENTS|_countof)\((\w+)\)$/.exec(
      text
    )?.[1] ?? null
  )
}

/** `for (i = 0; i <= N; i++) a[i]` over `a[N]`. */
const loopBound: Check = (file, tree, fn, node) => {
  const condition = plain(tree, tree.child(node, "condition"))
  if (!tree.is(condition, "binary_expression") || operatorOf(tree, condition) !== "<=") return null
  const index = tree.child(condition, "left")
  const bound = tree.child(condition, "right")
  const name = tree.textOf(index)
  if (!tree.is(index, "identifier") || new RegExp(`\\b${name}\\b`).test(tree.textOf(bound))) return null
  const counted = countedArray(tree, bound)
  for (const use of tree.within(tree.child(node, "body"), "subscript_expression")) {
    const at =
      tree.child(use, "indices") === NONE
        ? tree.child(use, "index")
        : tree.namedChildren(tree.child(use, "indices"))[0]!
    if (tree.textOf(at) !== name) continue
    const array = localArrayAt(tree, fn, tree.child(use, "argument"))
    if (array === null) continue
    const isWhole = counted === array.name || sameSize(file, tree, bound, array)
    if (!isWhole || isLeftBefore(tree, node, use, name)) continue
    const message = `The last iteration accesses ${quoted(tree, use)} with \`${name}\` equal to the number of elements of \`${array.name}\`; the condition must be \`<\`.`
    return nativeMatch(tree, condition, { rule: "off_by_one_loop", message, noun: `\`${array.name}\`` })
  }
  return null
}

/** Whether a condition of the body keeps the last iteration away from the use. */
const isLeftBefore = (tree: FlatTree, loop: number, use: number, name: string): boolean => {
  for (const branch of tree.within(loop, "if_statement", "conditional_expression")) {
    if (branch < use && new RegExp(`\\b${name}\\b`).test(tree.textOf(tree.child(branch, "condition")).slice(0, 300)))
      return true
  }
  return false
}

const sameSize = (file: SourceFile, tree: FlatTree, bound: number, array: Declared): boolean => {
  const at = plain(tree, bound)
  const size = plain(tree, array.size)
  if (tree.is(at, "identifier") && tree.is(size, "identifier")) return tree.textOf(at) === tree.textOf(size)
  const value = constantOf(file, at)
  return value !== null && value > 0 && value === constantOf(file, size)
}

/** `a[N]` of an array of N elements. */
const outOfBounds: Check = (file, tree, fn, node) => {
  const list = tree.child(node, "indices")
  const index = list === NONE ? tree.child(node, "index") : (tree.namedChildren(list)[0] ?? NONE)
  const array = localArrayAt(tree, fn, tree.child(node, "argument"))
  if (array === null || index === NONE || tree.is(tree.parent(node), "pointer_expression", "sizeof_expression"))
    return null
  const operand = sizeofOperand(tree, index)
  const isBytes =
    operand !== NONE && tree.textOf(operand) === array.name && /\bchar$/.test(array.type) && array.pointers === 0
  const value = constantOf(file, index)
  const size = constantOf(file, array.size)
  const isBeyond =
    isBytes ||
    countedArray(tree, index) === array.name ||
    (value !== null && size !== null && size > 1 && value >= size)
  if (!isBeyond) return null
  const elements = size === null ? "" : ` ${size}`
  const message = `\`${array.name}\` has${elements} elements, the last one before ${quoted(tree, node)}.`
  return nativeMatch(tree, node, { rule: "index_out_of_bounds", message, noun: `\`${array.name}\`` })
}

/** `return &local` and `return array`. */
const localAddress: Check = (_, tree, fn, node) => {
  const value = plain(tree, tree.namedChildren(node)[0] ?? NONE)
  if (value === NONE || tree.enclosing(node, "lambda_expression") !== NONE) return null
  const isAddress = tree.is(value, "pointer_expression") && operatorOf(tree, value) === "&"
  const variable = variableAt(tree, fn, isAddress ? tree.child(value, "argument") : value)
  if (variable === null || variable.isStatic || variable.isReference || (variable.isParameter && !isAddress))
    return null
  const isLocal = isAddress ? !/\*/.test(variable.type) : variable.isArray
  if (!isLocal || !returnsPointer(tree, fn)) return null
  const message = `\`${variable.name}\` exists only until the function returns, so the caller gets a pointer to memory that is used for something else.`
  return nativeMatch(tree, node, { rule: "address_of_local_returned", message, noun: `\`${variable.name}\`` })
}

/** `if (x);` and `while (x);` before a block. */
const emptyBody: Check = (file, tree, _, node) => {
  const isIf = tree.is(node, "if_statement")
  const body = tree.child(node, isIf ? "consequence" : "body")
  if (!tree.is(body, "expression_statement") || tree.textOf(body) !== ";" || tree.child(node, "alternative") !== NONE)
    return null
  const next = tree.nextSibling(node)
  if (!tree.is(next, "compound_statement") && !(isIf && isOnSameLine(file, tree, node, body))) return null
  const between = next === NONE ? "" : file.text.slice(tree.end(node), tree.start(next))
  if (tree.is(next, "compound_statement") ? /\S/.test(between) : !isSuspicious(file, tree, node, next)) return null
  const message = `The \`;\` after ${quoted(tree, tree.child(node, "condition"))} is the whole body: what follows is done in any case.`
  return nativeMatch(tree, node, { rule: "empty_statement_body", message })
}

const isOnSameLine = (file: SourceFile, tree: FlatTree, node: number, body: number): boolean =>
  file.line(tree.start(body)) === file.line(tree.end(tree.child(node, "condition")) - 1)

/** The statement below is indented as if it were the body. */
const isSuspicious = (file: SourceFile, tree: FlatTree, node: number, next: number): boolean => {
  if (next === NONE || !tree.is(next, "expression_statement", "return_statement")) return false
  const columnOf = (at: number) => tree.start(at) - file.lineStarts[file.line(tree.start(at)) - 1]!
  return columnOf(next) > columnOf(node)
}

/** `sizeof(parameter)` of a parameter declared as an array. */
const arrayParameterSize: Check = (_, tree, fn, node) => {
  const operand = sizeofOperand(tree, node)
  const variable = variableAt(tree, fn, operand)
  if (variable?.isParameter !== true || !variable.isArray || variable.isReference || variable.pointers > 0) return null
  // As the argument of a call that also has the pointer it is reported there.
  const message = `\`${variable.name}\` is declared as an array, but parameters are pointers: ${quoted(tree, node)} is the size of a pointer.`
  return nativeMatch(tree, node, { rule: "size_of_array_parameter", message, noun: `\`${variable.name}\`` })
}

/** `n = read(fd, buf, sizeof(buf)); buf[n] = 0`. */
const terminatorBeyond: Check = (file, tree, fn, node) => {
  const left = tree.child(node, "left")
  const isEnd = /^(?:0|'\\0'|'\\x00')$/.test(tree.textOf(plain(tree, tree.child(node, "right"))))
  if (!isEnd || !tree.is(left, "subscript_expression")) return null
  const index = indexOf(tree, left)
  const array = localArrayAt(tree, fn, tree.child(left, "argument"))
  if (array === null || !tree.is(index, "identifier")) return null
  const name = tree.textOf(index)
  const read = fn.calls.findLast(
    ({ node: call, method, args }) =>
      call < node && reading.test(method) && args.some((arg) => tree.textOf(plain(tree, arg)) === array.name)
  )
  if (read === undefined || !fillsAll(file, tree, read, array) || !isResultOf(tree, read.node, name)) return null
  if (isBounded(file.text.slice(tree.end(read.node), tree.start(node)), name)) return null
  const message = `\`${read.method}\` may fill all of \`${array.name}\`; ${quoted(tree, left)} is then one byte behind its end.`
  return nativeMatch(tree, node, { rule: "terminator_out_of_bounds", message, noun: `\`${array.name}\`` })
}

const reading = /^(?:read|recv|readlink|fread|recvfrom)$/

const indexOf = (tree: FlatTree, subscript: number): number => {
  const list = tree.child(subscript, "indices")
  return list === NONE ? tree.child(subscript, "index") : (tree.namedChildren(list)[0] ?? NONE)
}

/** Whether a call reads as much as the array holds. */
const fillsAll = (file: SourceFile, tree: FlatTree, { method, args }: Call, array: Declared): boolean => {
  const size = args[method === "fread" || args.length > 2 ? 2 : 1] ?? NONE
  if (size === NONE) return false
  const operand = sizeofOperand(tree, size)
  return operand === NONE ? sameSize(file, tree, size, array) : tree.textOf(operand) === array.name
}

/** Whether code compares a length with more than 0 and -1, on either side, or changes it. */
const isBounded = (text: string, name: string): boolean => {
  const failed = new RegExp(`\\b${name}\\s*<=?\\s*(?:0|1)\\b|\\b${name}\\s*==\\s*(?:-1|0)\\b`, "g")
  const limited = new RegExp(`\\b${name}\\b\\s*(?:>=|==|<|--|-=|=[^=])|\\b${name}\\b\\s*>\\s*[^0\\s-]`)
  const reversed = new RegExp(`(?:\\b[A-Z][A-Z\\d_]+|\\bsizeof[\\s(]*\\w+\\)?|\\d\\d)\\s*(?:==|<=?)\\s*${name}\\b`)
  return limited.test(text.replace(failed, "")) || reversed.test(text)
}

const isResultOf = (tree: FlatTree, call: number, name: string): boolean => {
  let at = call
  while (tree.is(tree.parent(at), "cast_expression", "parenthesized_expression")) at = tree.parent(at)
  const parent = tree.parent(at)
  if (tree.is(parent, "init_declarator")) return tree.textOf(tree.child(parent, "declarator")) === name
  return tree.is(parent, "assignment_expression") && tree.textOf(tree.child(parent, "left")) === name
}

const byKind: Readonly<Record<string, ReadonlyArray<Check>>> = {
  binary_expression: [bitTest, unsignedComparison, literalComparison, comparedResult, narrowEnd],
  for_statement: [loopBound],
  subscript_expression: [outOfBounds],
  return_statement: [localAddress],
  if_statement: [emptyBody],
  while_statement: [emptyBody],
  assignment_expression: [terminatorBeyond],
  sizeof_expression: [arrayParameterSize]
}

const kinds = Object.keys(byKind)

/** Expressions and statements that are wrong by themselves, whatever came before. */
export const inspectExpressions = (file: SourceFile, fn: NativeFunction, emit: Emit<RuleId>): void => {
  const tree = file.tree!
  for (const node of tree.within(fn.body, ...kinds)) {
    for (const check of byKind[tree.kind(node)] ?? []) {
      const match = check(file, tree, fn, node)
      if (match !== null) emit(match)
    }
  }
}
