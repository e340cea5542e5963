import type { Hit } from "../../AuditTool.ts"
import { type ImportGraph, isAtLoadTime } from "../../analysis/importGraph/ImportGraph.ts"

type EmitAt = (path: string, hit: Hit) => void

/** Folder names that say how close to the outside their code is. */
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

/** The outermost conventional folder of a path, with what stands before it: layers are compared inside one root only. */
const layerOf = (path: string): Layer | null => {
  const parts = path.split("/")
  for (let i = 0; i < parts.length - 1; i++) {
    const name = parts[i]!.toLowerCase()
    if (Object.hasOwn(ranks, name)) return { key: parts.slice(0, i).join("/"), rank: ranks[name]!, name: parts[i]! }
  }
  return null
}

interface Direction {
  readonly lower: Layer
  readonly upper: Layer
  /** Files of the upper layer that import the lower: the direction that is meant. */
  readonly down: Set<number>
  readonly inverted: Array<{ readonly from: number; readonly edge: number }>
}

export const reportInversions = (graph: ImportGraph, emit: EmitAt): void => {
  const layers = graph.paths.map(layerOf)
  const directions = new Map<string, Direction>()
  for (let from = 0; from < graph.paths.length; from++) {
    const a = layers[from]
    if (a == null) continue
    for (let edge = graph.offsets[from]!; edge < graph.offsets[from + 1]!; edge++) {
      const b = layers[graph.targets[edge]!]
      if (b == null || a.key !== b.key || a.rank === b.rank || !isAtLoadTime(graph.flags[edge]!)) continue
      const [lower, upper]: readonly [Layer, Layer] = a.rank < b.rank ? [a, b] : [b, a]
      const key = `${a.key}\n${lower.name}\n${upper.name}`
      let direction = directions.get(key)
      if (direction === undefined) {
        direction = { lower, upper, down: new Set(), inverted: [] }
        directions.set(key, direction)
      }
      if (a === upper) direction.down.add(from)
      else direction.inverted.push({ from, edge })
    }
  }
  for (const { lower, upper, down, inverted } of directions.values()) {
    if (inverted.length === 0 || inverted.length > MAX_INVERSIONS) continue
    if (down.size < MIN_SUPPORT || inverted.length / down.size > MAX_SHARE) continue
    for (const { from, edge } of inverted) {
      const fact = graph.facts[from]!.imports[graph.sources[edge]!]!
      const target = graph.paths[graph.targets[edge]!]!
      emit(graph.paths[from]!, {
        rule: "layer_inversion",
        start: fact.start,
        end: fact.end,
        message: `\`${lower.name}\` imports \`${target}\` from \`${upper.name}\`, while ${down.size} files go the other way: \`${upper.name}\` builds on \`${lower.name}\`.`
      })
    }
  }
}
