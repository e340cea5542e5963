import type { FileSummary, Project } from "../core/tool/AuditTool.ts"
import { type CallFact, type FlowFact, type FlowFacts, type FunctionFact, isBare, type TaintFact } from "./facts.ts"
import { argumentTaints, composed } from "./joining/arguments.ts"
import type { FunctionResolver } from "./joining/FunctionResolver.ts"
import { type Place, ProjectFlows } from "./joining/ProjectFlows.ts"
import { recordName } from "./values/records.ts"
import { FIELD, RESULT, SOURCE } from "./values/Value.ts"

const MAX_ROUNDS = 5
const MAX_FLOWS = 5_000
/** Results and fields that one flow is followed back through. */
const MAX_HOPS = 6
const MAX_STEPS = 14
/** Steps of work, so that projects made to have many functions of one name end. */
const MAX_WORK = 400_000

export interface CrossStep {
  readonly path: string
  readonly start: number
  readonly end: number
  readonly note: string
  readonly isElsewhere?: true
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
  /** Passes through a field of a stored record. */
  readonly isStored: boolean
  /** Passes through a field that a caller of the class fills, by its constructor or by another method. */
  readonly isHeld: boolean
  /** Begins at a parameter of a function that code outside of the package can call, when the package is a library. */
  readonly isExported: boolean
  readonly name: string
  readonly type: string
  readonly within: string | null
  readonly steps: ReadonlyArray<CrossStep>
}

/** A parameter of a function, and where it ends up. */
interface Reach extends Place {
  readonly index: number
  readonly property: string
  readonly safe: number
  readonly flow: CrossFlow
}

/** Something tainted in a function, and the flow that goes on from there. */
interface Arrival extends Place {
  readonly taint: TaintFact
  readonly property: string
  readonly safe: number
  readonly flow: CrossFlow
  readonly hops: number
}

const stepAt = (path: string, [start, end]: readonly [number, number], note: string): CrossStep => ({
  path,
  start,
  end,
  note
})

const noteOf = ({ index, name, type }: TaintFact): string => {
  if (index === SOURCE) return `\`${name}\` is untrusted input`
  if (index === RESULT) return `takes what \`${name}\` returns`
  if (index !== FIELD) return `\`${name}\` is a parameter`
  return recordName(type) === null
    ? `reads \`${name}\`, a field of \`${type}\``
    : `reads \`${name}\`, which was stored before`
}

const stepsOf = (path: string, taint: TaintFact): ReadonlyArray<CrossStep> => [
  { ...stepAt(path, taint.origin, noteOf(taint)), ...(taint.index === RESULT ? { isElsewhere: true } : {}) },
  ...taint.steps.map(([start, end, text]) => stepAt(path, [start, end], text))
]

/** The first steps and the last: what lies between them is cut where a flow is long. */
const shortened = (steps: ReadonlyArray<CrossStep>): ReadonlyArray<CrossStep> =>
  steps.length <= MAX_STEPS ? steps : [...steps.slice(0, MAX_STEPS / 2), ...steps.slice(-MAX_STEPS / 2)]

/** A flow inside one function, without the steps that lead to what is tainted in it. */
const flowOf = (path: string, flow: FlowFact): CrossFlow => ({
  path,
  at: flow.at,
  kind: flow.kind,
  label: flow.label,
  callee: flow.callee,
  text: flow.text,
  hole: flow.taint.hole,
  isSource: false,
  isStored: false,
  isHeld: false,
  isExported: false,
  name: flow.taint.name,
  type: flow.taint.type,
  within: flow.within,
  steps: [stepAt(path, flow.sink, `\`${flow.callee}\` is ${flow.label}`)]
})

/** Called in its own file only: what its parameters hold is known there. */
const isDelegated = ({ isCalled, isPublic }: FunctionFact): boolean => isCalled && !isPublic

/** A caller that builds the text which the function it calls only hands on. */
const completes = (caller: FunctionFact, text: string, reach: Reach): boolean =>
  isBare(reach.flow.text) && !reach.flow.isStored && !isBare(text) && !isDelegated(caller)

/** Methods of Python take their object, scopes of Laravel the query, before what they are called with. */
const takesSelf = ({ name, parameters }: FunctionFact): number =>
  /^(?:self|cls)$/.test(parameters[0] ?? "") ||
  (/\.scope[A-Z]/.test(name ?? "") && /^\$?query$|^\$?builder$|^\$?q$/.test(parameters[0] ?? ""))
    ? 1
    : 0

/** The flow as it goes on from a call that hands something to the function in which it was found. */
const through = (path: string, caller: FunctionFact, call: CallFact, text: string, hole: number, reach: Reach) => {
  const { flow } = reach
  const passing = stepAt(path, call.at, `is passed to \`${reach.owner.name ?? "a function"}\``)
  // A wrapper is not at fault for what it is given; a function that builds text from its parameter is.
  const builtHere = isBare(flow.text) && !flow.isStored ? { path, at: call.at, text, hole, within: caller.name } : {}
  return { ...flow, ...builtHere, steps: [passing, ...flow.steps] }
}

/** Joins what files said of themselves, backwards from the sinks. */
class FlowJoin {
  readonly found: Array<CrossFlow> = []
  private readonly project: ProjectFlows
  private readonly reached: FunctionResolver
  private readonly seen = new Set<string>()
  private next: Array<Reach> = []
  private work = MAX_WORK

  constructor(project: ProjectFlows) {
    this.project = project
    this.reached = project.returning.sibling()
  }

