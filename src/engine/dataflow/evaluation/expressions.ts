import { compact } from "../../languages/syntax/Syntax.ts"
import { literalValue } from "../../languages/syntax/strings.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"
import { reachCommand, reachWord } from "../sinks/sinks.ts"
import { comprehensionAt, listAt, objectAt } from "../values/collections.ts"
import { elementAt, elementName } from "../values/elements.ts"
import { foldBinary, literalConstant } from "../values/folding.ts"
import { formatPercent } from "../values/formats.ts"
import { nameAt, selfAt } from "../values/names.ts"
import type { Scope } from "../values/Scope.ts"
import {
  blend,
  type Constant,
  collection,
  concat,
  constantValue,
  isTainted,
  join,
  literal,
  NOSQL,
  sanitised,
  unknown,
  type Value,
  withoutConstant,
  withType
} from "../values/Value.ts"
import { addField, bind, isPath, keyAt, objectOf, propertyOf, write } from "./binding.ts"
import { evaluateCall, evaluateConstruct } from "./calls.ts"
import { classAt, functionAt } from "./closures.ts"
import { compared, flagAt, logical, sometimes, ternaryAt, unary } from "./conditions/logic.ts"
import { testedBefore } from "./conditions/testedCalls.ts"
import { choiceAt, initialised } from "./csharpExpressions.ts"
import { evaluate } from "./evaluate.ts"
import { memberOf, typed } from "./members.ts"
import { matchAt } from "./phpExpressions.ts"
import { type Run, roleOf } from "./Run.ts"

/** What an expression is worth in a scope. Reached through `evaluate`, which minds depth and fuel. */
export const expression = (run: Run, scope: Scope, node: number): Value => {
  const { tree } = run
  switch (roleOf(run, node)) {
    case "name":
      return nameAt(run, scope, node)
    case "self":
      return selfAt(run, scope, node)
    case "string":
      return stringAt(run, scope, node)
    case "number":
      return numberAt(run, node)
    case "binary":
      return binaryAt(run, scope, node)
    case "clean":
      return flagAt(run, scope, node)
    case "call":
      return testedBefore(run, scope, node) ?? initialised(run, scope, node, evaluateCall(run, scope, node))
    case "construct":
      return evaluateConstruct(run, scope, node)
    case "member":
      return memberAt(run, scope, node)
    case "subscript":
      return subscriptAt(run, scope, node)
    case "declare":
      return declareAt(run, scope, node)
    case "assign":
      return assignAt(run, scope, node)
    case "augment":
      return augmentAt(run, scope, node)
    case "choice":
      return run.file.language === "php" ? matchAt(run, scope, node) : choiceAt(run, scope, node)
    case "command":
      return commandAt(run, scope, node)
    case "ternary":
      return ternaryAt(run, scope, node)
    case "list":
      return listAt(run, scope, node)
    case "object":
      return objectAt(run, scope, node)
    case "comprehension":
      return comprehensionAt(run, scope, node)
    case "wrap":
      return wrapAt(run, scope, node)
    case "function":
      return functionAt(run, scope, node)
    case "class":
      return classAt(run, scope, node)
    case "skip":
      return unknown()
    case undefined: {
      const values = tree.namedChildren(node).map((child) => evaluate(run, scope, child))
      return values.length === 1 ? values[0]! : blend(values)
    }
    default:
      scope.value = null
      run.execute(run, scope, node)
      return scope.value ?? unknown()
  }
}

const numberAt = ({ tree }: Run, node: number): Value => {
  const text = tree.textOf(node)
  return { ...withType(literal(text), "number"), constant: literalConstant(text) }
}

const stringAt = (run: Run, scope: Scope, node: number): Value => {
  if (run.tree.is(node, "heredoc_beginning")) return pieces(run, scope, heredocBody(run, node))
  const plain = literalValue(run.file, node)
  return plain === null ? pieces(run, scope, node) : literal(plain)
}

/** Text of a heredoc stands after the statement that begins it; several follow each other in order. */
const heredocBody = (run: Run, node: number): number => {
  const beginnings = run.tree.of("heredoc_beginning")
  return run.tree.of("heredoc_body")[beginnings.indexOf(node)] ?? NONE
}

/** What stands between backticks is handed to a shell. */
const commandAt = (run: Run, scope: Scope, node: number): Value => {
  const value = pieces(run, scope, node)
  reachCommand(run, node, value)
  return unknown()
}

