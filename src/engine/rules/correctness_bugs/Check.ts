import type { Language } from "../../core/files/Language.ts"
import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import type { FlatTree } from "../../languages/tree/FlatTree.ts"
import type { RuleId } from "./rules.ts"

/** A group of rules that inspect the same nodes. */
export interface Check {
  readonly languages: ReadonlySet<Language>
  readonly inspect: (file: SourceFile, tree: FlatTree, emit: Emit<RuleId>) => void
}

export const languages = (...names: ReadonlyArray<Language>): ReadonlySet<Language> => new Set(names)

const scriptLanguages: ReadonlySet<Language> = new Set(["typescript", "tsx", "javascript"])

export const isScript = (file: SourceFile): boolean => scriptLanguages.has(file.language)

/** Code on one line, short enough for a message. */
export const quoted = (tree: FlatTree, node: number, limit = 60): string => {
  const text = tree.text.slice(tree.start(node), Math.min(tree.end(node), tree.start(node) + 400)).replace(/\s+/g, " ")
  return `\`${(text.length > limit ? `${text.slice(0, limit - 1)}…` : text).replace(/`/g, "'")}\``
}

/** Names in a piece of code, by which an observation is re-identified. */
export const namesIn = (tree: FlatTree, node: number): ReadonlyArray<string> =>
  [...new Set(tree.text.slice(tree.start(node), tree.start(node) + 200).match(/[A-Za-z_$][\w$]{2,}/g) ?? [])].slice(
    0,
    4
  )

export const spanOf = (tree: FlatTree, node: number): { readonly start: number; readonly end: number } => ({
  start: tree.start(node),
  end: Math.max(tree.end(node), tree.start(node) + 1)
})
