import { baseName } from "../../core/text/paths.ts"
import type { EmitAt } from "../../core/tool/AuditTool.ts"
import { cyclesOf, type Rows } from "../../structure/importGraph/cycles.ts"
import { EAGER, type ImportFact, LATE } from "../../structure/importGraph/ImportFacts.ts"
import { type ImportGraph, isAtLoadTime } from "../../structure/importGraph/ImportGraph.ts"
import type { RuleId } from "./rules.ts"

/** Languages in which files are loaded one after the other, so that one file of a cycle sees another incomplete. */
const loaded = /(?<!\.d)\.(?:[cm]?[jt]sx?|py|rb)$/

const sourceOf = (graph: ImportGraph, node: number, edge: number): ImportFact =>
  graph.facts[node]!.imports[graph.sources[edge]!]!

/** File names, or paths where two files have the same name. */
const shown = (paths: ReadonlyArray<string>): ReadonlyArray<string> => {
  const names = paths.map(baseName)
  return new Set(names).size === names.length ? names : paths
}

/** Programs that load modules have some that import each other on purpose. */
const cyclic = /(?:^|[/_.-])(?:cyclic|cycles?|circular)[/_.-]/i

const chainText = (names: ReadonlyArray<string>): string => {
  const listed = names.length > 6 ? [...names.slice(0, 5), "…"] : names
  return [...listed, names[0]!].map((name) => (name === "…" ? name : `\`${name}\``)).join(" → ")
}

export const reportImportCycles = (graph: ImportGraph, emit: EmitAt<RuleId>): void => {
  const isLoaded = Uint8Array.from(graph.paths, (path) => (loaded.test(path) ? 1 : 0))
  const rows: Rows = {
    size: graph.paths.length,
    offsets: graph.offsets,
    targets: graph.targets,
    counts: (edge) => isAtLoadTime(graph.flags[edge]!) && isLoaded[graph.targets[edge]!] === 1
  }
  for (const { start, edges, members } of cyclesOf(rows)) {
    if (edges.length === 0) continue
    const nodes = [start, ...edges.slice(0, -1).map((edge) => graph.targets[edge]!)]
    const paths = nodes.map((node) => graph.paths[node]!)
    if (paths.every((path) => cyclic.test(path))) continue
    const names = shown(paths)
    const isEager =
      edges.some((edge) => (graph.flags[edge]! & EAGER) !== 0) &&
      !edges.some((edge) => (graph.flags[edge]! & LATE) !== 0)
    const extent = members.length > nodes.length ? ` ${members.length} files are part of connected cycles.` : ""
    const danger = isEager
      ? " One of them uses an imported name while it is loaded, so the import order decides whether the name is defined."
      : ""
    const facts = nodes.map((node, i) => sourceOf(graph, node, edges[i]!))
    emit(paths[0]!, {
      rule: isEager ? "import_cycle_at_load" : "import_cycle",
      start: facts[0]!.start,
      end: facts[0]!.end,
      message: `These files import each other in a cycle: ${chainText(names)}.${extent}${danger}`,
      steps: nodes.slice(0, 12).map((_, i) => ({
        path: paths[i]!,
        start: facts[i]!.start,
        end: facts[i]!.end,
        note: `This file imports \`${names[(i + 1) % names.length]!}\`.`
      })),
      identifiers: []
    })
  }
}

interface PackageImport {
  readonly node: number
  readonly fact: ImportFact
}

/** A package and its subpackages are one unit in several folders. */
const isFamily = (a: string, b: string): boolean => a.startsWith(`${b}.`) || b.startsWith(`${a}.`)

/** Java loads class by class, so cycles between files harm nothing; between packages they mean one big package. */
export const reportPackageCycles = (graph: ImportGraph, emit: EmitAt<RuleId>): void => {
  const { java } = graph
  if (java.packages.size < 2) return
  const names = [...java.packages].sort()
  const ids = new Map(names.map((name, id) => [name, id]))
  const imports = names.map(() => new Map<number, PackageImport>())
  graph.facts.forEach(({ unit, imports: facts }, node) => {
    if (unit === null) return
    const from = ids.get(unit)!
    for (const fact of facts) {
      const isStatic = fact.names.includes("static")
      const target = java.packageOf(
        isStatic ? fact.specifier.replace(/\.[^.]*$/, "") : fact.specifier,
        fact.names.includes("*")
      )
      const to = target === null ? undefined : ids.get(target)
      if (to !== undefined && to !== from && !isFamily(unit, target!) && !imports[from]!.has(to))
        imports[from]!.set(to, { node, fact })
    }
  })
  const offsets = new Int32Array(names.length + 1)
  const targets: Array<number> = []
  imports.forEach((row, from) => {
    for (const to of [...row.keys()].sort((a, b) => a - b)) targets.push(to)
    offsets[from + 1] = targets.length
  })
  const rows: Rows = { size: names.length, offsets, targets: Int32Array.from(targets), counts: () => true }
  for (const { start, edges, members } of cyclesOf(rows)) {
    if (edges.length === 0) continue
    const nodes = [start, ...edges.slice(0, -1).map((edge) => targets[edge]!)]
    const packageImports = nodes.map((node, i) => imports[node]!.get(targets[edges[i]!]!)!)
    const shortNames = nodes.map((node) => names[node]!)
    const extent = members.length > nodes.length ? ` ${members.length} packages are part of connected cycles.` : ""
    emit(graph.paths[packageImports[0]!.node]!, {
      rule: "package_cycle",
      start: packageImports[0]!.fact.start,
      end: packageImports[0]!.fact.end,
      message: `These packages depend on each other: ${chainText(shortNames)}.${extent}`,
      steps: packageImports.slice(0, 12).map(({ node, fact }, i) => ({
        path: graph.paths[node]!,
        start: fact.start,
        end: fact.end,
        note: `\`${shortNames[i]!}\` uses \`${shortNames[(i + 1) % shortNames.length]!}\`.`
      }))
    })
  }
}
