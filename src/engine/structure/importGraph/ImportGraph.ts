import type { FileSummary, Project } from "../../core/tool/AuditTool.ts"
import { GoResolver, JavaResolver, resolveRuby, resolveRust } from "./compiled.ts"
import {
  DEFERRED,
  decodeFacts,
  EAGER,
  type EncodedImports,
  type ImportFact,
  type ImportFacts,
  TYPE_ONLY
} from "./ImportFacts.ts"
import { ScriptResolver, type Target } from "./javascript.ts"
import { dirname } from "./packages.ts"
import { PythonResolver } from "./python.ts"

/** An import that leads outside of the repository. */
export interface External {
  readonly node: number
  readonly name: string
  readonly fact: ImportFact
}

/**
 * Files as numbers, in the order of their paths, and their imports as edges: those of node n are
 * `offsets[n] … offsets[n + 1]`. One edge per pair of files; the first import that is not type-only stands for it.
 */
export interface ImportGraph {
  readonly paths: ReadonlyArray<string>
  readonly facts: ReadonlyArray<ImportFacts>
  readonly offsets: Int32Array
  readonly targets: Int32Array
  /** Which import of the file an edge stands for. */
  readonly sources: Int32Array
  readonly flags: Uint8Array
  readonly externals: ReadonlyArray<External>
  readonly scripts: ScriptResolver
  readonly python: PythonResolver
  readonly java: JavaResolver
}

interface Edge {
  readonly path: string
  readonly flags: number
}

type Resolve = (path: string, fact: ImportFact) => ReadonlyArray<Edge>

const single = (path: string | null, flags: number): ReadonlyArray<Edge> => (path === null ? [] : [{ path, flags }])

const extensionOf = (path: string): string => path.slice(path.lastIndexOf(".") + 1).toLowerCase()

/** Load order of packages: a file inside a package takes its `__init__` for granted. */
const isOwnPackage = (from: string, target: string): boolean => {
  if (!target.endsWith("/__init__.py")) return false
  const folder = dirname(target)
  return from.startsWith(`${folder}/`)
}

export const buildImportGraph = (all: ReadonlyArray<FileSummary<EncodedImports>>, project: Project): ImportGraph => {
  const paths = all.map(({ path }) => path)
  const facts = all.map((one) => decodeFacts(one.facts))
  const ids = new Map(paths.map((path, id) => [path, id]))
  const scripts = new ScriptResolver(project)
  const python = new PythonResolver(project)
  const go = new GoResolver(project)
  const units = new Map(paths.map((path, id) => [path, facts[id]!.unit]))
  const java = new JavaResolver(all, ({ path }) => units.get(path) ?? null)
  const ambient = new Set(facts.flatMap(({ declares }) => declares))
  const externals: Array<External> = []

  const script: Resolve = (path, fact) => {
    const target: Target = scripts.resolve(path, fact.specifier)
    if (target.kind === "file") return [{ path: target.path, flags: fact.flags }]
    if (target.kind === "package" && !ambient.has(fact.specifier) && !ambient.has(target.name)) {
      externals.push({ node: ids.get(path)!, name: target.name, fact })
    }
    return []
  }
  const pythonEdges: Resolve = (path, fact) => {
    const targets = python.resolve(path, fact)
    const name = fact.specifier.split(".", 1)[0]!
    if (targets.length === 0 && name !== "" && !python.isLocal(name))
      externals.push({ node: ids.get(path)!, name, fact })
    return targets
      .filter((target) => !isOwnPackage(path, target.path))
      .map((target) => ({ path: target.path, flags: target.needsName ? fact.flags | EAGER : fact.flags }))
  }
  const resolvers: Record<string, Resolve> = {
    py: pythonEdges,
    pyi: pythonEdges,
    go: (_, fact) => single(go.resolve(fact.specifier), fact.flags),
    java: (_, fact) => single(java.resolve(fact.specifier), fact.flags),
    rb: (path, fact) => single(resolveRuby(project, path, fact.specifier), fact.flags),
    rs: (path, fact) => single(resolveRust(project, path, fact.specifier), fact.flags)
  }

  const offsets = new Int32Array(paths.length + 1)
  const targets: Array<number> = []
  const sources: Array<number> = []
  const flags: Array<number> = []
  for (let node = 0; node < paths.length; node++) {
    const path = paths[node]!
    const resolve = resolvers[extensionOf(path)] ?? script
    const seen = new Map<number, number>()
    facts[node]!.imports.forEach((fact, index) => {
      for (const edge of resolve(path, fact)) {
        const target = ids.get(edge.path)
        if (target === undefined || target === node) continue
        const known = seen.get(target)
        if (known === undefined) {
          seen.set(target, targets.length)
          targets.push(target)
          sources.push(index)
          flags.push(edge.flags)
        } else if (isSofter(flags[known]!, edge.flags)) {
          sources[known] = index
          flags[known] = edge.flags
        }
      }
    })
    offsets[node + 1] = targets.length
  }
  return {
    paths,
    facts,
    offsets,
    targets: Int32Array.from(targets),
    sources: Int32Array.from(sources),
    flags: Uint8Array.from(flags),
    externals,
    scripts,
    python,
    java
  }
}

const strength = (flags: number): number => (flags & (TYPE_ONLY | DEFERRED) ? 0 : flags & EAGER ? 2 : 1)

const isSofter = (a: number, b: number): boolean => strength(a) < strength(b)

/** Edges that take part when the files are loaded. */
export const isAtLoadTime = (flags: number): boolean => (flags & (TYPE_ONLY | DEFERRED)) === 0
