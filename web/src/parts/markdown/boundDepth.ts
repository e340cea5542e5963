import type { Nodes, Root } from "mdast"

/** Deeper than people nest quotations and lists. What draws the tree calls itself several times a level. */
const MAX_DEPTH = 64

const asWritten = (node: Nodes, source: string): string =>
  source.slice(node.position?.start.offset ?? 0, node.position?.end.offset ?? source.length)

/** Whether what is below the node was replaced by the text as it was written. */
const isFlattened = (node: Nodes, source: string): boolean => {
  const text = { type: "text", value: asWritten(node, source) } as const
  switch (node.type) {
    case "blockquote":
    case "listItem":
    case "footnoteDefinition":
      node.children = [{ type: "paragraph", children: [text] }]
      return true
    case "paragraph":
    case "heading":
    case "tableCell":
    case "emphasis":
    case "strong":
    case "delete":
    case "link":
    case "linkReference":
      node.children = [text]
      return true
    default:
      return false
  }
}

/** A plugin of remark: what is nested more than 64 levels deep is shown as it was written. */
export const boundDepth = () => (tree: Root, file: { readonly value: unknown }) => {
  const source = String(file.value)
  const pending: Array<{ readonly node: Nodes; readonly depth: number }> = [{ node: tree, depth: 0 }]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, depth } = next
    if (!("children" in node) || (depth >= MAX_DEPTH && isFlattened(node, source))) continue
    for (const child of node.children) pending.push({ node: child, depth: depth + 1 })
  }
}