export const pieces = (run: Run, scope: Scope, node: number): Value => {
  const { tree, syntax } = run
  let value = literal("")
  for (const child of tree.children(node)) {
    if (tree.is(child, ...syntax.interpolationKinds)) value = concat(value, holeAt(run, scope, child))
    else if (tree.is(child, ...syntax.stringKinds)) value = concat(value, stringAt(run, scope, child))
    else if (tree.is(child, "heredoc_body")) value = concat(value, pieces(run, scope, child))
    else if (tree.isNamed(child) && !/_(?:start|end)$/.test(tree.kind(child))) {
      const text = tree.kind(child) === "escape_sequence" ? escapeOf(tree.textOf(child)) : tree.textOf(child)
      value = concat(value, literal(text))
    }
  }
  return value
}

const escapeOf = (text: string): string => (text === "\\n" || text === "\\t" ? " " : text.slice(1))

const holeAt = (run: Run, scope: Scope, node: number): Value => {
  const { tree } = run
  if (!tree.is(node, "interpolation", "template_substitution", "string_interpolation"))
    return evaluate(run, scope, node)
  const format = tree.childOfKind(node, "format_specifier")
  const inner = tree.child(node, "expression")
  const first =
    inner === NONE ? tree.namedChildren(node).find((child) => !tree.is(child, "interpolation_brace")) : inner
  const value = evaluate(run, scope, first ?? NONE)
  // `{x:05d}` and `{x:.2f}` raise for anything but a number.
  return format !== NONE && /[dfeEgGxXob%]$/.test(tree.textOf(format)) ? unknown("number") : value
}

const comparisons = /^(?:[=!]==?|<=?|>=?|<=>|instanceof|in|not in|is|is not|=~|!~)$/

const binaryAt = (run: Run, scope: Scope, node: number): Value => {
  const { tree } = run
  // Long chains nest to the left; they are walked, not recursed into.
  const chain: Array<number> = []
  let at = node
  while (roleOf(run, at) === "binary" && chain.length < 4_000) {
    chain.push(at)
    at = tree.child(at, "left")
  }
  let value = evaluate(run, scope, at)
  for (const link of chain.reverse()) value = linked(run, scope, link, at, value)
  return value
}

/** The value of a chain up to one of its operators; `first` is the node where the chain begins. */
const linked = (run: Run, scope: Scope, link: number, first: number, value: Value): Value => {
  const { tree, syntax } = run
  const operator = tree.textOf(tree.child(link, "operator"))
  const right = tree.child(link, "right")
  const decided = logical(run, scope, link, operator, value)
  if (decided !== null) return decided
  if (operator === "??" || operator === "?:") return join(value, sometimes(run, scope, link, null))
  if (comparisons.test(operator)) {
    return compared(run, operator, link, value, evaluate(run, scope, right))
  }
  if (operator === "%" && syntax.concatOperators.includes("%") && value.type !== "number") {
    return formatPercent(value, argumentsOf(run, scope, right))
  }
  if (operator === "<<" && run.file.language === "ruby") {
    return appended(run, scope, first, value, evaluate(run, scope, right))
  }
  return combined(run, operator, value, evaluate(run, scope, right))
}

const combined = (run: Run, operator: string, left: Value, right: Value): Value => {
  const folded = foldBinary(run.file.language, operator, left.constant, right.constant)
  if (folded !== undefined) return constantValue(folded, "number")
  const isSlash = operator === "//" || operator === "/"
  const isJoin = isSlash || run.syntax.concatOperators.includes(operator)
  if (!isJoin || (left.type === "number" && right.type === "number")) return unknown("number")
  return isSlash ? division(left, right) : added(left, right)
}

/** `text << part`, `list << item`: the receiver is changed. */
const appended = (run: Run, scope: Scope, target: number, before: Value, item: Value): Value => {
  if (before.fields !== null) {
    addField(before, "*", item)
    return before
  }
  const after = added(before, item)
  if (roleOf(run, target) === "name") write(run, scope, target, after)
  return after
}

/** `root / name` joins paths in Python; between numbers it divides. */
const division = (left: Value, right: Value): Value =>
  left.type === "number" ? unknown("number") : blend([left, right])

const added = (left: Value, right: Value): Value => {
  if (left.fields !== null && right.fields !== null) return { ...join(left, right), fields: join(left, right).fields }
  return concat(left, right)
}

