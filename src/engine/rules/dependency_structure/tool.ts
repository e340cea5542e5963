import { auditTool } from "../../core/tool/AuditTool.ts"
import { graphLanguages, importFacts } from "../../structure/importGraph/collect.ts"
import { encodeFacts } from "../../structure/importGraph/ImportFacts.ts"
import { buildImportGraph } from "../../structure/importGraph/ImportGraph.ts"
import { reportHubs } from "./hubs.ts"
import { reportImportCycles, reportPackageCycles } from "./importCycles.ts"
import { reportInversions } from "./layers.ts"
import { rules } from "./rules.ts"
import { reportUndeclaredDistributions, reportUndeclaredPackages } from "./undeclared.ts"

export default auditTool({
  id: "dependency_structure",
  suite: "standard",
  kind: "finding",
  domain: "code_quality",
  category: "architecture",
  priority: "P2",
  version: 2,
  rules,
  appliesTo: ({ language, role }) => role === "source" && graphLanguages.has(language),
  inspect: (file) => {
    const facts = importFacts(file)
    // Java files without imports still declare their package; other files are known by their path.
    return encodeFacts(facts)
  },
  finish: (summaries, project, emit) => {
    const graph = buildImportGraph(summaries, project)
    reportImportCycles(graph, emit)
    reportPackageCycles(graph, emit)
    reportUndeclaredPackages(graph, emit)
    reportUndeclaredDistributions(graph, project, emit)
    reportInversions(graph, emit)
    reportHubs(graph, emit)
  }
})
