import type { SourceFile } from "../../core/files/SourceFile.ts"
import { type Emit } from "../../core/tool/AuditTool.ts"
import { calls, enclosingFunction } from "../../languages/syntax/vocabulary.ts"
import { excerpt, span } from "../../languages/tree/excerpt.ts"
import type { RuleId } from "./rules.ts"

const reads = /^(?:read|readlines|readline|write|writelines)$/
const loaders = /^(?:json\.load|pickle\.load|yaml\.(?:safe_)?load|csv\.reader|csv\.DictReader|tomllib\.load)$/

/** `open(path).read()`: a file nobody has a name for, so nobody can close it. */
export const inspectLooseFiles = (file: SourceFile, emit: Emit<RuleId>): void => {
  const tree = file.tree
  if (tree === null) return
  for (const { node, callee } of calls(file)) {
    if (callee !== "open" && callee !== "io.open" && callee !== "codecs.open") continue
    const parent = tree.parent(node)
    const isRead = tree.is(parent, "attribute") && reads.test(tree.textOf(tree.child(parent, "attribute")))
    const loader = tree.is(parent, "argument_list") ? tree.textOf(tree.child(tree.parent(parent), "function")) : ""
    if (!isRead && !loaders.test(loader)) continue
    const isWrite = isRead && tree.textOf(tree.child(parent, "attribute")).startsWith("write")
    // Scripts that end at once are not worth a word, unless what was written may be lost.
    if (!isWrite && enclosingFunction(file, node) === null) continue
    const message = `The file of ${excerpt(tree, node)} has no name and is closed when the collector comes by.`
    emit({
      rule: "unclosed_file",
      ...span(tree, node),
      message,
      priority: isWrite ? "P2" : "P3",
      confidence: isWrite ? 0.82 : 0.75
    })
  }
}
