import type { SourceFile } from "../../core/files/SourceFile.ts"
import { unwrap } from "../syntax/strings.ts"
import { type FlatTree, NONE } from "../tree/FlatTree.ts"
import { lastAssigned } from "./lastAssigned.ts"

export interface Options {
  readonly node: number
  /** Value nodes by key, own entries only. */
  readonly entries: ReadonlyMap<string, number>
  /** False when something is spread into it, or a key is computed. */
  readonly isComplete: boolean
}

const literals = [
  "object",
  "dictionary",
  "hash",
  "array_creation_expression",
  "composite_literal",
  "literal_value",
  "argument_list"
]
const names = ["identifier", "variable_name", "member_expression", "attribute", "constant"]

const keyOf = (text: string): string => text.replace(/^[:"'`]+|[:"'`]+$/g, "")

/** Key and value of an entry; no key for a spread, null for what has no value of its own. */
const entryOf = (tree: FlatTree, entry: number): readonly [key: number, value: number] | null => {
  switch (tree.kind(entry)) {
    case "pair":
      return [tree.child(entry, "key"), tree.child(entry, "value")]
    case "keyword_argument":
      return [tree.child(entry, "name"), tree.child(entry, "value")]
    case "shorthand_property_identifier":
      return [entry, entry]
    case "array_element_initializer":
    case "keyed_element": {
      const [key, value] = tree.namedChildren(entry)
      if (key === undefined || value === undefined) return null
      return [key, tree.is(value, "literal_element") ? (tree.namedChildren(value)[0] ?? value) : value]
    }
    case "method_definition":
      return null
    default:
      return [NONE, NONE]
  }
}

/** The literal a value comes down to, through a name that was given one; NONE when it is none. */
const literalAt = (file: SourceFile, given: number): number => {
  const tree = file.tree!
  let node = unwrap(file, given)
  if (tree.is(node, "unary_expression")) node = tree.child(node, "operand")
  if (tree.is(node, ...names)) node = unwrap(file, lastAssigned(file, tree.textOf(node), node))
  return tree.is(node, ...literals) ? node : NONE
}

/** The entries of an object, dictionary, hash, array or composite literal, through a name that was given one. */
export const optionsOf = (file: SourceFile, given: number | undefined): Options | null => {
  const tree = file.tree
  const node = tree === null || given === undefined || given === NONE ? NONE : literalAt(file, given)
  if (tree === null || node === NONE) return null
  const entries = new Map<string, number>()
  let isComplete = true
  for (const child of tree.namedChildren(tree.is(node, "composite_literal") ? tree.child(node, "body") : node)) {
    const entry = entryOf(tree, child)
    if (entry === null) continue
    const [key, value] = entry
    if (key === NONE || tree.is(key, "computed_property_name")) isComplete = false
    else entries.set(keyOf(tree.textOf(key)), value)
  }
  return { node, entries, isComplete }
}
