import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { calls, enclosingFunction } from "../../languages/syntax/vocabulary.ts"
import { excerpt, span } from "../../languages/tree/excerpt.ts"
import type { FlatTree } from "../../languages/tree/FlatTree.ts"
import type { RuleId } from "./rules.ts"

const openers = /^(?:open|io\.open|codecs\.open)$/
const methods = /^(?:read|readlines|readline|write|writelines)$/
const loaders = /^(?:json\.load|pickle\.load|yaml\.(?:safe_)?load|csv\.reader|csv\.DictReader|tomllib\.load)$/

/** How an opened file is used in the same expression; null where it is not. */
const useOf = (tree: FlatTree, node: number): "read" | "write" | null => {
  const parent = tree.parent(node)
  if (tree.is(parent, "argument_list"))
    return loaders.test(tree.textOf(tree.child(tree.parent(parent), "function"))) ? "read" : null
  const method = tree.is(parent, "attribute") ? tree.textOf(tree.child(parent, "attribute")) : ""
  if (!methods.test(method)) return null
  return method.startsWith("write") ? "write" : "read"
}

/** `open(path).read()`: no variable holds the file, so no code can close it. */
export const inspectInlineFiles = (file: SourceFile, emit: Emit<RuleId>): void => {
  const tree = file.tree
  if (tree === null) return
  for (const { node, callee } of calls(file)) {
    const use = openers.test(callee) ? useOf(tree, node) : null
    // In a script that ends soon, only what was written may be lost.
    if (use === null || (use === "read" && enclosingFunction(file, node) === null)) continue
    emit({
      rule: use === "write" ? "unclosed_file" : "unclosed_file_read",
      ...span(tree, node),
      message: `No variable holds the file of ${excerpt(tree, node)}, so only the garbage collector closes it.`
    })
  }
}
