import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { literalValue } from "../../languages/syntax/strings.ts"
import { calls, enclosingFunction } from "../../languages/syntax/vocabulary.ts"
import { excerpt, span } from "../../languages/tree/excerpt.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"
import type { RuleId } from "./rules.ts"

/** How columns are read by their position in the row. */
const byPosition: Partial<Record<SourceFile["language"], RegExp>> = {
  go: /\b(?:rows?|r)\.Scan\(\s*&|\)\.Scan\(\s*&/,
  java: /\b(?:rs|rows?|resultSet|result)\.get(?:String|Int|Long|Object|Double|Boolean|Date|Timestamp|BigDecimal)\(\s*\d+\s*\)/,
  python: /\b(?:row|r|rec|record)\[\d+\]|\bfetchone\(\)\[\d+\]/
}

const laterQuery = /\b(?:execute|executeQuery|Query(?:Row)?(?:Context)?)\((?!\s*\))/

const star = /^\s*SELECT\s+\*\s+FROM\b/i

export const inspectPositions = (file: SourceFile, emit: Emit<RuleId>): void => {
  const reads = byPosition[file.language]
  if (reads === undefined || !/SELECT\s+\*\s+FROM/i.test(file.text)) return
  const tree = file.tree
  if (tree === null) return
  for (const { node, args, method } of calls(file)) {
    if (
      !/^(?:Query|QueryRow|QueryContext|QueryRowContext|executeQuery|prepareStatement|execute|fetch\w*)$/.test(method)
    )
      continue
    const argument = args.find((candidate) => star.test(literalValue(file, candidate) ?? ""))
    if (argument === undefined) continue
    const holder = enclosingFunction(file, node)
    const text =
      holder === null || holder.body === NONE
        ? ""
        : tree.text.slice(tree.end(node) - 1, Math.min(tree.end(holder.body), tree.end(node) + 2_000))
    // What is executed next has rows of its own.
    const next = text.search(laterQuery)
    const read = reads.exec(next < 0 ? text : text.slice(0, next))
    if (read === null) continue
    const message = `${excerpt(tree, argument)} selects the columns that the table has, and \`${read[0].slice(0, 40)}\` reads them by position.`
    emit({ rule: "columns_by_position", ...span(tree, argument), message })
  }
}
