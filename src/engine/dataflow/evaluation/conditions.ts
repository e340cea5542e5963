import { type Call, compact } from "../../languages/syntax/Syntax.ts"
import { literalValue } from "../../languages/syntax/strings.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"
import { mark } from "../values/places.ts"
import type { Scope } from "../values/Scope.ts"
import {
  ALL_KINDS,
  checked,
  deepTaintsOf,
  isLiteral,
  isTainted,
  NOSQL,
  sanitised,
  unknown,
  type Value
} from "../values/Value.ts"
import { isPath } from "./binding.ts"
import { type Cleared, checkedByCall, checkedByEquality, checkedHost, harmless } from "./checks.ts"
import { bothSides } from "./conditions/alternatives.ts"
import { inCollection, keyOf, lacksDots, lookedUp } from "./conditions/membership.ts"
import { checkedByType, conversions, errorCall, isComparedToNothing, isNothing } from "./conditions/outcomes.ts"
import { patternMatch, patternTest } from "./conditions/patternTests.ts"
import { noteTested } from "./conditions/testedCalls.ts"
import { unwrapped } from "./conditions/unwrapped.ts"
import { checkedByOwn, checkedByReturn } from "./conditions/validators.ts"
import { evaluate } from "./evaluate.ts"
import { MAX_DEPTH, type Run, roleOf } from "./Run.ts"

const MAX_TERMS = 40

/**
 * What a condition says about the paths it tests: a value that is in a list the code itself keeps, that equals a
 * literal or that has a harmless shape cannot carry anything. Everything else stays as it was.
 */
export const refine = (
  run: Run,
  scope: Scope,
  condition: number,
  holds: boolean,
  labels: ReadonlyArray<number> = []
): void => {
  if (condition === NONE || scope.dead) return
  const found: Array<Cleared> = []
  if (labels.length === 0) collect(run, scope, condition, holds, found)
  else if (labels.every((label) => labelsAreLiterals(run, scope, label)))
    found.push(harmless(unwrapped(run, condition)))
  for (const cleared of found) clear(run, scope, cleared)
}

const clear = (run: Run, scope: Scope, cleared: Cleared): void => {
  const at = unwrapped(run, cleared.node)
  if (cleared.kinds !== ALL_KINDS) return clearFor(run, scope, at, cleared.kinds)
  const role = roleOf(run, at)
  const path = role === "subscript" ? elementPath(run, at) : compact(run.tree.textOf(at))
  if (!isPath(path)) {
    noteTested(run, scope, at, ALL_KINDS)
    // `ALLOWED.includes(x.toLowerCase())` says as much about x for our purposes.
    if (role === "call" && run.tree.end(at) - run.tree.start(at) < 80) {
      const callee = run.syntax.callAt(run.tree, at)
      if (
        callee !== null &&
        callee.receiverNode !== NONE &&
        /^(?:to)?_?(?:lower|upper|trim|strip)/i.test(callee.method)
      ) {
        clear(run, scope, { ...cleared, node: callee.receiverNode })
      }
    }
    return
  }
  const value = evaluate(run, scope, at)
  if (!isTainted(value)) return
  if (role === "name") scope.declare(path, unknown("clean"))
  else if (role === "member" || role === "subscript") {
    narrowPath(run, scope, at, path, value, unknown("clean"))
  }
}

const narrowPath = (run: Run, scope: Scope, at: number, path: string, before: Value, after: Value): void => {
  const dot = path.lastIndexOf(".")
  mark(run, path, { node: at, written: null })
  scope.assignPath(path.slice(0, dot), path.slice(dot + 1), after, null, before)
}

/** `$_GET['tab']` is kept as `$_GET.tab`, `params[:tab]` as `params.tab`. */
const elementPath = (run: Run, node: number): string => {
  const [object, key] = run.tree.namedChildren(node)
  const isSymbol = key !== undefined && run.tree.is(key, "simple_symbol")
  const name = key === undefined ? null : isSymbol ? run.tree.textOf(key).slice(1) : literalValue(run.file, key)
  return object === undefined || name === null ? "" : `${compact(run.tree.textOf(object))}.${name}`
}

/** Whatever was made of the same input is harmless to these kinds of sinks, too. */
const clearFor = (run: Run, scope: Scope, at: number, kinds: number): void => {
  const value = evaluate(run, scope, at)
  const inputs = deepTaintsOf(value)
  if (inputs.length === 0) return
  run.fuel -= scope.all.size >> 3
  scope.narrow((held) => checked(held, inputs, kinds))
  const path = compact(run.tree.textOf(at))
  if (isPath(path) && path.includes(".")) narrowPath(run, scope, at, path, value, sanitised(value, kinds))
  else noteTested(run, scope, at, kinds)
}

