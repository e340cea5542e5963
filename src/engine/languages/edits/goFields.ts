import type { Edit } from "../../core/fix/Fixer.ts"
import { type FlatTree, NONE } from "../tree/FlatTree.ts"

/** Fields on lines that follow each other up to the last one: gofmt aligns their values. */
const alignedFields = (tree: FlatTree, fields: ReadonlyArray<number>): ReadonlyArray<number> => {
  const found: Array<number> = []
  for (const field of [...fields].reverse()) {
    const gap = tree.text.slice(tree.end(field), found.length === 0 ? tree.end(field) : tree.start(found[0]!))
    if (tree.textOf(field).includes("\n") || /\n[^\n]*\n/.test(gap)) break
    found.unshift(field)
  }
  return found
}

/** A further field of a composite literal, in gofmt's layout; null where its fields have no names. */
export const addedField = (tree: FlatTree, body: number, name: string, value: string): ReadonlyArray<Edit> | null => {
  const fields = tree.namedChildren(body)
  const last = fields.at(-1) ?? NONE
  const field = `${name}: ${value}`
  if (last === NONE) return [{ start: tree.start(body) + 1, end: tree.end(body) - 1, text: field }]
  if (!tree.is(last, "keyed_element")) return null
  const at = tree.end(last)
  if (!/^,[^\n]*\n/.test(tree.text.slice(at, tree.end(body)))) return [{ start: at, end: at, text: `, ${field}` }]
  const aligned = alignedFields(tree, fields).map((node) => {
    const colon = tree.text.indexOf(":", tree.start(node))
    const start = tree.start(tree.namedChildren(node)[1] ?? node)
    return { colon, start, length: colon - tree.start(node) }
  })
  const width = Math.max(name.length, ...aligned.map(({ length }) => length))
  const lineEnd = at + /^,[^\n\r]*/.exec(tree.text.slice(at))![0].length
  const indent = /[ \t]*$/.exec(tree.text.slice(0, tree.start(last)))![0]
  const padding = (length: number): string => " ".repeat(width - length + 1)
  return [
    ...aligned.map(({ colon, start, length }) => ({ start: colon + 1, end: start, text: padding(length) })),
    { start: lineEnd, end: lineEnd, text: `\n${indent}${name}:${padding(name.length)}${value},` }
  ]
}
