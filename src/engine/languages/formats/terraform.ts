import type { SourceFile } from "../../core/files/SourceFile.ts"
import { type FlatTree, NONE } from "../tree/FlatTree.ts"

export interface Attribute {
  /** Expression as written. */
  readonly text: string
  readonly start: number
  readonly end: number
}

/** `resource "aws_instance" "web" { … }`. Plain data: it crosses from the file to the module. */
export interface Block {
  readonly type: string
  readonly labels: ReadonlyArray<string>
  readonly attributes: { readonly [name: string]: Attribute }
  readonly blocks: ReadonlyArray<Block>
  /** Of the head, up to the opening brace. */
  readonly start: number
  readonly end: number
}

const MAX_TEXT = 4_000
const MAX_DEPTH = 6
const MAX_BLOCKS = 2_000

const unquote = (text: string): string => text.replace(/^"(.*)"$/s, "$1")

const blockAt = (tree: FlatTree, node: number, depth: number, budget: { blocks: number }): Block => {
  const attributes: Record<string, Attribute> = {}
  const blocks: Array<Block> = []
  const labels: Array<string> = []
  let type = ""
  let end = tree.start(node) + 1
  for (let child = tree.firstChild(node); child !== NONE; child = tree.nextSibling(child)) {
    if (tree.is(child, "identifier", "string_lit")) {
      if (type === "") type = tree.textOf(child)
      else labels.push(unquote(tree.textOf(child)))
      end = tree.end(child)
    } else if (tree.is(child, "body")) readBody(tree, child, attributes, blocks, depth, budget)
  }
  return { type, labels, attributes, blocks, start: tree.start(node), end }
}

const readBody = (
  tree: FlatTree,
  body: number,
  attributes: Record<string, Attribute>,
  blocks: Array<Block>,
  depth: number,
  budget: { blocks: number }
): void => {
  for (let child = tree.firstChild(body); child !== NONE; child = tree.nextSibling(child)) {
    if (tree.is(child, "attribute")) {
      const name = tree.textOf(tree.firstChild(child))
      const value = tree.childOfKind(child, "expression")
      if (value === NONE || name === "__proto__") continue
      const start = tree.start(value)
      const text = tree.text.slice(start, Math.min(tree.end(value), start + MAX_TEXT))
      attributes[name] = { text, start: tree.start(child), end: tree.end(child) }
    } else if (tree.is(child, "block") && depth < MAX_DEPTH && --budget.blocks >= 0) {
      blocks.push(blockAt(tree, child, depth + 1, budget))
    }
  }
}

const read = (file: SourceFile): ReadonlyArray<Block> => {
  const tree = file.tree
  if (tree === null) return []
  const body = tree.childOfKind(0, "body")
  const budget = { blocks: MAX_BLOCKS }
  const found: Array<Block> = []
  for (let child = tree.firstChild(body); child !== NONE && budget.blocks > 0; child = tree.nextSibling(child)) {
    if (tree.is(child, "block") && --budget.blocks >= 0) found.push(blockAt(tree, child, 0, budget))
  }
  return found
}

/** Top-level blocks of a Terraform file, in document order. */
export const terraformBlocks = (file: SourceFile): ReadonlyArray<Block> => file.memo(read, read)
