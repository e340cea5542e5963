import type { FlatTree } from "../tree/FlatTree.ts"

const testAttribute = /^#!?\[(?:\w+::)*(?:test|bench|rstest|cfg\((?!not\b).*\btest\b)/
const testName = /^(?:tests?|bench\w*)$/

/** Items of Rust that only tests are made of, in document order: by the attributes before them or by their names. */
export const rustTestItems = (tree: FlatTree): ReadonlyArray<number> => {
  const named = [...tree.of("mod_item")].filter((item) => testName.test(tree.textOf(tree.child(item, "name"))))
  const marked = [...tree.of("attribute_item")].flatMap((attribute) => {
    if (!testAttribute.test(tree.textOf(attribute).slice(0, 200))) return []
    let item = tree.nextSibling(attribute)
    while (tree.is(item, "attribute_item", "line_comment", "block_comment")) item = tree.nextSibling(item)
    return tree.is(item, "mod_item", "function_item", "impl_item") ? [item] : []
  })
  return [...new Set([...named, ...marked])].sort((a, b) => a - b)
}
