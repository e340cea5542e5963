import type { SourceFile } from "../SourceFile.ts"
import { NONE } from "./FlatTree.ts"
import { lastAssigned } from "./lastAssigned.ts"
import { unwrap } from "./syntax/strings.ts"

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

/** The entries of an object, dictionary, hash, array or composite literal, through a name that was given one. */
export const optionsOf = (file: SourceFile, given: number | undefined): Options | null => {
  const tree = file.tree
  if (tree === null || given === undefined || given === NONE) return null
  let node = unwrap(file, given)
  if (tree.is(node, "unary_expression")) node = tree.child(node, "operand")
  if (tree.is(node, ...names)) node = unwrap(file, lastAssigned(file, tree.textOf(node), node))
  if (!tree.is(node, ...literals)) return null
  const body = tree.is(node, "composite_literal") ? tree.child(node, "body") : node
  const entries = new Map<string, number>()
  let isComplete = true
  for (const entry of tree.namedChildren(body)) {
    if (tree.is(entry, "pair", "keyword_argument")) {
      const key = tree.child(entry, tree.is(entry, "pair") ? "key" : "name")
      if (tree.is(key, "computed_property_name")) isComplete = false
      entries.set(keyOf(tree.textOf(key)), tree.child(entry, "value"))
    } else if (tree.is(entry, "shorthand_property_identifier")) entries.set(tree.textOf(entry), entry)
    else if (tree.is(entry, "array_element_initializer", "keyed_element")) {
      const [key, value] = tree.namedChildren(entry)
      if (key === undefined || value === undefined) continue
      const inner = tree.is(value, "literal_element") ? (tree.namedChildren(value)[0] ?? value) : value
      entries.set(keyOf(tree.textOf(key)), inner)
    } else isComplete = isComplete && tree.is(entry, "method_definition")
  }
  return { node, entries, isComplete }
}