const argumentsOf = (run: Run, scope: Scope, node: number): ReadonlyArray<Value> | Value => {
  const { tree } = run
  if (tree.is(node, "tuple", "array", "list")) return tree.namedChildren(node).map((part) => evaluate(run, scope, part))
  const value = evaluate(run, scope, node)
  return value.fields === null ? [value] : value
}

const memberAt = (run: Run, scope: Scope, node: number): Value => {
  const { tree } = run
  const text = compact(tree.textOf(node)).replace(/\?\./g, ".").replace(/!/g, "")
  if (isPath(text)) {
    const held = scope.get(text)
    if (held !== undefined) return held
  }
  const name = tree.textOf(propertyOf(run, node))
  return memberOf(run, node, evaluate(run, scope, objectOf(run, node)), name)
}

/** `DB["SELECT …"]` of Sequel runs a statement. */
const reachKey = (run: Run, node: number, key: Value): void => {
  if (run.file.language === "ruby" && isTainted(key)) reachWord(run, node, "[]", key)
}

/** `Request["id"]` of ASP.NET looks for the name wherever a request may have it. */
const anyName = /^http:aspnet(?:context\.Request)?$/

const subscriptAt = (run: Run, scope: Scope, node: number): Value => {
  const { tree } = run
  const object = objectOf(run, node)
  const holder = evaluate(run, scope, object)
  let key = NONE
  for (const child of tree.namedChildren(node)) {
    if (child === object) continue
    key = child
    reachKey(run, node, evaluate(run, scope, child))
  }
  const constant = tree.is(key, "slice") ? undefined : keyAt(run, scope, node, object)
  const name = readName(run, holder, key, constant)
  if (tree.is(node, "slice_expression") || tree.is(key, "slice")) return holder
  const element = elementAt(scope, holder, constant)
  // Any holder of the collection may write to it between two reads: an element decides no condition.
  if (element !== undefined) return withoutConstant(element)
  if (name !== null) {
    const path = `${compact(tree.textOf(object))}.${name}`
    const held = isPath(path) ? scope.get(path) : undefined
    return withoutConstant(held ?? memberOf(run, node, holder, name))
  }
  if (holder.fields !== null && holder.fields.size > 0) return [...holder.fields.values()].reduce(join)
  return memberOf(run, node, holder, "*")
}

/** The name of what a subscript reads; null where it is not known, or may be found in several places. */
const readName = (run: Run, holder: Value, key: number, constant: Constant | undefined): string | null =>
  anyName.test(holder.type ?? "") ? null : (keyName(run, key) ?? elementName(constant))

const keyName = (run: Run, key: number): string | null => {
  const { tree } = run
  if (key === NONE) return null
  if (tree.is(key, "simple_symbol")) return tree.textOf(key).slice(1)
  // `"$_GET[page]"` in PHP.
  if (run.file.language === "php" && tree.is(key, "name")) return tree.textOf(key)
  const inner = tree.is(key, "bracketed_argument_list")
    ? tree.namedChildren(tree.namedChildren(key)[0] ?? NONE)[0]
    : key
  return literalValue(run.file, inner ?? NONE)
}

const typeNode = (run: Run, node: number): number => {
  const own = run.tree.child(node, "type")
  if (own !== NONE) return own
  const parent = run.tree.parent(node)
  return run.tree.is(parent, "local_variable_declaration", "field_declaration", "variable_declaration")
    ? run.tree.child(parent, "type")
    : NONE
}

const declareAt = (run: Run, scope: Scope, node: number): Value => {
  const { tree } = run
  const type = typeNode(run, node)
  const declared =
    type === NONE ? null : run.language.declaredType(run.file, compact(tree.textOf(type)).replace(/^\s*:\s*/, ""))
  const names = tree.childrenOfField(node, "name")
  const given = tree.child(node, "value")
  const values = given === NONE && run.file.language === "csharp" ? initialValue(run, node) : given
  const value = evaluate(run, scope, values)
  if (names.length === 0) bind(run, scope, tree.childOfKind(node, "tuple_pattern"), value)
  names.forEach((name, i) => {
    const own = names.length > 1 && tree.is(values, "expression_list") ? part(run, value, i) : first(value, values, run)
    bind(run, scope, name, typed(own, declared))
  })
  return value
}

