import { NONE } from "../FlatTree.ts"
import { addField, bind } from "./binding.ts"
import { functionAt } from "./closures.ts"
import { refine } from "./conditions.ts"
import { evaluate } from "./evaluate.ts"
import { nameAt } from "./names.ts"
import { type Run, roleOf } from "./Run.ts"
import { Scope } from "./Scope.ts"
import { collection, join, unknown, type Value, withType } from "./Value.ts"

export const listAt = (run: Run, scope: Scope, node: number): Value => {
  const { tree } = run
  const value = collection()
  tree.namedChildren(node).forEach((child, i) => {
    const inner = tree.is(child, "literal_element") ? (tree.namedChildren(child)[0] ?? child) : child
    const element = evaluate(run, scope, inner)
    if (tree.is(child, "spread_element", "list_splat", "splat_argument")) {
      for (const field of element.fields?.values() ?? [element]) addField(value, "*", field)
    } else addField(value, i < 12 ? String(i) : "*", element)
  })
  return value
}

const pairKinds = ["pair", "keyed_element", "array_element_initializer", "element_value_pair"]

export const objectAt = (run: Run, scope: Scope, node: number): Value => {
  const { tree } = run
  const body = tree.child(node, "body")
  const type = tree.child(node, "type")
  const declared = type === NONE ? null : run.language.declaredType(run.file, tree.textOf(type))
  const value = declared === null ? collection() : withType(collection(), declared)
  let position = 0
  for (const child of tree.namedChildren(body === NONE ? node : body)) {
    if (tree.is(child, "shorthand_property_identifier")) addField(value, tree.textOf(child), nameAt(run, scope, child))
    else if (tree.is(child, ...pairKinds)) {
      const parts = tree.namedChildren(child)
      const key = tree.child(child, "key")
      const keyNode = key === NONE ? parts[0] : key
      const item = parts.at(-1)
      if (keyNode === undefined || item === undefined || parts.length < 2) {
        addField(value, String(position++), evaluate(run, scope, item ?? NONE))
        continue
      }
      const name = tree.textOf(keyNode).replace(/^["'`:]+|["'`:]+$/g, "")
      const isKnown = /^[$\w-]+$/.test(name) && !tree.is(keyNode, "computed_property_name")
      const held = tree.is(item, "literal_element") ? (tree.namedChildren(item)[0] ?? item) : item
      addField(value, isKnown ? name : "*", evaluate(run, scope, held))
    } else if (tree.is(child, "spread_element", "dictionary_splat")) {
      const spread = evaluate(run, scope, child)
      if (spread.fields === null) addField(value, "*", spread)
      else for (const [name, field] of spread.fields) addField(value, name, field)
    } else if (roleOf(run, child) === "function") functionAt(run, scope, child)
    else {
      const inner = tree.is(child, "literal_element") ? (tree.namedChildren(child)[0] ?? child) : child
      addField(value, String(position++), evaluate(run, scope, inner))
    }
  }
  return value
}

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
