import type { SourceFile } from "../core/files/SourceFile.ts"
import { flowsIn } from "./analyse.ts"
import type { ExternalCall, Flow } from "./evaluation/Run.ts"
import { HOLE, type Taint, taintsOf, trailOf, type Value } from "./values/Value.ts"

const MAX_TEXT = 400
const MAX_SINKS = 200
const MAX_CALLS = 120

export type StepFact = readonly [start: number, end: number, note: string]

/** One tainted part of a text. */
export interface TaintFact {
  /** Position of the parameter it comes from, -1 for a source. */
  readonly index: number
  readonly property: string
  /** As the code spells it. */
  readonly name: string
  /** Declared type of the parameter, or the access path of the source. */
  readonly type: string
  readonly origin: readonly [number, number]
  readonly safe: number
  /** Which hole of the text it fills; -1 when that is not known. */
  readonly hole: number
  /** Field of an object argument in which it is passed; "" for the argument itself. */
  readonly field: string
  readonly steps: ReadonlyArray<StepFact>
}

export interface FlowFact {
  readonly kind: number
  readonly label: string
  readonly callee: string
  readonly at: readonly [number, number]
  /** The call of the sink itself, when `at` is that of a wrapper. */
  readonly sink: readonly [number, number]
  readonly text: string
  readonly taint: TaintFact
  /** Function that builds the text. */
  readonly within: string | null
}

export interface CallFact {
  readonly path: string
  readonly at: readonly [number, number]
  readonly args: ReadonlyArray<{ readonly text: string; readonly taints: ReadonlyArray<TaintFact> }>
}

export interface FunctionFact {
  readonly name: string | null
  readonly isPublic: boolean
  readonly isEntryPoint: boolean
  readonly isCalled: boolean
  readonly parameters: ReadonlyArray<string>
  readonly flows: ReadonlyArray<FlowFact>
  readonly calls: ReadonlyArray<CallFact>
}

const short = (text: string): string => (text.length > MAX_TEXT ? text.slice(0, MAX_TEXT) : text)

export const taintFact = (taint: Taint, value: Value, field = ""): TaintFact => {
  const { origin } = taint
  return {
    index: origin.index,
    property: origin.property,
    name: origin.name,
    type: origin.path,
    origin: [origin.start, origin.end],
    safe: taint.safe,
    hole: value.holes.findIndex((hole) => hole.origin === origin),
    field,
    steps: trailOf(taint).map(({ start, end, note }) => [start, end, note] as const)
  }
}

const argumentTaints = (value: Value): ReadonlyArray<TaintFact> => {
  const own = taintsOf(value).map((taint) => taintFact(taint, value))
  const inner = [...(value.fields ?? [])].flatMap(([name, field]) =>
    taintsOf(field).map((taint) => taintFact(taint, field, name))
  )
  return [...own, ...inner].slice(0, 8)
}

const callFact = (call: ExternalCall): CallFact => ({
  path: call.path,
  at: [call.start, call.end],
  args: call.args.map((value) => ({ text: short(value.text), taints: argumentTaints(value) }))
})

export const flowFact = (flow: Flow): FlowFact => ({
  kind: flow.kind,
  label: flow.label,
  callee: flow.callee,
  at: [flow.start, flow.end],
  sink: flow.sink,
  text: short(flow.value.text),
  taint: taintFact(flow.taint, flow.value),
  within: flow.within
})

/** What a file says of its functions to the cross-file pass. */
export type FlowFacts = ReadonlyArray<FunctionFact>

/**
 * What other files need to know of this one: parameters that reach sinks, and calls that hand tainted or constructed
 * values to functions defined elsewhere. Undefined when there is neither. All tools get the same, which is kept once, and
 * choose their kinds when files are joined.
 */
export const flowFacts = (file: SourceFile): FlowFacts | undefined => file.memo(flowFacts, collect)

const collect = (file: SourceFile): FlowFacts | undefined => {
  const facts = flowsIn(file)
    .map(
      (found): FunctionFact => ({
        name: found.name,
        isPublic: found.isPublic,
        isEntryPoint: found.isEntryPoint,
        isCalled: found.isCalled,
        parameters: found.parameters,
        flows: found.flows
          .filter((flow) => flow.taint.origin.kind === "parameter")
          .slice(0, MAX_SINKS)
          .map(flowFact),
        calls: found.externals.slice(0, MAX_CALLS).map(callFact)
      })
    )
    .filter(({ flows, calls }) => flows.length > 0 || calls.length > 0)
  return facts.length === 0 ? undefined : facts
}

/** The text is nothing but one parameter: the caller builds it. */
export const isBare = (text: string): boolean => text === HOLE