/** C# names no field for it. */
const initialValue = (run: Run, node: number): number => {
  const { tree } = run
  const last = tree.namedChildren(node).at(-1) ?? NONE
  return last === tree.child(node, "name") || tree.is(last, "bracketed_argument_list", "tuple_pattern") ? NONE : last
}

const first = (value: Value, node: number, run: Run): Value =>
  run.tree.is(node, "expression_list") ? (value.fields?.get("0") ?? value) : value

const part = (run: Run, value: Value, index: number): Value => {
  const known = value.fields?.get(String(index))
  if (known !== undefined) return known
  // `x, err := f()`: the first result is the value, the others say how it went.
  return index === 0 || run.file.language !== "go" ? value : unknown()
}

const assignAt = (run: Run, scope: Scope, node: number): Value => {
  const { tree } = run
  const left = tree.child(node, tree.child(node, "left") === NONE ? "name" : "left")
  const right = tree.child(node, tree.child(node, "right") === NONE ? "value" : "right")
  const operator = tree.child(node, "operator")
  if (operator !== NONE && !/^:?=$/.test(tree.textOf(operator))) return augmentAt(run, scope, node)
  let value = evaluate(run, scope, right)
  const type = tree.child(node, "type")
  if (type !== NONE) value = typed(value, run.language.declaredType(run.file, tree.textOf(type)))
  if (right === NONE) return value
  if (tree.is(left, "expression_list")) {
    const targets = tree.namedChildren(left)
    const single = tree.is(right, "expression_list") && tree.namedChildren(right).length === 1
    const whole = single ? (value.fields?.get("0") ?? value) : value
    targets.forEach((target, i) =>
      write(run, scope, target, targets.length === 1 ? whole : part(run, single ? whole : value, i))
    )
    return whole
  }
  write(run, scope, left, value)
  return value
}

const augmentAt = (run: Run, scope: Scope, node: number): Value => {
  const { tree } = run
  const left = tree.child(node, "left")
  const inner = tree.is(left, "expression_list") ? (tree.namedChildren(left)[0] ?? left) : left
  const right = tree.child(node, "right")
  const before = evaluate(run, scope, inner)
  const given = evaluate(run, scope, right)
  const value = tree.is(right, "expression_list") ? (given.fields?.get("0") ?? given) : given
  const operator = tree.textOf(tree.child(node, "operator"))
  const isText = /^(?:\+|\.)=$/.test(operator)
  const after = isText
    ? added(before, value)
    : /^(?:\|\||\?\?|&&|\|)=$/.test(operator)
      ? join(before, value)
      : unknown("number")
  write(run, scope, inner, before.type === "number" && value.type === "number" ? unknown("number") : after)
  return after
}

/** A generator answers a list of what it yields. */
const yielded = (run: Run, value: Value): void => {
  const list = collection()
  addField(list, "*", withoutConstant(value))
  run.frame.returns = run.frame.returns === null ? list : join(run.frame.returns, list)
}

const castKinds = ["cast_expression", "type_conversion_expression", "type_assertion_expression"]

/** A value after a cast to the type that is written. */
const castAt = (run: Run, scope: Scope, node: number, type: number): Value => {
  const { tree } = run
  const isCast = tree.is(node, "cast_expression")
  const written = tree.textOf(type)
  const inner = evaluate(run, scope, tree.child(node, isCast ? "value" : "operand"))
  const value = withoutConstant(typed(inner, run.language.declaredType(run.file, written)))
  // Text is no object with operators in it.
  return isCast && written === "string" ? sanitised(value, NOSQL) : value
}

const wrapAt = (run: Run, scope: Scope, node: number): Value => {
  const { tree } = run
  const type = tree.child(node, "type")
  if (type !== NONE && tree.is(node, ...castKinds)) return castAt(run, scope, node, type)
  const alias = tree.child(node, "alias")
  const children = tree.namedChildren(node)
  const inner = tree.is(node, "sequence_expression", "cast_expression", "array_creation_expression")
    ? children.at(-1)
    : children[0]
  const value = unary(run, node, inner ?? NONE, evaluate(run, scope, inner ?? NONE))
  if (tree.is(node, "yield", "yield_expression")) yielded(run, value)
  if (alias !== NONE) bind(run, scope, alias, value)
  else if (tree.is(node, "with_item") && tree.is(inner ?? NONE, "as_pattern")) return value
  if (tree.is(node, "sequence_expression")) for (const child of children.slice(0, -1)) evaluate(run, scope, child)
  return value
}
