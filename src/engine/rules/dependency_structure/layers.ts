import type { EmitAt } from "../../core/tool/AuditTool.ts"
import { type ImportGraph, isAtLoadTime } from "../../structure/importGraph/ImportGraph.ts"
import type { RuleId } from "./rules.ts"

/** Conventional folder names, ranked from inner to outer layers. */
const ranks: Readonly<Record<string, number>> = {
  utils: 0,
  util: 0,
  helpers: 0,
  shared: 0,
  common: 0,
  domain: 1,
  domains: 1,
  entities: 1,
  models: 1,
  repositories: 2,
  repository: 2,
  dao: 2,
  persistence: 2,
  services: 3,
  service: 3,
  usecases: 3,
  use_cases: 3,
  controllers: 4,
  controller: 4,
  handlers: 4,
  routes: 4,
  views: 4,
  pages: 4,
  screens: 4,
  components: 4
}

const MIN_SUPPORT = 10
const MAX_SHARE = 0.1
const MAX_INVERSIONS = 3

interface Layer {
  readonly key: string
  readonly rank: number
  readonly name: string
}

/** The outermost conventional folder of a path, with the path before it: layers are compared inside one root only. */
const layerOf = (path: string): Layer | null => {
  const parts = path.split("/")
  for (let i = 0; i < parts.length - 1; i++) {
    const name = parts[i]!.toLowerCase()
    if (Object.hasOwn(ranks, name)) return { key: parts.slice(0, i).join("/"), rank: ranks[name]!, name: parts[i]! }
  }
  return null
}

/** Two layers of one root, and the imports between them. */
interface Border {
  readonly lower: Layer
  readonly upper: Layer
  /** Files of the upper layer that import the lower: the intended direction. */
  readonly down: Set<number>
  readonly inverted: Array<{ readonly from: number; readonly edge: number }>
}

const bordersOf = (graph: ImportGraph): Iterable<Border> => {
  const layers = graph.paths.map(layerOf)
  const borders = new Map<string, Border>()
  const borderOf = (lower: Layer, upper: Layer): Border => {
    const key = `${lower.key}\n${lower.name}\n${upper.name}`
    const known = borders.get(key)
    if (known !== undefined) return known
    const border = { lower, upper, down: new Set<number>(), inverted: [] }
    borders.set(key, border)
    return border
  }
  const addEdge = (from: number, importer: Layer, edge: number): void => {
    const imported = layers[graph.targets[edge]!]
    if (imported == null || importer.key !== imported.key || importer.rank === imported.rank) return
    if (!isAtLoadTime(graph.flags[edge]!)) return
    if (importer.rank > imported.rank) borderOf(imported, importer).down.add(from)
    else borderOf(importer, imported).inverted.push({ from, edge })
  }
  layers.forEach((importer, from) => {
    if (importer === null) return
    for (let edge = graph.offsets[from]!; edge < graph.offsets[from + 1]!; edge++) addEdge(from, importer, edge)
  })
  return borders.values()
}

/** Few against many: an exception, not the structure of the project. */
const isSlip = ({ down, inverted }: Border): boolean =>
  inverted.length > 0 &&
  inverted.length <= MAX_INVERSIONS &&
  down.size >= MIN_SUPPORT &&
  inverted.length / down.size <= MAX_SHARE

export const reportInversions = (graph: ImportGraph, emit: EmitAt<RuleId>): void => {
  for (const border of bordersOf(graph)) {
    if (!isSlip(border)) continue
    const { lower, upper, down, inverted } = border
    for (const { from, edge } of inverted) {
      const fact = graph.facts[from]!.imports[graph.sources[edge]!]!
      const target = graph.paths[graph.targets[edge]!]!
      emit(graph.paths[from]!, {
        rule: "layer_inversion",
        start: fact.start,
        end: fact.end,
        message: `\`${lower.name}\` imports \`${target}\` from \`${upper.name}\`, while ${down.size} files import in the other direction: \`${upper.name}\` depends on \`${lower.name}\`.`
      })
    }
  }
}
