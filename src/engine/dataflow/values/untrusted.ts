import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { AuditTool, Emit, Match } from "../../core/tool/AuditTool.ts"
import { type CrossFlow, joinFiles } from "../crossFile.ts"
import { type FlowFacts, flowFacts } from "../facts.ts"
import { oncePerLocation, type ReportedFlow, sourceFlows, stepsFor } from "../report.ts"

/** The match of a flow, without its steps. */
export type FlowMatch<Id extends string> = Omit<Match<Id>, "steps">

/** The match that a tool reports for a flow in the file at `path`, or null when it reports none. */
export type MatchFlow<Id extends string> = (flow: ReportedFlow, path: string) => FlowMatch<Id> | null

interface FlowOptions<Id extends string> {
  /** For flows that start at a parameter instead of a source; without it they are not reported. */
  readonly parameters?: MatchFlow<Id>
  /** Whatever else the tool inspects in a file. */
  readonly also?: (file: SourceFile, emit: Emit<Id>) => void
}

/** The two phases of a tool that reports untrusted input where it reaches sinks of these kinds, within or across files. */
export const untrustedFlows = <Id extends string>(
  kinds: number,
  sources: MatchFlow<Id>,
  { parameters = () => null, also }: FlowOptions<Id> = {}
): Required<Pick<AuditTool<FlowFacts, Id>, "inspect" | "finish">> => {
  const matchOf = (flow: CrossFlow) => (flow.isSource ? sources : parameters)(flow, flow.path)
  return {
    inspect: (file, emit) => {
      for (const flow of sourceFlows(file, kinds)) {
        const match = sources(flow, file.path)
        if (match !== null) emit({ ...match, steps: flow.steps })
      }
      also?.(file, emit)
      return flowFacts(file)
    },
    finish: (summaries, project, emit) => {
      const flows = joinFiles(summaries, project, kinds).filter((flow) => matchOf(flow) !== null)
      for (const flow of oncePerLocation(flows)) {
        const match = matchOf(flow)
        if (match !== null) emit(flow.path, { ...match, steps: stepsFor(flow.path, flow.steps) })
      }
    }
  }
}
