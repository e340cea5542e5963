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

/** Files whose business is to gather or to start things. */
const gatherers =
  /(?:^|\/)(?:index|main|app|server|cli|__init__|__main__|mod|lib|conftest|settings|urls|routes?|registry|container|bootstrap|setup)\.\w+$|(?:^|\/)(?:types|constants)\.\w+$/i

const quantile = (values: Int32Array): number => {
  const sorted = Int32Array.from(values).sort()
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * QUANTILE))]!
}

/** Modules that a great part of the code leans on and that lean on a great part of the code themselves. */
export const reportHubs = (graph: ImportGraph, emit: EmitAt<RuleId>): void => {
  const size = graph.paths.length
  if (size < MIN_FILES) return
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
  const [manyIn, manyOut] = [Math.max(MIN_FAN_IN, quantile(fanIn)), Math.max(MIN_FAN_OUT, quantile(fanOut))]
  for (let node = 0; node < size; node++) {
    const path = graph.paths[node]!
    // A Go package is one node for its importers, so its first file would answer for all of them.
    if (fanIn[node]! < manyIn || fanOut[node]! < manyOut || gatherers.test(path) || /\.(?:go|rs)$/.test(path)) continue
    if (passedOn[node]! * 2 > fanOut[node]!) continue
    const first = graph.facts[node]!.imports[graph.sources[graph.offsets[node]!]!]!
    const name = baseName(path)
    emit(path, {
      rule: "hub_module",
      start: first.start,
      end: first.end,
      message: `\`${name}\` imports ${fanOut[node]} files of this repository and is imported by ${fanIn[node]}, both among the highest of its ${size} files: a change almost anywhere can reach it, and a change in it almost anything.`
    })
  }
}
