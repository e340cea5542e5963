import type { SourceFile } from "../../../core/files/SourceFile.ts"
import { calls } from "../../../languages/syntax/vocabulary.ts"
import { type FlatTree, NONE } from "../../../languages/tree/FlatTree.ts"
import { itemKey } from "./itemKey.ts"

/** The callback of `map` that makes an element of each item. */
export interface ListItem {
  readonly tree: FlatTree
  readonly callback: number
  /** Opening tag of the element, and the whole of it. */
  readonly tag: number
  readonly element: number
  /** Code of the item's identity; null where the element reads none. */
  readonly key: string | null
}

const callbackKinds = ["arrow_function", "function_expression"]

const parameterName = (tree: FlatTree, parameter: number): string => {
  const inner = tree.is(parameter, "required_parameter", "optional_parameter")
    ? tree.child(parameter, "pattern")
    : parameter
  return tree.is(inner, "identifier") ? tree.textOf(inner) : ""
}

const destructuredId = (tree: FlatTree, parameter: number): string | null => {
  const names = [...tree.within(parameter, "shorthand_property_identifier_pattern")].map((node) => tree.textOf(node))
  return names.find((name) => /^(?:id|_id|uuid|guid)$/.test(name)) ?? null
}

export const listItemAt = (file: SourceFile, start: number, end: number): ListItem | null => {
  const tree = file.tree
  if (tree === null) return null
  const tag = tree.covering(start, end)
  const element = tree.is(tag, "jsx_opening_element") ? tree.parent(tag) : tag
  const callback = tree.enclosing(element, ...callbackKinds)
  const isMapped = calls(file).some(({ method, args }) => method === "map" && args[0] === callback)
  if (!tree.is(tag, "jsx_opening_element", "jsx_self_closing_element", "jsx_element") || !isMapped) return null
  const parameter = tree.child(callback, "parameter")
  const first = parameter === NONE ? (tree.namedChildren(tree.child(callback, "parameters"))[0] ?? NONE) : parameter
  const name = parameterName(tree, first)
  const key = name === "" ? destructuredId(tree, first) : itemKey(tree.textOf(element), name)
  return { tree, callback, tag, element, key }
}
