import { auditTool, type FileSummary } from "../../core/tool/AuditTool.ts"
import { graphLanguages, importFacts } from "../../structure/importGraph/collect.ts"
import { type EncodedImports, encodeFacts } from "../../structure/importGraph/ImportFacts.ts"
import { buildImportGraph } from "../../structure/importGraph/ImportGraph.ts"
import { reportHubs } from "./hubs.ts"
import { reportImportCycles, reportPackageCycles } from "./importCycles.ts"
import { reportInversions } from "./layers.ts"
import { type ModuleSystemFacts, moduleSystemFacts, reportModuleSystems } from "./migrations/moduleSystems.ts"
import { reportMigrations } from "./migrations/report.ts"
import { type MigrationFacts, migrationFacts } from "./migrations/usage.ts"
import { rules } from "./rules.ts"
import { reportUndeclaredDistributions, reportUndeclaredPackages } from "./undeclared.ts"

/** Tests take no part in the graph, but they migrate as well. */
interface Facts {
  readonly graph?: EncodedImports
  readonly migrations?: MigrationFacts
  readonly modules?: ModuleSystemFacts
}

/** What the files left of one kind. */
const summariesOf = <K extends keyof Facts>(summaries: ReadonlyArray<FileSummary<Facts>>, key: K) =>
  summaries.flatMap(({ path, facts }): ReadonlyArray<FileSummary<NonNullable<Facts[K]>>> => {
    const own = facts[key]
    return own === undefined ? [] : [{ path, facts: own }]
  })

export default auditTool({
  id: "dependency_structure",
  suite: "standard",
  kind: "finding",
  domain: "code_quality",
  category: "architecture",
  priority: "P2",
  version: 4,
  rules,
  appliesTo: ({ language, role }) => (role === "source" || role === "test") && graphLanguages.has(language),
  inspect: (file): Facts | undefined => {
    const facts = importFacts(file)
    const migrations = migrationFacts(file, facts.imports)
    if (file.role === "test") return migrations === undefined ? undefined : { migrations }
    const modules = moduleSystemFacts(file, facts.imports)
    return {
      // Java files without imports still declare their package; other files are known by their path.
      graph: encodeFacts(facts),
      ...(migrations === undefined ? {} : { migrations }),
      ...(modules === undefined ? {} : { modules })
    }
  },
  finish: (summaries, project, emit) => {
    const graph = buildImportGraph(summariesOf(summaries, "graph"), project)
    reportImportCycles(graph, emit)
    reportPackageCycles(graph, emit)
    reportUndeclaredPackages(graph, emit)
    reportUndeclaredDistributions(graph, project, emit)
    reportInversions(graph, emit)
    reportHubs(graph, emit)
    reportMigrations(summariesOf(summaries, "migrations"), emit)
    reportModuleSystems(summariesOf(summaries, "modules"), project, emit)
  }
})
