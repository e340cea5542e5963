import type { SourceFile } from "../../core/files/SourceFile.ts"
import { ruleLanguageOf } from "../../core/tool/AuditTool.ts"
import type { FlatTree } from "../../languages/tree/FlatTree.ts"

export const isScript = ({ language }: Pick<SourceFile, "language">): boolean =>
  ruleLanguageOf(language) === "javascript"

/** Code on one line, short enough for a message. */
export const quoted = (tree: FlatTree, node: number): string => {
  const text = tree.text.slice(tree.start(node), Math.min(tree.end(node), tree.start(node) + 200)).replace(/\s+/g, " ")
  return `\`${(text.length > 60 ? `${text.slice(0, 59)}…` : text).replace(/`/g, "'")}\``
}
