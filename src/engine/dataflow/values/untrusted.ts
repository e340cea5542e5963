import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { AuditTool, Emit, Match } from "../../core/tool/AuditTool.ts"
import { joinFiles } from "../crossFile.ts"
import { type FlowFacts, flowFacts } from "../facts.ts"
import { oncePerPlace, sourceFlows, stepsFor, type Told } from "../report.ts"

/** What a tool says of a flow, or null when it is none of its business. */
export type Tell<Id extends string> = (flow: Told, path: string) => Omit<Match<Id>, "steps"> | null

/**
 * The two halves of a tool that reports untrusted input where it reaches sinks of these kinds, in one file or across
 * several. `also` is what else the tool looks for in a file.
 */
export const untrustedFlows = <Id extends string>(
  kinds: number,
  tell: Tell<Id>,
  also?: (file: SourceFile, emit: Emit<Id>) => void
): Required<Pick<AuditTool<FlowFacts, Id>, "inspect" | "finish">> => ({
  inspect: (file, emit) => {
    for (const flow of sourceFlows(file, kinds)) {
      const told = tell(flow, file.path)
      if (told !== null) emit({ ...told, steps: flow.steps })
    }
    also?.(file, emit)
    return flowFacts(file)
  },
  finish: (facts, project, emit) => {
    const flows = joinFiles(facts, project, kinds).filter((flow) => flow.isSource && tell(flow, flow.path) !== null)
    for (const flow of oncePerPlace(flows)) {
      const told = tell(flow, flow.path)
      if (told !== null) emit(flow.path, { ...told, steps: stepsFor(flow.path, flow.steps) })
    }
  }
})
