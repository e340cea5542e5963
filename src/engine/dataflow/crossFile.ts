import type { FileSummary, Project } from "../core/tool/AuditTool.ts"
import { FunctionResolver } from "./evaluation/FunctionResolver.ts"
import { type CallFact, type FlowFact, type FlowFacts, type FunctionFact, isBare, type TaintFact } from "./facts.ts"

const MAX_ROUNDS = 5
const MAX_FLOWS = 5_000

export interface CrossStep {
  readonly path: string
  readonly start: number
  readonly end: number
  readonly note: string
}

/** A flow as the whole project shows it: from its source or parameter, through files, to its sink. */
export interface CrossFlow {
  /** File and place to report. */
  readonly path: string
  readonly at: readonly [number, number]
  readonly kind: number
  readonly label: string
  readonly callee: string
  readonly text: string
  readonly hole: number
  /** A source, or a parameter that no call was seen to fill. */
  readonly isSource: boolean
  readonly name: string
  readonly type: string
  readonly within: string | null
  readonly steps: ReadonlyArray<CrossStep>
}

/** A parameter of a function, and where it ends up. */
interface Reach {
  readonly owner: FunctionFact
  readonly ownerPath: string
  readonly index: number
  readonly parameter: string
  readonly property: string
  readonly safe: number
  readonly flow: CrossFlow
}

const stepsOf = (path: string, taint: TaintFact, isSource: boolean): ReadonlyArray<CrossStep> => {
  const [start, end] = taint.origin
  const note = isSource ? `\`${taint.name}\` is untrusted input` : `\`${taint.name}\` is a parameter`
  return [
    { path, start, end, note },
    ...taint.steps.map(([from, to, text]) => ({ path, start: from, end: to, note: text }))
  ]
}

const sinkStep = (path: string, flow: FlowFact): CrossStep => ({
  path,
  start: flow.sink[0],
  end: flow.sink[1],
  note: `\`${flow.callee}\` is ${flow.label}`
})

const localReach = (path: string, owner: FunctionFact, flow: FlowFact): Reach => ({
  owner,
  ownerPath: path,
  index: flow.taint.index,
  parameter: owner.parameters[flow.taint.index] ?? "",
  property: flow.taint.property,
  safe: flow.taint.safe,
  flow: {
    path,
    at: flow.at,
    kind: flow.kind,
    label: flow.label,
    callee: flow.callee,
    text: flow.text,
    hole: flow.taint.hole,
    isSource: false,
    name: flow.taint.name,
    type: flow.taint.type,
    within: flow.within,
    steps: [...stepsOf(path, flow.taint, false), sinkStep(path, flow)]
  }
})

/** Does this argument fill the parameter (or the part of it) that reaches the sink? */
const fills = (reach: Reach, call: CallFact, index: number, taint: TaintFact): boolean => {
  const takesSelf = /^(?:self|cls)$/.test(reach.owner.parameters[0] ?? "")
  if (index !== reach.index - (takesSelf ? 1 : 0) || index >= call.args.length) return false
  const property = reach.property.split(".", 1)[0]!
  return property === "" || taint.field === "" || taint.field === "*" || taint.field === property
}

const through = (
  path: string,
  call: CallFact,
  text: string,
  taint: TaintFact,
  reach: Reach,
  within: string | null
): CrossFlow => {
  const isSource = taint.index < 0
  const { flow } = reach
  const passing: CrossStep = {
    path,
    start: call.at[0],
    end: call.at[1],
    note: `is passed to \`${reach.owner.name ?? "a function"}\``
  }
  // A wrapper is not at fault for what it is given; a function that builds text from its parameter is.
  const builtHere = isBare(flow.text)
  return {
    ...flow,
    ...(builtHere ? { path, at: call.at, text, hole: taint.hole, within } : {}),
    isSource,
    name: taint.name,
    type: taint.type,
    steps: [...stepsOf(path, taint, isSource), passing, ...flow.steps].slice(0, 14)
  }
}

interface FileFunctions {
  readonly path: string
  readonly functions: ReadonlyArray<FunctionFact>
}

