import { NONE } from "../../languages/tree/FlatTree.ts"
import { addField, bind } from "../evaluation/binding.ts"
import { functionAt } from "../evaluation/closures.ts"
import { refine } from "../evaluation/conditions.ts"
import { evaluate } from "../evaluation/evaluate.ts"
import { type Run, roleOf } from "../evaluation/Run.ts"
import { followElements } from "./elements.ts"
import { nameAt } from "./names.ts"
import { Scope } from "./Scope.ts"
import { ARGUMENT, collection, isLiteral, isTainted, join, SPREAD, sanitised, unknown, type Value } from "./Value.ts"

const MAX_POSITIONS = 24

/** Programs parse nothing that comes after it as an option, wherever the list is handed to one. */
const endsOptions = (value: Value): boolean => isLiteral(value) && /^--(?:end-of-options)?$/.test(value.text)

export const listAt = (run: Run, scope: Scope, node: number): Value => {
  const { tree } = run
  const value = collection()
  let isAfterOptions = false
  tree.namedChildren(node).forEach((child, i) => {
    const given = evaluate(run, scope, plainElement(run, child))
    const element = isAfterOptions && isTainted(given) ? sanitised(given, ARGUMENT) : given
    if (endsOptions(given)) isAfterOptions = true
    if (tree.is(child, "spread_element", "list_splat", "splat_argument")) {
      for (const field of element.fields?.values() ?? [element]) addField(value, "*", field)
    } else addField(value, i < MAX_POSITIONS ? String(i) : "*", element)
  })
  return tree.is(node, "set") ? value : followElements(scope, value, true)
}

const pairKinds = ["pair", "keyed_element", "array_element_initializer", "element_value_pair"]

export const objectAt = (run: Run, scope: Scope, node: number): Value => {
  const { tree } = run
  const body = tree.child(node, "body")
  const type = tree.child(node, "type")
  const declared = type === NONE ? null : run.language.declaredType(run.file, tree.textOf(type))
  const value = declared === null ? collection() : collection(declared)
  let position = 0
  for (const child of tree.namedChildren(body === NONE ? node : body)) {
    if (tree.is(child, "shorthand_property_identifier")) addField(value, tree.textOf(child), nameAt(run, scope, child))
    else if (tree.is(child, ...pairKinds)) position += pairAt(run, scope, child, value, position)
    else if (tree.is(child, "spread_element", "dictionary_splat")) spreadInto(value, evaluate(run, scope, child))
    else if (roleOf(run, child) === "function") functionAt(run, scope, child)
    else addField(value, String(position++), evaluate(run, scope, plainElement(run, child)))
  }
  const isList = position > 0 ? position === value.fields?.size : /^(?:\[\]|array\(\)|\[\d*\])/.test(tree.textOf(node))
  return followElements(scope, value, isList)
}

/** How many positions it took: an element without a key has one. */
const pairAt = (run: Run, scope: Scope, pair: number, value: Value, position: number): number => {
  const { tree } = run
  const parts = tree.namedChildren(pair)
  const key = tree.child(pair, "key")
  const keyNode = key === NONE ? parts[0] : key
  const item = parts.at(-1)
  if (keyNode === undefined || item === undefined || parts.length < 2) {
    addField(value, String(position), evaluate(run, scope, item ?? NONE))
    return 1
  }
  const name = tree.textOf(keyNode).replace(/^["'`:]+|["'`:]+$/g, "")
  const isKnown = /^[$\w-]+$/.test(name) && !tree.is(keyNode, "computed_property_name")
  const element = evaluate(run, scope, plainElement(run, item))
  // Of two entries of one name, or of one in what was spread before, the last one counts.
  if (isKnown) value.fields!.set(name, element)
  else addField(value, "*", element)
  return 0
}

const spreadInto = (value: Value, spread: Value): void => {
  if (spread.fields !== null && !isTainted(spread)) {
    for (const [name, field] of spread.fields) value.fields!.set(name, field)
    return
  }
  // It may hold any name, those before it included.
  for (const [name, field] of value.fields!) value.fields!.set(name, join(field, spread))
  addField(value, SPREAD, spread)
}

/** Go wraps the elements of its literals. */
const plainElement = (run: Run, node: number): number =>
  run.tree.is(node, "literal_element") ? (run.tree.namedChildren(node)[0] ?? node) : node

export const comprehensionAt = (run: Run, scope: Scope, node: number): Value => {
  const { tree } = run
  const inside = new Scope(scope)
  for (const child of tree.namedChildren(node)) {
    if (tree.is(child, "for_in_clause")) {
      const items = evaluate(run, inside, tree.child(child, "right"))
      const value =
        items.fields === null ? items : [...items.fields.values()].reduce(join, items.fields.get("*") ?? unknown())
      bind(run, inside, tree.child(child, "left"), value)
    } else if (tree.is(child, "if_clause")) {
      const condition = tree.namedChildren(child)[0] ?? NONE
      evaluate(run, inside, condition)
      refine(run, inside, condition, true)
    }
  }
  const body = tree.child(node, "body")
  const value = collection()
  if (tree.is(body, "pair")) addField(value, "*", evaluate(run, inside, tree.child(body, "value")))
  else addField(value, "*", evaluate(run, inside, body))
  return value
}
