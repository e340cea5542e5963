import { baseName } from "../../core/text/paths.ts"
import type { EmitAt } from "../../core/tool/AuditTool.ts"
import { REEXPORT } from "../../structure/importGraph/ImportFacts.ts"
import { type ImportGraph, isAtLoadTime } from "../../structure/importGraph/ImportGraph.ts"
import type { RuleId } from "./rules.ts"

const MIN_FILES = 100
const MIN_FAN_IN = 25
const MIN_FAN_OUT = 25
/** Share of files that have less, for fan-in and for fan-out. */
const QUANTILE = 0.98

/** Files whose purpose is to gather or to start other code. */
const gatherers =
  /(?:^|\/)(?:index|main|app|server|cli|__init__|__main__|mod|lib|conftest|settings|urls|routes?|registry|container|bootstrap|setup)\.\w+$|(?:^|\/)(?:types|constants)\.\w+$/i

const quantile = (values: Int32Array): number => {
  const sorted = Int32Array.from(values).sort()
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * QUANTILE))]!
}

/** Imports at load time, by file. */
interface Fans {
  readonly fanIn: Int32Array
  readonly fanOut: Int32Array
  /** Imports that are only exported again. */
  readonly passedOn: Int32Array
}

const fansOf = (graph: ImportGraph): Fans => {
  const size = graph.paths.length
  const fanIn = new Int32Array(size)
  const fanOut = new Int32Array(size)
  const passedOn = new Int32Array(size)
  for (let node = 0; node < size; node++) {
    for (let edge = graph.offsets[node]!; edge < graph.offsets[node + 1]!; edge++) {
      if (!isAtLoadTime(graph.flags[edge]!)) continue
      fanOut[node]!++
      fanIn[graph.targets[edge]!]!++
      if ((graph.flags[edge]! & REEXPORT) !== 0) passedOn[node]!++
    }
  }
  return { fanIn, fanOut, passedOn }
}

/** Modules that many files import and that import many files themselves. */
export const reportHubs = (graph: ImportGraph, emit: EmitAt<RuleId>): void => {
  const size = graph.paths.length
  if (size < MIN_FILES) return
  const { fanIn, fanOut, passedOn } = fansOf(graph)
  const [manyIn, manyOut] = [Math.max(MIN_FAN_IN, quantile(fanIn)), Math.max(MIN_FAN_OUT, quantile(fanOut))]
  for (let node = 0; node < size; node++) {
    const path = graph.paths[node]!
    // A Go package is one node for its importers, so its first file would count for all of them.
    if (fanIn[node]! < manyIn || fanOut[node]! < manyOut || gatherers.test(path) || /\.(?:go|rs)$/.test(path)) continue
    if (passedOn[node]! * 2 > fanOut[node]!) continue
    const first = graph.facts[node]!.imports[graph.sources[graph.offsets[node]!]!]!
    const name = baseName(path)
    emit(path, {
      rule: "hub_module",
      start: first.start,
      end: first.end,
      message: `\`${name}\` imports ${fanOut[node]} files of this repository and is imported by ${fanIn[node]}, both among the highest of its ${size} files: it is affected by changes almost anywhere, and its own changes affect almost all code.`
    })
  }
}