/** Join what files said about themselves. Flows inside one file from a source are not repeated here. */
export const joinFiles = (
  all: ReadonlyArray<FileSummary<FlowFacts>>,
  project: Project,
  kinds: number
): ReadonlyArray<CrossFlow> => {
  const files = all.map(({ path, facts }): FileFunctions => ({ path, functions: facts }))
  const resolver = new FunctionResolver(project)
  const found: Array<CrossFlow> = []
  let fresh = ownReaches(files, kinds, found)
  const seen = new Set<string>()
  for (let round = 0; round < MAX_ROUNDS && fresh.length > 0; round++) {
    resolver.offer(fresh.map((reach) => ({ path: reach.ownerPath, name: reach.owner.name!, value: reach })))
    const next: Array<Reach> = []
    for (const file of files) followCalls(file, resolver, { found, next, seen })
    if (found.length > MAX_FLOWS) break
    fresh = next
  }
  return found
}

/** Parameters that reach a sink in their own file; what is built there is found at once. */
const ownReaches = (files: ReadonlyArray<FileFunctions>, kinds: number, found: Array<CrossFlow>): Array<Reach> => {
  const reaches: Array<Reach> = []
  for (const { path, functions } of files) {
    for (const owner of functions) addReaches(path, owner, kinds, reaches, found)
  }
  return reaches
}

/** Called in its own file only: what its parameters hold is known there. */
const isDelegated = ({ isCalled, isPublic }: FunctionFact): boolean => isCalled && !isPublic

const addReaches = (
  path: string,
  owner: FunctionFact,
  kinds: number,
  reaches: Array<Reach>,
  found: Array<CrossFlow>
): void => {
  for (const flow of owner.flows) {
    if ((flow.kind & kinds) === 0 || (flow.kind & flow.taint.safe) !== 0) continue
    const reach = localReach(path, owner, flow)
    if (owner.name !== null) reaches.push(reach)
    if (!isBare(flow.text) && !isDelegated(owner)) found.push(reach.flow)
  }
}

/** What following calls adds to: complete flows, and what the next round begins with. */
interface Followed {
  readonly found: Array<CrossFlow>
  readonly next: Array<Reach>
  readonly seen: Set<string>
}

const followCalls = ({ path, functions }: FileFunctions, resolver: FunctionResolver, followed: Followed): void => {
  for (const caller of functions) {
    for (const call of caller.calls) {
      for (const reach of resolver.resolve<Reach>(path, call.path)) follow(path, caller, call, reach, followed)
    }
  }
}

const follow = (path: string, caller: FunctionFact, call: CallFact, reach: Reach, followed: Followed): void => {
  call.args.forEach(({ text, taints }, index) => {
    for (const taint of taints) {
      if (!passes(reach, call, index, taint) || isSeen(path, call, reach, taint, followed.seen)) continue
      const flow = through(path, call, text, taint, reach, caller.name)
      if (flow.isSource || completes(caller, text, reach)) followed.found.push(flow)
      if (flow.isSource || caller.name === null) continue
      followed.next.push(callerReach(path, caller, taint, taint.safe | reach.safe, flow))
    }
  })
}

const passes = (reach: Reach, call: CallFact, index: number, taint: TaintFact): boolean =>
  fills(reach, call, index, taint) && ((taint.safe | reach.safe) & reach.flow.kind) === 0

/** The parameter of the caller from which the flow goes on. */
const callerReach = (path: string, caller: FunctionFact, taint: TaintFact, safe: number, flow: CrossFlow): Reach => ({
  owner: caller,
  ownerPath: path,
  index: taint.index,
  parameter: caller.parameters[taint.index] ?? "",
  property: taint.property,
  safe,
  flow
})

const isSeen = (path: string, call: CallFact, { flow }: Reach, taint: TaintFact, seen: Set<string>): boolean => {
  const key = `${path} ${call.at[0]} ${taint.origin[0]} ${taint.property} ${flow.path} ${flow.at[0]} ${flow.kind}`
  if (seen.has(key)) return true
  seen.add(key)
  return false
}

/** A caller that builds the text which the function it calls only hands on. */
const completes = (caller: FunctionFact, text: string, reach: Reach): boolean =>
  isBare(reach.flow.text) && !isBare(text) && !isDelegated(caller)
