import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Edit } from "../../core/fix/Fixer.ts"
import { type FlatTree, NONE } from "../tree/FlatTree.ts"
import { itemRemovals } from "./removal.ts"
import { indentationAt } from "./style.ts"

export const replacement = (tree: FlatTree, node: number, text: string): Edit => ({
  start: tree.start(node),
  end: tree.end(node),
  text
})

const isList =
  /arguments?(?:_list)?$|^(?:object|dictionary|hash|array|list|literal_value|initializer_expression|tuple)$/

/** The node of a call's arguments, in any grammar; NONE where it has none, as a Ruby call without parentheses. */
export const argumentList = (tree: FlatTree, call: number): number => {
  const list = tree.child(call, "arguments")
  return list !== NONE && isList.test(tree.kind(list)) ? list : NONE
}

/** Length of a comment on the rest of the line. */
const commentBehind = (file: SourceFile, offset: number): number =>
  /^[ \t]*(?:#|\/\/)[^\r\n]*/.exec(file.text.slice(offset))?.[0].length ?? 0

/**
 * Adds an element to the end of a list in parentheses, brackets or braces: an argument, an entry of an object. It follows
 * how the list is laid out, with a trailing comma where the list has one.
 */
export const itemAddition = (file: SourceFile, list: number, text: string): Edit => {
  const tree = file.tree!
  const items = tree.namedChildren(list)
  const last = items.at(-1)
  const closing = tree.children(list).at(-1)!
  if (last === undefined) {
    const opening = tree.end(tree.firstChild(list))
    const isBrace = tree.textOf(closing) === "}" && file.language !== "python" && file.language !== "go"
    return { start: opening, end: tree.start(closing), text: isBrace ? ` ${text} ` : text }
  }
  const at = tree.end(last)
  const comma = tree.children(list).find((node) => tree.textOf(node) === "," && tree.start(node) >= at)
  const isOnOwnLine =
    file.line(tree.start(last)) > file.line(tree.start(list)) && file.line(at) < file.line(tree.start(closing))
  if (!isOnOwnLine) return { start: at, end: at, text: `, ${text}` }
  const line = `\n${indentationAt(file, tree.start(last))}${text}`
  if (comma === undefined) return { start: at, end: at, text: `,${line}` }
  const end = tree.end(comma) + commentBehind(file, tree.end(comma))
  return { start: end, end, text: `${line},` }
}

/** Removes an element of a list, with its comma. */
export const itemRemoval = (file: SourceFile, list: number, item: number): ReadonlyArray<Edit> => {
  const tree = file.tree!
  const items = tree.namedChildren(list)
  if (items.length > 1) return itemRemovals(tree, items, new Set([item]))
  const children = tree.children(list)
  return [{ start: tree.end(children[0]!), end: tree.start(children.at(-1)!), text: "" }]
}

const entryKinds = [
  "pair",
  "keyword_argument",
  "keyed_element",
  "array_element_initializer",
  "argument",
  "assignment_expression"
]

const keyOf = (tree: FlatTree, entry: number): string => {
  const key = ["key", "name", "left"].map((field) => tree.child(entry, field)).find((node) => node !== NONE)
  return tree.textOf(key ?? tree.namedChildren(entry)[0] ?? NONE).replace(/^[:"'`]+|[:"'`]+$/g, "")
}

/** The entry of this name in a list of arguments or an object: `key: value`, `key=value`, `"key" => value`; NONE without. */
export const entryNamed = (tree: FlatTree, list: number, name: string): number =>
  tree.namedChildren(list).find((entry) => tree.is(entry, ...entryKinds) && keyOf(tree, entry) === name) ?? NONE

/** Sets a named argument or entry: its value is replaced where there is one, else `entry` (as written) is added. */
export const withEntry = (file: SourceFile, list: number, name: string, value: string, entry: string): Edit => {
  const tree = file.tree!
  const known = entryNamed(tree, list, name)
  if (known === NONE) return itemAddition(file, list, entry)
  const valueNode = tree.child(known, "value")
  return replacement(tree, valueNode === NONE ? tree.namedChildren(known).at(-1)! : valueNode, value)
}
