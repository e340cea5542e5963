import type { Language } from "../../core/files/Language.ts"
import { auditTool } from "../../core/tool/AuditTool.ts"
import { mentionsRoutes } from "../../structure/routes/routeTable.ts"
import { lostCauses, mentionsErrorLog } from "./causes.ts"
import { healthFacts, reportHealth } from "./health.ts"
import { mentionsPrint, prints } from "./prints.ts"
import { rules } from "./rules.ts"

const languages: ReadonlySet<Language> = new Set<Language>(["typescript", "javascript", "python", "go", "java"])

export default auditTool({
  id: "observability",
  suite: "full",
  kind: "suggestion",
  domain: "reliability",
  category: "operations",
  priority: "P3",
  version: 1,
  rules,
  appliesTo: ({ language, role }) => role === "source" && languages.has(language),
  inspect: (file, emit) => {
    if (mentionsPrint.test(file.text) && file.tree !== null) prints(file, emit)
    if (mentionsErrorLog.test(file.text) && file.tree !== null) lostCauses(file, emit)
    return mentionsRoutes.test(file.text) && file.tree !== null ? healthFacts(file) : undefined
  },
  finish: reportHealth
})