  run(kinds: number): void {
    for (const [place, flow] of this.project.flows) if ((flow.kind & kinds) !== 0) this.beginAt(place, flow)
    let fresh = this.next
    for (let round = 0; round < MAX_ROUNDS && fresh.length > 0; round++) {
      this.next = []
      this.reached.offer(fresh.map((reach) => ({ path: reach.path, name: reach.owner.name!, value: reach })))
      for (const place of this.project.callers) this.followCalls(place)
      if (this.found.length > MAX_FLOWS || this.work < 0) break
      fresh = this.next
    }
  }

  /** A flow that reaches a sink in its own file. */
  private beginAt(place: Place, flow: FlowFact): void {
    const { taint } = flow
    const begun = flowOf(place.path, flow)
    this.arrive({ ...place, taint, property: taint.property, safe: taint.safe, flow: begun, hops: 0 })
    const isParameter = taint.index >= 0 && (flow.kind & taint.safe) === 0
    if (!isParameter || isBare(flow.text) || isDelegated(place.owner)) return
    const isExported = place.owner.isEntryPoint
    this.found.push({ ...begun, isExported, steps: shortened([...stepsOf(place.path, taint), ...begun.steps]) })
  }

  /** Follow a flow back from what is tainted: to its source, or to whatever may hold one elsewhere. */
  private arrive(at: Arrival): void {
    const { path, owner, taint, flow } = at
    if ((at.safe & flow.kind) !== 0 || this.work-- < 0) return
    const key = `${path} ${taint.origin[0]} ${taint.index} ${at.property} ${flow.path} ${flow.at[0]} ${flow.kind}`
    if (this.seen.has(key)) return
    this.seen.add(key)
    const steps = [...stepsOf(path, taint), ...flow.steps]
    if (taint.index === SOURCE) {
      this.found.push({ ...flow, isSource: true, name: taint.name, type: taint.type, steps: shortened(steps) })
    } else if (taint.index === RESULT) this.followResult(at, { ...flow, steps })
    else if (taint.index === FIELD) this.followField(at, { ...flow, steps })
    else if (owner.name !== null) {
      const { index, name, type } = taint
      if (flow.isHeld && owner.isEntryPoint && !isBare(flow.text))
        this.found.push({ ...flow, isExported: true, name, type, steps: shortened(steps) })
      this.next.push({ path, owner, index, property: at.property, safe: at.safe, flow: { ...flow, steps } })
    }
  }

  /** What a function of another file returns: its own source, or what the call hands to it. */
  private followResult(at: Arrival, flow: CrossFlow): void {
    const { path, taint, hops } = at
    if (hops >= MAX_HOPS) return
    for (const callee of this.project.returning.resolve<Place>(path, taint.type)) {
      for (const returned of callee.owner.returns) {
        const property = composed(returned, at.property)
        if (property === null) continue
        const back = { property, safe: at.safe | returned.safe, flow, hops: hops + 1 }
        if (returned.index < 0) this.arrive({ ...callee, taint: returned, ...back })
        else this.followArgument(at, callee.owner, returned.index, back)
      }
    }
  }

  /** What the call whose result arrived hands to the parameter that comes back. */
  private followArgument(
    { path, owner, taint }: Arrival,
    callee: FunctionFact,
    index: number,
    back: Pick<Arrival, "property" | "safe" | "flow" | "hops">
  ): void {
    const call = owner.calls.find(({ at }) => at[0] === taint.origin[0] && at[1] === taint.origin[1])
    const argument = call?.args[index - takesSelf(callee)]
    if (argument === undefined) return
    for (const given of argumentTaints(path, argument, taint.origin, back.property)) {
      this.arrive({ path, owner, ...back, ...given, safe: back.safe | given.taint.safe })
    }
  }

  /** What is written to a field: by the methods of its class, or by whatever stores such records. */
  private followField(at: Arrival, begun: CrossFlow): void {
    if (at.hops >= MAX_HOPS) return
    const field = at.property.split(".", 1)[0]!
    const isRecord = recordName(at.taint.type) !== null
    const flow = { ...begun, isStored: begun.isStored || isRecord, isHeld: begun.isHeld || !isRecord }
    for (const { path, owner, taints } of this.project.fields.storesOf(at.path, at.taint.type, field)) {
      for (const taint of taints) {
        const property = composed(taint, at.property.slice(field.length + 1))
        if (property === null) continue
        this.arrive({ path, owner, taint, property, safe: at.safe | taint.safe, flow, hops: at.hops + 1 })
      }
    }
  }

  private followCalls(place: Place): void {
    for (const call of place.owner.calls) {
      for (const reach of this.reached.resolve<Reach>(place.path, call.path)) this.follow(place, call, reach)
    }
  }

  private follow(place: Place, call: CallFact, reach: Reach): void {
    const { path, owner } = place
    const argument = call.args[reach.index - takesSelf(reach.owner)]
    if (argument === undefined) return
    for (const { taint, property } of argumentTaints(path, argument, call.at, reach.property)) {
      const safe = taint.safe | reach.safe
      const flow = through(path, owner, call, argument.text, taint.hole, reach)
      this.arrive({ ...place, taint, property, safe, flow, hops: 0 })
      if (taint.index < 0 || (safe & flow.kind) !== 0) continue
      const isExported = owner.isEntryPoint && !isBare(flow.text)
      if (!isExported && !completes(owner, argument.text, reach)) continue
      const { name, type } = taint
      this.found.push({ ...flow, isExported, name, type, steps: shortened([...stepsOf(path, taint), ...flow.steps]) })
    }
  }
}

/** Join what files said about themselves. Flows inside one file from a source are not repeated here. */
export const joinFiles = (
  all: ReadonlyArray<FileSummary<FlowFacts>>,
  project: Project,
  kinds: number
): ReadonlyArray<CrossFlow> => {
  const join = new FlowJoin(ProjectFlows.of(all, project))
  join.run(kinds)
  return join.found
}
