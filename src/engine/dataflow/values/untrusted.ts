import { languageOf } from "../../core/files/Language.ts"
import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { AuditTool, Emit, EmitAt, FileSummary, Match } from "../../core/tool/AuditTool.ts"
import { type CrossFlow, joinFiles } from "../crossFile.ts"
import { type FlowFacts, flowFacts } from "../facts.ts"
import { sourceKindOf } from "../languages/languages.ts"
import { libraryFiles } from "../libraries.ts"
import {
  exportedFlows,
  type LocalFlow,
  oncePerLocation,
  type ReportedFlow,
  rangeOf,
  sourceFlows,
  stepsFor
} from "../report.ts"

/** The match of a flow, without its steps. */
export type FlowMatch<Id extends string> = Omit<Match<Id>, "steps">

/** The match that a tool reports for a flow in the file at `path`, or null when it reports none. */
export type MatchFlow<Id extends string> = (flow: ReportedFlow, path: string) => FlowMatch<Id> | null

/** How sure it is that what one place stores is what another reads from a field of the same class. */
const STORED = 0.8

interface FlowOptions<Id extends string> {
  /** For flows that start at a parameter instead of a source; without it they are not reported. */
  readonly parameters?: MatchFlow<Id>
  /** For flows that start at a parameter of a function that a library exports; without it they are not reported. */
  readonly exported?: MatchFlow<Id>
  /** Whatever else the tool inspects in a file. */
  readonly also?: (file: SourceFile, emit: Emit<Id>) => void
}

const reported = (flow: CrossFlow): ReportedFlow => {
  const language = languageOf(flow.steps[0]?.path ?? flow.path)
  const source = flow.isSource ? (sourceKindOf(language, flow.type) ?? "request") : "parameter"
  return { ...flow, source, isJoined: false, isCut: false }
}

/**
 * One value that reaches the same kind of sink again in its function is one finding, where it is used first: the message
 * of the first use is that of the others, which makes them further locations of it.
 */
const reportingAsFirst = <Id extends string>(emit: Emit<Id>) => {
  const first = new Map<string, FlowMatch<Id>>()
  return (flow: LocalFlow, match: FlowMatch<Id>): void => {
    const key = `${match.rule} ${flow.steps[0]?.start ?? -1} ${flow.within ?? ""} ${flow.text}`
    const known = first.get(key) ?? { ...match, noun: flow.name }
    first.set(key, known)
    emit({ source: flow.source, ...known, ...rangeOf(flow), steps: flow.steps })
  }
}

/** The two phases of a tool that reports untrusted input where it reaches sinks of these kinds, within or across files. */
export const untrustedFlows = <Id extends string>(
  kinds: number,
  sources: MatchFlow<Id>,
  { parameters = () => null, exported, also }: FlowOptions<Id> = {}
): Required<Pick<AuditTool<FlowFacts, Id>, "inspect" | "finish">> => {
  const exportedMatch: MatchFlow<Id> = (flow, path) => {
    const match = exported?.(flow, path) ?? null
    return match === null ? null : { source: "parameter", ...match }
  }
  const unsentMatch = (flow: CrossFlow, isLibrary: (path: string) => boolean): FlowMatch<Id> | null => {
    const isOfLibrary = flow.isExported && isLibrary(flow.path)
    // A program fills the fields of its own objects with what it chose.
    if (flow.isHeld && !isOfLibrary) return null
    const own = reported(flow)
    return parameters(own, flow.path) ?? (isOfLibrary ? exportedMatch(own, flow.path) : null)
  }
  const matchOf = (flow: CrossFlow, isLibrary: (path: string) => boolean): FlowMatch<Id> | null => {
    if (!flow.isSource) return unsentMatch(flow, isLibrary)
    const own = reported(flow)
    const match = sources(own, flow.path)
    if (match === null) return null
    const joined = { source: own.source, ...match }
    return flow.isStored ? { ...joined, confidence: Math.min(match.confidence ?? 1, STORED) } : joined
  }
  return {
    inspect: (file, emit) => {
      const report = reportingAsFirst(emit)
      const flows = [...sourceFlows(file, kinds)].sort((a, b) => a.at[0] - b.at[0])
      for (const flow of flows) {
        const match = sources(flow, file.path)
        if (match !== null) report(flow, match)
      }
      also?.(file, emit)
      return flowFacts(file)
    },
    finish: (summaries, project, emit) => {
      const isLibrary = libraryFiles(project)
      const flows = joinFiles(summaries, project, kinds).filter((flow) => matchOf(flow, isLibrary) !== null)
      const locations = new Set<string>()
      for (const flow of oncePerLocation(flows, isLibrary)) {
        const match = matchOf(flow, isLibrary)
        if (match === null) continue
        locations.add(`${flow.path} ${flow.at[0]}`)
        emit(flow.path, { ...match, steps: stepsFor(flow.path, flow.steps) })
      }
      if (exported !== undefined) emitExported(summaries, isLibrary, { kinds, exported, locations, emit })
    }
  }
}

interface Exported<Id extends string> {
  readonly kinds: number
  readonly exported: MatchFlow<Id>
  /** Where something is reported already. */
  readonly locations: Set<string>
  readonly emit: EmitAt<Id>
}

/** Matches of flows from parameters of functions that the libraries among the files export. */
const emitExported = <Id extends string>(
  summaries: ReadonlyArray<FileSummary<FlowFacts>>,
  isLibrary: (path: string) => boolean,
  { kinds, exported, locations, emit }: Exported<Id>
): void => {
  for (const { path, facts } of summaries) {
    if (!isLibrary(path)) continue
    for (const flow of exportedFlows(path, facts, kinds)) {
      const location = `${path} ${flow.at[0]}`
      const match = locations.has(location) ? null : exported(flow, path)
      if (match === null) continue
      locations.add(location)
      emit(path, { source: "parameter", ...match, steps: flow.steps })
    }
  }
}