const labelsAreLiterals = (run: Run, scope: Scope, label: number): boolean => {
  const { tree } = run
  if (tree.is(label, "constant_pattern")) return true
  if (tree.is(label, "pattern")) {
    const inner = tree.namedChildren(label)[0] ?? NONE
    const isPlain = tree.is(inner, "string", "simple_symbol", "integer", "float", "nil", "true", "false")
    return isPlain && !isTainted(evaluate(run, scope, inner))
  }
  const parts = tree.is(label, "expression_list", "switch_label", "case_pattern", "union_pattern")
    ? tree.namedChildren(label)
    : [label]
  return (
    parts.length > 0 &&
    parts.every((part) => {
      const inner = tree.is(part, "case_pattern", "union_pattern") ? (tree.namedChildren(part)[0] ?? NONE) : part
      return inner !== NONE && !isTainted(evaluate(run, scope, inner)) && !tree.is(inner, "identifier", "dotted_name")
    })
  )
}

const collect = (run: Run, scope: Scope, node: number, holds: boolean, found: Array<Cleared>): void => {
  const at = unwrapped(run, node)
  const { tree } = run
  if (at === NONE || found.length > MAX_TERMS) return
  if (tree.is(at, "unary_expression", "not_operator", "unary", "unary_op_expression", "prefix_unary_expression")) {
    if (/^(?:!|not\b)/.test(tree.textOf(at))) collect(run, scope, negated(run, at), !holds, found)
    return
  }
  if (tree.is(at, "is_pattern_expression")) {
    const pattern = tree.child(at, "pattern")
    if (holds && isConstantPattern(run, pattern)) found.push(harmless(tree.child(at, "expression")))
    return
  }
  if (tree.is(at, "comparison_operator")) return comparison(run, scope, at, holds, found)
  if (tree.child(at, "left") !== NONE && tree.child(at, "right") !== NONE) return infix(run, scope, at, holds, found)
  atom(run, scope, at, holds, found)
}

/** What a part of a condition makes sure of. */
const collected = (run: Run, scope: Scope, node: number, holds: boolean): ReadonlyArray<Cleared> => {
  const found: Array<Cleared> = []
  collect(run, scope, node, holds, found)
  return found
}

/** A condition without parts: a call, an element, a flag. */
const atom = (run: Run, scope: Scope, at: number, holds: boolean, found: Array<Cleared>): void => {
  const role = roleOf(run, at)
  if (role === "call") test(run, scope, at, holds, found)
  else if (role === "subscript" && holds) lookedUp(run, scope, at, found)
  else if (role === "name") {
    if (holds && run.file.language === "go") lookedUp(run, scope, errorCall(run, at), found)
    viaFlag(run, scope, at, holds, found)
  }
}

/** `x is "a" or "b"`. */
const isConstantPattern = (run: Run, node: number): boolean =>
  run.tree.is(node, "constant_pattern") ||
  (run.tree.is(node, "or_pattern", "parenthesized_pattern") &&
    run.tree.namedChildren(node).every((part) => isConstantPattern(run, part)))

const negated = (run: Run, node: number): number => {
  const { tree } = run
  for (const field of ["argument", "operand"]) {
    const operand = tree.child(node, field)
    if (operand !== NONE) return operand
  }
  return tree.namedChildren(node).at(-1) ?? NONE
}

const infix = (run: Run, scope: Scope, node: number, holds: boolean, found: Array<Cleared>): void => {
  const { tree } = run
  const operator = tree.textOf(tree.child(node, "operator"))
  const left = tree.child(node, "left")
  const right = tree.child(node, "right")
  if (/^(?:&&|and|\|\||or)$/.test(operator))
    found.push(...bothSides(run, node, operator, holds, (side) => collected(run, scope, side, holds)))
  else if (isComparedToNothing(run, operator, right)) {
    succeeded(run, scope, left, operator.startsWith("!") === holds, found)
  } else if (/^={2,3}$/.test(operator) ? holds : /^!={1,2}$/.test(operator) && !holds) {
    equality(run, scope, left, right, found)
  } else if (/^(?:===?|!==?|>=?)$/.test(operator)) position(run, scope, left, right, operator, holds, found)
  else if (operator === "in" && holds) inCollection(run, scope, right, left, found)
  else if (operator === "=~" ? holds : operator === "!~" && !holds) patternMatch(run, scope, left, right, found)
}

