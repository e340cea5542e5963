import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { callsWithin } from "../../languages/code/callsWithin.ts"
import type { Call } from "../../languages/syntax/vocabulary.ts"
import { span } from "../../languages/tree/excerpt.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import { mentionsRoutes, routeTable } from "../../structure/routes/routeTable.ts"
import type { RuleId } from "./rules.ts"
import { smallTables } from "./tables.ts"

const wholeTables: Partial<Record<SourceFile["language"], RegExp>> = {
  typescript:
    /^(?:[A-Z]\w*\.(?:findAll|find)|(?:this\.)?\w*[pP]risma\w*\.\w+\.findMany|(?:this\.)?\w*[rR]epo(?:sitory)?\.find)$/,
  python: /^(?:[A-Z]\w*\.objects\.all|[A-Z]\w*\.query\.all|(?:db\.)?session\.query\([A-Z]\w*\)\.all)$/,
  java: /^(?:this\.)?\w*(?:Repository|Repo)\.findAll$/,
  csharp: /^(?:this\.)?(?:_?\w*[cC]ontext|_?db)\.[A-Z]\w*\.(?:ToList|ToListAsync|ToArray|ToArrayAsync)$/,
  ruby: /^(?:::)?[A-Z]\w*(?:::[A-Z]\w*)*\.all$/,
  php: /^\\?(?:App\\(?:Models\\)?)?[A-Z]\w*::all$/
}

const isEmpty = (tree: FlatTree, { args, named }: Call): boolean =>
  named.size === 0 && (args.length === 0 || (args.length === 1 && /^\{\s*\}$/.test(tree.textOf(args[0]!).slice(0, 20))))

/** No chained call could limit it: it is awaited, returned, assigned or passed to the response. */
const isWhole = (tree: FlatTree, node: number): boolean => {
  const parent = tree.parent(node)
  return !(
    tree.is(
      parent,
      "member_expression",
      "attribute",
      "member_access_expression",
      "method_invocation",
      "member_call_expression",
      "subscript",
      "call",
      "scoped_call_expression"
    ) &&
    (tree.fieldOf(node) === "object" ||
      tree.fieldOf(node) === "receiver" ||
      tree.fieldOf(node) === "expression" ||
      tree.fieldOf(node) === "value")
  )
}

const limits = /paginat|\blimit\b|\.slice\(|\bpage\b|per_page|Pageable|Take\(|Paginator|pagy|kaminari|\[:\w+\]/i

const inspectHandler = (
  file: SourceFile,
  tree: FlatTree,
  handler: number,
  pattern: RegExp,
  emit: Emit<RuleId>
): void => {
  if (limits.test(tree.textOf(handler))) return
  for (const call of callsWithin(file, handler)) {
    if (
      !pattern.test(call.callee) ||
      !isEmpty(tree, call) ||
      !isWhole(tree, call.node) ||
      smallTables.test(call.callee)
    )
      continue
    const message = `\`${call.callee}\` returns every row of the table, without a limit.`
    emit({ rule: "unbounded_list_route", ...span(tree, call.node), message })
    return
  }
}

export const inspectLists = (file: SourceFile, tree: FlatTree, emit: Emit<RuleId>): void => {
  const language = file.language === "tsx" || file.language === "javascript" ? "typescript" : file.language
  const pattern = wholeTables[language]
  if (pattern === undefined || !/\b(?:findAll|findMany|find|all|ToList\w*|ToArray\w*)\b/.test(file.text)) return
  if (!mentionsRoutes.test(file.text)) return
  const { routes, actions } = routeTable(file)
  const reads = new Set<number>()
  for (const { method, handlerNode } of routes)
    if ((method === "GET" || method === "ANY") && handlerNode !== NONE) reads.add(handlerNode)
  for (const { name, node } of actions)
    if (/(?:#|\.)(?:index|list|get|all)$/i.test(name) && node !== NONE) reads.add(node)
  for (const handler of reads) inspectHandler(file, tree, handler, pattern, emit)
}
