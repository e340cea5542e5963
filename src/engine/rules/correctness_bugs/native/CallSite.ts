import type { SourceFile } from "../../../core/files/SourceFile.ts"
import type { Match } from "../../../core/tool/AuditTool.ts"
import type { NativeFunction } from "../../../languages/native/functions.ts"
import type { Call } from "../../../languages/syntax/vocabulary.ts"
import type { FlatTree } from "../../../languages/tree/FlatTree.ts"
import { namesIn, spanOf } from "../Check.ts"
import type { RuleId } from "../rules.ts"

/** A call inside a function of C or C++. */
export interface CallSite {
  readonly file: SourceFile
  readonly tree: FlatTree
  readonly fn: NativeFunction
  readonly call: Call
  /** Name of a free function, without `std::`; empty for a method. */
  readonly name: string
  readonly args: ReadonlyArray<number>
}

export type CallCheck = (site: CallSite) => Match<RuleId> | null

export const siteOf = (file: SourceFile, fn: NativeFunction, call: Call): CallSite => {
  const isFree = call.receiver === null || call.receiver === "std" || call.callee === `::${call.method}`
  return { file, tree: file.tree!, fn, call, name: isFree && !call.isNew ? call.method : "", args: call.args }
}

/** A match over a node, re-identified by the names in it. */
export const nativeMatch = (
  tree: FlatTree,
  node: number,
  match: Pick<Match<RuleId>, "rule" | "message"> & Partial<Match<RuleId>>
): Match<RuleId> => ({ ...spanOf(tree, node), identifiers: namesIn(tree, node), ...match })

/** Whether the result of a call is thrown away; `(void)` says that this is meant. */
export const isDiscarded = (tree: FlatTree, node: number): boolean => tree.is(tree.parent(node), "expression_statement")
