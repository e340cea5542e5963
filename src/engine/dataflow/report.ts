import type { SourceFile } from "../core/files/SourceFile.ts"
import type { Match, Step } from "../core/tool/AuditTool.ts"
import { flowsIn } from "./analyse.ts"
import type { CrossFlow, CrossStep } from "./crossFile.ts"
import { flowFact } from "./facts.ts"

/** A flow from a source to a sink inside one file. */
export interface LocalFlow extends Omit<CrossFlow, "steps"> {
  readonly steps: ReadonlyArray<Step>
}

/** Flows from sources inside one file, one per sink: the first source is enough to act on. */
export const sourceFlows = (file: SourceFile, kinds: number): ReadonlyArray<LocalFlow> => {
  const seen = new Set<string>()
  return flowsIn(file).flatMap(({ flows }) =>
    flows.flatMap((flow): ReadonlyArray<LocalFlow> => {
      const { origin } = flow.taint
      if ((flow.kind & kinds) === 0 || origin.kind !== "source") return []
      const key = `${flow.kind} ${flow.label} ${flow.start}`
      if (seen.has(key)) return []
      seen.add(key)
      const fact = flowFact(flow)
      const steps: ReadonlyArray<Step> = [
        { start: origin.start, end: origin.end, note: `\`${origin.name}\` is untrusted input` },
        ...fact.taint.steps.map(([start, end, note]) => ({ start, end, note })),
        { start: flow.sink[0], end: flow.sink[1], note: `\`${flow.callee}\` is ${flow.label}` }
      ]
      return [
        {
          path: file.path,
          at: fact.at,
          kind: flow.kind,
          label: flow.label,
          callee: flow.callee,
          text: fact.text,
          hole: fact.taint.hole,
          isSource: true,
          name: origin.name,
          type: origin.path,
          within: flow.within,
          steps
        }
      ]
    })
  )
}

/** Steps in the file of the match carry no path. */
export const stepsFor = (path: string, steps: ReadonlyArray<CrossStep>): ReadonlyArray<Step> =>
  steps.map((step) =>
    step.path === path
      ? { start: step.start, end: step.end, note: step.note }
      : { path: step.path, start: step.start, end: step.end, note: step.note }
  )

/** One flow per location of the sink: a flow from a source before one from a parameter, then the first. */
export const oncePerLocation = (flows: ReadonlyArray<CrossFlow>): ReadonlyArray<CrossFlow> => {
  const best = new Map<string, CrossFlow>()
  for (const flow of flows) {
    const key = `${flow.path} ${flow.at[0]} ${flow.kind}`
    const known = best.get(key)
    if (known === undefined || (flow.isSource && !known.isSource)) best.set(key, flow)
  }
  return [...best.values()]
}

/** The parts of a flow that a tool needs for its message; the flow lies in one file or crosses several. */
export type ReportedFlow = Pick<
  LocalFlow,
  "path" | "kind" | "label" | "callee" | "name" | "type" | "at" | "text" | "hole" | "within"
> & { readonly steps: ReadonlyArray<Pick<Step, "path">> }

/** Names that must occur in the file of the match for the flow to exist; none of a source or a sink in another file. */
export const identifiersOf = ({ path, name, callee, steps }: ReportedFlow): ReadonlyArray<string> => {
  const sourcePath = steps[0]?.path ?? path
  const sinkPath = steps.at(-1)?.path ?? path
  const names = [
    ...(sourcePath === path ? [name.split(".")[0]!] : []),
    ...(sinkPath === path ? [callee.split(".").at(-1)!] : [])
  ]
  return [...new Set(names)].filter((word) => /^[\w$]+$/.test(word))
}

export const rangeOf = (flow: { readonly at: readonly [number, number] }): Pick<Match, "start" | "end"> => ({
  start: flow.at[0],
  end: flow.at[1]
})