/** `match != null`, `err != nil`: whether the call that gave the value found or refused something. */
const succeeded = (run: Run, scope: Scope, node: number, isThere: boolean, found: Array<Cleared>): void => {
  const at = unwrapped(run, node)
  if (run.file.language !== "go") {
    if (roleOf(run, at) === "call") collect(run, scope, at, isThere, found)
    else if (!isThere) found.push(harmless(at))
    return
  }
  const call = roleOf(run, at) === "name" ? errorCall(run, at) : roleOf(run, at) === "call" ? at : NONE
  const parsed = call === NONE ? null : run.syntax.callAt(run.tree, call)
  if (parsed === null) return
  found.push(...checkedByOwn(run, parsed, isThere))
  if (!isThere && conversions.test(parsed.callee) && parsed.args[0] !== undefined) found.push(harmless(parsed.args[0]))
}

/** `typeof x === "number"`, `x === "asc"`. */
const equality = (run: Run, scope: Scope, left: number, right: number, found: Array<Cleared>): void => {
  const { tree } = run
  for (const [one, other] of [
    [left, right],
    [right, left]
  ] as const) {
    const type = /^typeof\s+\(?([\w.]+)\)?$/.exec(tree.textOf(one))
    if (type !== null && /^["'](?:number|boolean|bigint|string)["']$/.test(tree.textOf(other))) {
      const operand = tree.child(unwrapped(run, one), "argument")
      // Text is no object with operators in it.
      const kinds = tree.textOf(other).includes("string") ? NOSQL : ALL_KINDS
      if (operand !== NONE) found.push({ node: operand, kinds })
    } else if (isLiteral(evaluate(run, scope, other))) found.push(...checkedHost(run, one), harmless(one))
    found.push(...checkedByEquality(run, scope, one, other))
  }
}

/** `ALLOWED.indexOf(x) === -1`, `ALLOWED.indexOf(x) >= 0`. */
const position = (
  run: Run,
  scope: Scope,
  left: number,
  right: number,
  operator: string,
  holds: boolean,
  found: Array<Cleared>
): void => {
  const call = roleOf(run, unwrapped(run, left)) === "call" ? run.syntax.callAt(run.tree, unwrapped(run, left)) : null
  if (call === null || !/^(?:indexOf|index|findIndex)$/.test(call.method) || call.args.length !== 1) return
  const number = run.tree.textOf(right).replace(/\s/g, "")
  const means = number === "-1" ? /^!==?$|^>$/.test(operator) : number === "0" ? operator === ">=" : false
  const denies = number === "-1" && /^===?$/.test(operator)
  if ((means && holds) || (denies && !holds)) inCollection(run, scope, call.receiverNode, call.args[0]!, found)
}

const comparison = (run: Run, scope: Scope, node: number, holds: boolean, found: Array<Cleared>): void => {
  const { tree } = run
  const [left, right, more] = tree.namedChildren(node)
  if (left === undefined || right === undefined || more !== undefined) return
  const between = tree.text.slice(tree.end(left), tree.start(right)).trim()
  const isNegated = between.startsWith("not ") || between === "!=" || between === "is not"
  if (isNothing(run, right)) return succeeded(run, scope, left, isNegated === holds, found)
  if (/^(?:not )?in$/.test(between)) {
    if (isNegated === holds) lacksDots(run, scope, left, right, found)
    else inCollection(run, scope, right, left, found)
  } else if (/^(?:==|!=|is|is not)$/.test(between) && isNegated !== holds) equality(run, scope, left, right, found)
}

const containing =
  /^(?:slices\.Contains|Object\.hasOwn|(?:Object\.prototype\.|\{\}\.)?hasOwnProperty\.call|in_array|isset|Arrays\.asList)$/
const equalities = /^(?:equals|equalsIgnoreCase|Equals|eql\?|casecmp\?)$/

/** `ALLOWED.includes(x)`, `/^\w+$/.test(x)`, `x.isdigit()`, `isNaN(x)`. */
const test = (run: Run, scope: Scope, node: number, holds: boolean, found: Array<Cleared>): void => {
  const call = run.syntax.callAt(run.tree, node)
  if (call === null) return
  found.push(...checkedByCall(run, scope, call, holds), ...checkedByOwn(run, call, holds))
  found.push(...checkedByType(run, call, holds))
  if (containing.test(call.callee)) {
    if (holds) containment(run, scope, call, found)
    return
  }
  const first = call.args[0]
  if (equalities.test(call.method) || (call.method === "in?" && first !== undefined)) {
    if (holds) comparedByCall(run, scope, call, found)
    return
  }
  if (first !== undefined && call.receiverNode !== NONE && run.language.memberTests.has(call.method)) {
    // Map.get or a set's test on the code's own list.
    // `list.exclude?(x)` of Rails answers the opposite.
    const isHeld = (call.method === "exclude?") !== holds
    if (isHeld && !isTextual(run, scope, call.receiverNode)) inCollection(run, scope, call.receiverNode, first, found)
    return
  }
  shapeTest(run, scope, call, holds, found)
}

/** What a call that stands for itself makes sure of, since it came back. */
export const passedBy = (run: Run, scope: Scope, call: Call): void => {
  if (!run.tree.is(run.tree.parent(call.node), "expression_statement", "block", "statement_list")) return
  for (const cleared of checkedByReturn(run, call)) clear(run, scope, cleared)
}

/** `x.isdigit()`, `isNaN(x)`. */
const shapeTest = (run: Run, scope: Scope, call: Call, holds: boolean, found: Array<Cleared>): void => {
  const { shapeTests } = run.language
  const first = call.args[0]
  const type = call.receiverNode === NONE ? null : evaluate(run, scope, call.receiverNode).type
  const path = type === null ? call.callee : `${type}.${call.method}`
  if (/\bisNaN$/.test(path)) {
    if (!holds && first !== undefined) found.push(harmless(first))
    return
  }
  if (shapeTests.test(path) || shapeTests.test(call.callee)) {
    if (holds) found.push(harmless(first ?? call.receiverNode))
  } else patternTest(run, scope, call, holds, found)
}

/** `a.equals(b)`, `string.Equals(a, b)`, `x.in?(LIST)`. */
const comparedByCall = (run: Run, scope: Scope, call: Call, found: Array<Cleared>): void => {
  const [first = NONE, second] = call.args
  if (call.method === "in?") inCollection(run, scope, first, call.receiverNode, found)
  else if (second === undefined) equality(run, scope, call.receiverNode, first, found)
  else equality(run, scope, first, second, found)
}

/** `slices.Contains(list, x)`, `in_array($x, $list)`. */
const containment = (run: Run, scope: Scope, call: Call, found: Array<Cleared>): void => {
  if (call.callee === "isset") {
    for (const at of call.args) keyOf(run, scope, at, found)
    return
  }
  const [a, b] = call.args
  if (a === undefined || b === undefined) return
  if (call.callee === "in_array") inCollection(run, scope, b, a, found)
  else inCollection(run, scope, a, b, found)
}

const isTextual = (run: Run, scope: Scope, receiver: number): boolean => {
  const value = evaluate(run, scope, receiver)
  return isTainted(value) && value.fields === null
}

/** `const ok = ALLOWED.includes(x); if (!ok) return`, as long as `x` is not given another value after the test. */
const viaFlag = (run: Run, scope: Scope, node: number, holds: boolean, found: Array<Cleared>): void => {
  const { tree } = run
  const type = scope.get(tree.textOf(node))?.type
  const flag = type?.startsWith("flag:") === true ? Number(type.slice(5)) : NONE
  if (flag === NONE || run.depth > MAX_DEPTH) return
  const tested: Array<Cleared> = []
  run.depth++
  collect(run, scope, flag, holds, tested)
  run.depth--
  const owner = run.index.rootAt(tree.start(flag))
  const after = tree.text
    .slice(tree.end(flag), owner === null ? tree.text.length : tree.end(owner.node))
    .replace(quotedText, '""')
  run.fuel -= after.length >> 6
  for (const one of tested) if (!isWritten(compact(tree.textOf(one.node)), after)) found.push(one)
}

/** `"WHERE name = '"` writes no variable. */
const quotedText = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g

const isWritten = (path: string, text: string): boolean => {
  const root = path.split(".", 1)[0]!
  for (let at = text.indexOf(root); at >= 0; at = text.indexOf(root, at + 1)) {
    if (
      /^(?:\.\w+)*\s*(?:[-+*|&?:.]{0,2}=(?![=>])|\]?\s*\}?\s*=(?![=>])|,[\w\s,.*$]{0,60}:?=(?![=>]))/.test(
        text.slice(at + root.length, at + root.length + 80)
      )
    )
      return true
  }
  return false
}
