import { auditTool } from "../../core/tool/AuditTool.ts"
import { mentionsRoutes, routeLanguages, routeTable } from "../../structure/routes/routeTable.ts"
import { unvalidatedBodies } from "./bodies.ts"
import { checkContract } from "./contract.ts"
import { mentionsSpec } from "./document.ts"
import { codeFacts, reportDrift, specFacts } from "./drift.ts"
import { rules } from "./rules.ts"

const HEAD = 4_000

export default auditTool({
  id: "api_contract",
  suite: "full",
  kind: "advisory",
  domain: "data_apis",
  category: "architecture",
  priority: "P2",
  version: 1,
  rules,
  // Descriptions of an API are often kept with the documentation.
  appliesTo: ({ language, role }) =>
    language === "yaml" || language === "json"
      ? role === "source" || role === "docs"
      : role === "source" && routeLanguages.has(language),
  inspect: (file, emit) => {
    if (file.language === "yaml" || file.language === "json") {
      if (!mentionsSpec.test(file.text.slice(0, HEAD))) return undefined
      checkContract(file, emit)
      return specFacts(file) ?? undefined
    }
    if (!mentionsRoutes.test(file.text) || file.tree === null) return undefined
    if (/^(?:javascript|typescript)$/.test(file.language)) unvalidatedBodies(file, emit)
    return codeFacts(routeTable(file)) ?? undefined
  },
  finish: reportDrift
})
