import type { Language } from "../../core/files/Language.ts"
import { auditTool } from "../../core/tool/AuditTool.ts"
import { inspectLoops } from "./inLoops.ts"
import { inspectLists } from "./lists.ts"
import { inspectPositions } from "./positions.ts"
import { mentionsQueries } from "./queries.ts"
import { inspectReads } from "./reads.ts"
import { rules } from "./rules.ts"

const languages: ReadonlySet<Language> = new Set<Language>([
  "typescript",
  "tsx",
  "javascript",
  "python",
  "ruby",
  "php",
  "java",
  "csharp",
  "go"
])

export default auditTool({
  id: "query_efficiency",
  suite: "standard",
  kind: "finding",
  domain: "data_apis",
  category: "performance",
  priority: "P2",
  version: 3,
  rules,
  appliesTo: ({ language, role }) => role === "source" && languages.has(language),
  inspect: (file, emit) => {
    inspectPositions(file, emit)
    const tree = mentionsQueries.test(file.text) || /\.all\b|::all\b/.test(file.text) ? file.tree : null
    if (tree === null) return undefined
    inspectLoops(file, tree, emit)
    inspectReads(file, tree, emit)
    inspectLists(file, tree, emit)
    return undefined
  }
})
