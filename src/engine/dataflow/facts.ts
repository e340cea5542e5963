import type { SourceFile } from "../core/files/SourceFile.ts"
import { type FunctionFlows, flowsIn } from "./analyse.ts"
import type { ExternalCall, FieldWrite, Flow } from "./evaluation/Run.ts"
import { type ExportFact, exportsOf } from "./joining/exports.ts"
import { type RecordClass, recordClasses } from "./joining/recordClasses.ts"
import { HOLE, type Taint, taintsOf, trailOf, type Value } from "./values/Value.ts"

const MAX_TEXT = 400
const MAX_SINKS = 200
const MAX_CALLS = 120
const MAX_TAINTS = 8
const MAX_WRITES = 40

export type StepFact = readonly [start: number, end: number, note: string]

/** One tainted part of a text. */
export interface TaintFact {
  /** Position of the parameter it comes from; SOURCE, RESULT or FIELD for what is none. */
  readonly index: number
  readonly property: string
  /** As the code spells it. */
  readonly name: string
  /** Declared type of the parameter, the access path of the source or of what was called, or the class of the field. */
  readonly type: string
  readonly origin: readonly [number, number]
  readonly safe: number
  /** Which hole of the text it fills; -1 when that is not known. */
  readonly hole: number
  /** Field of an object in which it is passed or returned; "" for the object itself. */
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

export interface ArgumentFact {
  readonly text: string
  readonly taints: ReadonlyArray<TaintFact>
  /** The request or a part of it that is no input by itself: its access path, and how it is written. */
  readonly request?: readonly [path: string, name: string]
}

export interface CallFact {
  readonly path: string
  readonly at: readonly [number, number]
  readonly args: ReadonlyArray<ArgumentFact>
}

/** A field of the class `owner` that a function gives a value. */
export interface WriteFact {
  readonly owner: string
  readonly field: string
  readonly taints: ReadonlyArray<TaintFact>
  /** Fields that a write of all ("*") leaves alone. */
  readonly except?: ReadonlyArray<string>
  readonly isSetter?: boolean
}

export interface FunctionFact {
  readonly name: string | null
  readonly isPublic: boolean
  readonly isEntryPoint: boolean
  readonly isCalled: boolean
  readonly parameters: ReadonlyArray<string>
  readonly bases: ReadonlyArray<string>
  readonly flows: ReadonlyArray<FlowFact>
  readonly calls: ReadonlyArray<CallFact>
  readonly writes: ReadonlyArray<WriteFact>
  readonly returns: ReadonlyArray<TaintFact>
}

/** What a file says of its functions, and of those it exports, to the cross-file pass. */
export interface FlowFacts {
  readonly functions: ReadonlyArray<FunctionFact>
  readonly exports: ReadonlyArray<ExportFact>
  /** Classes whose objects are stored, as the file declares them. */
  readonly records: ReadonlyArray<RecordClass>
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

/** What a value carries, and what its fields carry. */
const taintFacts = (value: Value): ReadonlyArray<TaintFact> => {
  const own = taintsOf(value).map((taint) => taintFact(taint, value))
  const inner = [...(value.fields ?? [])].flatMap(([name, field]) =>
    taintsOf(field).map((taint) => taintFact(taint, field, name))
  )
  return [...own, ...inner].slice(0, MAX_TAINTS)
}

const callFact = (call: ExternalCall): CallFact => ({
  path: call.path,
  at: [call.start, call.end],
  args: call.args.map((value, i): ArgumentFact => {
    const request = call.requests.get(i)
    const plain = { text: short(value.text), taints: taintFacts(value) }
    return request === undefined ? plain : { ...plain, request: [value.type ?? "", request] }
  })
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

/**
 * What other files need to know of this one: parameters that reach sinks, calls that hand tainted or constructed values
 * to functions defined elsewhere, what functions return and write to fields. Undefined when there is none of it. All
 * tools get the same, which is kept once, and choose their kinds when files are joined.
 */
export const flowFacts = (file: SourceFile): FlowFacts | undefined => file.memo(flowFacts, collect)

const functionFact = (found: FunctionFlows): FunctionFact => ({
  name: found.name,
  isPublic: found.isPublic,
  isEntryPoint: found.isEntryPoint,
  isCalled: found.isCalled,
  parameters: found.parameters,
  bases: found.bases,
  flows: found.flows
    .filter((flow) => flow.taint.origin.kind !== "source")
    .slice(0, MAX_SINKS)
    .map(flowFact),
  calls: found.externals.slice(0, MAX_CALLS).map(callFact),
  writes: found.writes
    .slice(0, MAX_WRITES)
    .map(writeFact)
    .filter(({ taints }) => taints.length > 0),
  returns: found.returns === null ? [] : taintFacts(found.returns)
})

const writeFact = ({ owner, field, value, except, isSetter }: FieldWrite): WriteFact => ({
  owner,
  field,
  taints: taintFacts(value),
  ...(except === undefined ? {} : { except }),
  ...(isSetter === undefined ? {} : { isSetter })
})

const isWorthKeeping = ({ flows, calls, writes, returns }: FunctionFact): boolean =>
  flows.length > 0 || calls.length > 0 || writes.length > 0 || returns.length > 0

const collect = (file: SourceFile): FlowFacts | undefined => {
  const functions = flowsIn(file).map(functionFact).filter(isWorthKeeping)
  const exports = exportsOf(file, functions.length > 0)
  const records = recordClasses(file)
  const isEmpty = functions.length === 0 && exports.length === 0 && records.length === 0
  return isEmpty ? undefined : { functions, exports, records }
}

/** The text is nothing but one parameter: the caller builds it. */
export const isBare = (text: string): boolean => text === HOLE
