import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { functions } from "../../languages/syntax/vocabulary.ts"
import { routeTable } from "../../structure/routes/routeTable.ts"
import type { RuleId } from "./rules.ts"

/** No link and no form of another site sends these, and browsers show no response that a script fetched. */
const scripted: ReadonlySet<string> = new Set(["PUT", "PATCH", "DELETE", "HEAD"])
/** Methods that a server or a class of views calls for the request method of their name. */
const scriptedHandler = /(?:^|\.)(?:do_?(?:PUT|PATCH|DELETE|HEAD)|do(?:Put|Patch|Delete|Head))$|\.(?:put|patch|delete)$/
const views = /\.(?:py|java|kt)$/

type Range = readonly [start: number, end: number]

const scriptedRanges = (file: SourceFile): ReadonlyArray<Range> => {
  const tree = file.tree
  if (tree === null) return []
  const routes = routeTable(file).routes.filter(({ handlerNode }) => handlerNode >= 0)
  const isNavigable = new Set(
    routes.filter(({ method }) => !scripted.has(method)).map(({ handlerNode }) => handlerNode)
  )
  const ofRoutes = routes
    .filter(({ method, handlerNode }) => scripted.has(method) && !isNavigable.has(handlerNode))
    .map(({ handlerStart, handlerEnd }): Range => [handlerStart, handlerEnd])
  const ofViews = views.test(file.path)
    ? functions(file)
        .filter(({ name }) => name !== null && scriptedHandler.test(name))
        .map(({ node }): Range => [tree.start(node), tree.end(node)])
    : []
  return [...ofRoutes, ...ofViews]
}

/** Reports everything but request input in responses that no browser renders. */
export const reportingRendered = (file: SourceFile, emit: Emit<RuleId>): Emit<RuleId> => {
  const ranges = (): ReadonlyArray<Range> => file.memo(scriptedRanges, scriptedRanges)
  return (match) => {
    const isUnrendered =
      match.rule === "untrusted_html" && ranges().some(([start, end]) => match.start >= start && match.end <= end)
    if (!isUnrendered) emit(match)
  }
}
