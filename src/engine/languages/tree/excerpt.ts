import type { FlatTree } from "./FlatTree.ts"

const MAX_READ = 400

/** Code on one line, short enough for a message. */
export const excerpt = (tree: FlatTree, node: number, limit = 60): string => {
  const start = tree.start(node)
  const text = tree.text.slice(start, Math.min(tree.end(node), start + MAX_READ)).replace(/\s+/g, " ")
  return `\`${(text.length > limit ? `${text.slice(0, limit - 1)}…` : text).replace(/`/g, "'")}\``
}

export const span = (tree: FlatTree, node: number): { readonly start: number; readonly end: number } => ({
  start: tree.start(node),
  end: Math.max(tree.end(node), tree.start(node) + 1)
})

/** Its first line only: what is said of a block or of a long call concerns its head. */
export const headSpan = (tree: FlatTree, node: number): { readonly start: number; readonly end: number } => {
  const { start, end } = span(tree, node)
  const stop = tree.text.indexOf("\n", start)
  return { start, end: stop < 0 ? end : Math.min(stop, end) }
}
