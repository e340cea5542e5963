import { languageOf } from "../core/files/Language.ts"
import type { SourceFile } from "../core/files/SourceFile.ts"
import type { Match, SourceKind, Step } from "../core/tool/AuditTool.ts"
import { flowsIn } from "./analyse.ts"
import type { CrossFlow, CrossStep } from "./crossFile.ts"
import { type FlowFact, type FlowFacts, flowFact } from "./facts.ts"
import { sourceKindIn, sourceKindOf } from "./languages/languages.ts"
import { isFromStranger } from "./models/trust.ts"
import { CUT, HOLE, JOINED } from "./values/Value.ts"

/** A flow from a source to a sink inside one file. */
export interface LocalFlow extends Omit<CrossFlow, "steps" | "isHeld" | "isExported"> {
  readonly source: SourceKind
  /** The path that reaches the sink begins with a part that the code chose. */
  readonly isJoined: boolean
  /** A part was cut out of what the source gives. */
  readonly isCut: boolean
  readonly steps: ReadonlyArray<Step>
}

/** Flows from sources inside one file, one per sink: the first source of those that strangers control is enough to act on. */
export const sourceFlows = (file: SourceFile, kinds: number): ReadonlyArray<LocalFlow> => {
  const best = new Map<string, LocalFlow>()
  for (const { flows } of flowsIn(file)) {
    for (const flow of flows) {
      const { origin } = flow.taint
      if ((flow.kind & kinds) === 0 || origin.kind !== "source") continue
      const key = `${flow.kind} ${flow.label} ${flow.start}`
      const known = best.get(key)
      const source = sourceKindIn(file, origin.path) ?? "request"
      if (known !== undefined && (isFromStranger(known.source) || !isFromStranger(source))) continue
      best.set(key, localFlow(file.path, flowFact(flow), source))
    }
  }
  return [...best.values()]
}

const localFlow = (path: string, fact: FlowFact, source: SourceKind): LocalFlow => {
  const { taint } = fact
  const isParameter = source === "parameter"
  return {
    path,
    at: fact.at,
    kind: fact.kind,
    label: fact.label,
    callee: fact.callee,
    text: fact.text,
    hole: taint.hole,
    isSource: !isParameter,
    isStored: false,
    isJoined: (taint.safe & JOINED) !== 0,
    isCut: (taint.safe & CUT) !== 0,
    name: taint.name,
    type: taint.type,
    within: fact.within,
    source,
    steps: [
      {
        start: taint.origin[0],
        end: taint.origin[1],
        note: isParameter
          ? `\`${taint.name}\` is a parameter of an exported function`
          : `\`${taint.name}\` is untrusted input`
      },
      ...taint.steps.map(([start, end, note]) => ({ start, end, note })),
      { start: fact.sink[0], end: fact.sink[1], note: `\`${fact.callee}\` is ${fact.label}` }
    ]
  }
}

/** Flows from parameters of functions that a library exports. */
export const exportedFlows = (path: string, facts: FlowFacts, kinds: number): ReadonlyArray<LocalFlow> =>
  facts.functions
    .filter(({ isEntryPoint }) => isEntryPoint)
    .flatMap(({ flows }) =>
      flows
        .filter(({ kind, taint }) => taint.index >= 0 && (kind & kinds) !== 0 && (kind & taint.safe) === 0)
        .map((fact) => localFlow(path, fact, "parameter"))
    )

/** Steps in the file of the match carry no path. */
export const stepsFor = (path: string, steps: ReadonlyArray<CrossStep>): ReadonlyArray<Step> =>
  steps.map(({ path: ofStep, ...step }) => (ofStep === path ? step : { path: ofStep, ...step }))

/**
 * What anyone may send first, then what strangers hand to a library, at once or to be kept in a field, then what its own
 * programs are started with.
 */
const rankOf = (flow: CrossFlow, isLibrary: (path: string) => boolean): number => {
  if (!flow.isSource) return isLibrary(flow.path) ? (flow.isHeld ? 0.8 : 1) : 0
  const source = sourceKindOf(languageOf(flow.steps[0]?.path ?? flow.path), flow.type) ?? "request"
  return isFromStranger(source) ? 2 : 0.5
}

/** One flow per location of the sink. */
export const oncePerLocation = (
  flows: ReadonlyArray<CrossFlow>,
  isLibrary: (path: string) => boolean
): ReadonlyArray<CrossFlow> => {
  const best = new Map<string, CrossFlow>()
  for (const flow of flows) {
    const key = `${flow.path} ${flow.at[0]} ${flow.kind}`
    const known = best.get(key)
    if (known === undefined || rankOf(flow, isLibrary) > rankOf(known, isLibrary)) best.set(key, flow)
  }
  return [...best.values()]
}

/** The parts of a flow that a tool needs for its message; the flow lies in one file or crosses several. */
export type ReportedFlow = Pick<
  LocalFlow,
  | "path"
  | "kind"
  | "label"
  | "callee"
  | "name"
  | "type"
  | "at"
  | "text"
  | "hole"
  | "within"
  | "source"
  | "isJoined"
  | "isCut"
> & { readonly steps: ReadonlyArray<Pick<Step, "path">> }

/**
 * All of the text comes from one source: who starts a program chooses what it opens, asks or runs, and so does the
 * caller of a library.
 */
export const isChosenWhole = ({ text, isJoined }: ReportedFlow): boolean => text.startsWith(HOLE) && !isJoined

/** Names that must occur in the file of the match for the flow to exist; none of a source or a sink in another file. */
export const identifiersOf = ({ path, name, callee, steps }: ReportedFlow): ReadonlyArray<string> => {
  const sourcePath = steps[0]?.path ?? path
  const sinkPath = steps.at(-1)?.path ?? path
  const names = [
    ...(sourcePath === path ? [name.split(".")[0]!] : []),
    ...(sinkPath === path ? [callee.split(".").at(-1)!] : [])
  ]
  // A function of Ruby answers what it evaluated last, without a word for it.
  const isImplied = (word: string) => word === "return" && path.endsWith(".rb")
  return [...new Set(names)].filter((word) => /^[\w$]+$/.test(word) && !isImplied(word))
}

export const rangeOf = (flow: { readonly at: readonly [number, number] }): Pick<Match, "start" | "end"> => ({
  start: flow.at[0],
  end: flow.at[1]
})
