import type { SourceFile } from "../core/files/SourceFile.ts"
import { syntaxOf } from "../languages/syntax/languages.ts"
import { type FunctionInfo, lastName } from "../languages/syntax/Syntax.ts"
import { calls } from "../languages/syntax/vocabulary.ts"
import { isEntryPoint } from "./entryPoints.ts"
import { refine } from "./evaluation/conditions.ts"
import { expression } from "./evaluation/expressions.ts"
import { FunctionIndex } from "./evaluation/FunctionIndex.ts"
import { runModule, summaryOf } from "./evaluation/functions.ts"
import { writtenFieldsIn } from "./evaluation/members.ts"
import {
  type ExternalCall,
  type FieldWrite,
  type Flow,
  isInteresting,
  MAX_NODES,
  newFrame,
  type Run,
  type Summary
} from "./evaluation/Run.ts"
import { execute } from "./evaluation/statements.ts"
import { analysisOf, interestingOffsets, mayFlow } from "./languages/languages.ts"
import { isHiddenInRuby } from "./rubyVisibility.ts"
import { Scope } from "./values/Scope.ts"
import { deepTaintsOf, isWhole, type Value } from "./values/Value.ts"

/** What one function, or the top of the file, lets flow where. */
export interface FunctionFlows {
  /** `find`, `UserRepo.find`; null for the top of the file and for functions without a name. */
  readonly name: string | null
  /** Can be called from elsewhere, as far as one file shows. */
  readonly isPublic: boolean
  /** Code outside of the package can call it, when the package is a library. */
  readonly isEntryPoint: boolean
  /** Called in this file: what its parameters hold is known at the calls. */
  readonly isCalled: boolean
  readonly parameters: ReadonlyArray<string>
  readonly flows: ReadonlyArray<Flow>
  readonly externals: ReadonlyArray<ExternalCall>
  /** Fields of objects that the function gives values. */
  readonly writes: ReadonlyArray<FieldWrite>
  readonly returns: Value | null
  /** Classes and interfaces that the class around the function is made from. */
  readonly bases: ReadonlyArray<string>
}

const nothing: ReadonlyArray<FunctionFlows> = []

const isPublic = (file: SourceFile, info: FunctionInfo, name: string | null): boolean => {
  if (file.language === "ruby" && isHiddenInRuby(file, info.node)) return false
  if (info.exported) return true
  const own = name === null ? "" : name.slice(name.lastIndexOf(".") + 1)
  if (own === "" || /^(?:_|#)/.test(own)) return false
  if (file.language === "go" || file.language === "java" || file.language === "csharp") return false
  const head = file.text.slice(Math.max(0, file.tree!.start(info.node) - 1), file.tree!.start(info.body))
  return name!.includes(".") && !/^\s*(?:private|protected)\b/.test(head)
}

/** `private` methods of Ruby are called by their object alone; calls with constants only are not run for their flows. */
const isCalledHidden = (file: SourceFile, info: FunctionInfo, called: ReadonlySet<string>): boolean => {
  const tree = file.tree!
  if (file.language !== "ruby" || !isHiddenInRuby(file, info.node)) return false
  const name = tree.textOf(tree.child(info.node, "name"))
  return called.has(name) || called.has(`self.${name}`)
}

const analyse = (file: SourceFile): ReadonlyArray<FunctionFlows> => {
  const analysis = analysisOf(file)
  const syntax = syntaxOf(file.language)
  if (analysis === null || syntax === null || !mayFlow(file)) return nothing
  const { language, sinks } = analysis
  const offsets = interestingOffsets(file)
  const tree = offsets.length === 0 ? null : file.tree
  if (tree === null) return nothing
  const index = new FunctionIndex(file, tree, language.closureKinds)
  const run: Run = {
    file,
    tree,
    syntax,
    language,
    sinks,
    roles: tree.grammar.kindNames.map((kind) => language.roles[kind]),
    index,
    module: new Scope(null),
    summaries: new Map(),
    running: [],
    partial: new Set(),
    called: new Set(),
    origins: new Map(),
    fieldTypes: new Map(),
    places: new Map(),
    testedCalls: new Set(),
    hiddenWrites: new Map(),
    loopWrites: new Map(),
    checks: new Map(),
    recordFields: new Map(),
    offsets,
    expression,
    execute,
    refine,
    frame: newFrame(null),
    fuel: MAX_NODES,
    depth: 0
  }
  runModule(run)
  const top: FunctionFlows = {
    name: null,
    isPublic: false,
    isEntryPoint: false,
    isCalled: false,
    parameters: [],
    flows: run.frame.flows,
    externals: run.frame.externals,
    writes: run.frame.writes,
    returns: null,
    bases: []
  }
  for (const info of index.roots) if (isInteresting(run, info.node) || isConstructor(info)) summaryOf(run, info)
  callersOfWrappers(run)
  writersOfFields(run)
  const called = new Set(file.language === "ruby" ? calls(file).map(({ callee }) => callee) : [])
  const found = index.roots.map((info): FunctionFlows => {
    const summary = run.summaries.get(info.node)
    const name = index.nameOf(info)
    return {
      name,
      isPublic: isPublic(file, info, name),
      isEntryPoint: summary !== undefined && summary !== null && isEntryPoint(file, info, name),
      isCalled: run.called.has(info.node) || isCalledHidden(file, info, called),
      parameters: info.parameters.map((parameter) => parameter.name),
      flows: summary?.flows ?? [],
      externals: summary?.externals ?? [],
      writes: summary?.writes ?? [],
      returns: summary?.returns ?? null,
      bases: summary === undefined ? [] : index.basesAround(info.node)
    }
  })
  return [top, ...found].filter(isWorthKnowing)
}

const isWorthKnowing = ({ flows, externals, writes, returns }: FunctionFlows): boolean =>
  flows.length > 0 ||
  externals.length > 0 ||
  writes.length > 0 ||
  (returns !== null && deepTaintsOf(returns, 2).length > 0)

/** What it stores is what other methods of the class read. */
const isConstructor = ({ name }: FunctionInfo): boolean =>
  /(?:^|\.)(?:constructor|__construct|initialize|__init__)$/.test(name ?? "")

/** What the caller gives reaches a sink, or a field that other methods read. */
const passesParameters = ({ flows, writes }: Summary): boolean =>
  flows.some(({ taint }) => taint.origin.kind === "parameter") ||
  writes.some(({ value }) => deepTaintsOf(value, 2).some(({ origin }) => origin.kind === "parameter"))

/** The name by which calls show: that of the class for its constructor. */
const calledAs = (run: Run, info: FunctionInfo): ReadonlyArray<string> => {
  if (info.name === null) return []
  const name = lastName(info.name)
  if (name === "initialize") return ["new"]
  if (!/^(?:constructor|__construct|__init__)$/.test(name)) return [name]
  return [run.index.className(info.node) ?? name]
}

/** Functions that hold no sink themselves, but call one of this file that does. */
const callersOfWrappers = (run: Run): void => {
  for (let round = 0; round < 3; round++) {
    const names = run.index.roots.flatMap((info) => {
      const summary = run.summaries.get(info.node)
      return summary != null && passesParameters(summary) ? calledAs(run, info) : []
    })
    if (names.length === 0) return
    const searched = new Set(names)
    let grown = false
    for (const call of calls(run.file)) {
      if (!searched.has(call.method)) continue
      const root = run.index.rootAt(run.tree.start(call.node))
      if (root === null || run.summaries.has(root.node)) continue
      summaryOf(run, root)
      grown = true
    }
    if (!grown) return
  }
}

/** Fields that flows, and calls of other files' functions, take what they hand on from, by class. */
const usedFields = (run: Run): ReadonlyMap<string, ReadonlySet<string>> => {
  const used = new Map<string, Set<string>>()
  for (const summary of run.summaries.values()) {
    const flowing = summary?.flows.map(({ taint }) => taint) ?? []
    const given = summary?.externals.flatMap(({ args }) => args.flatMap((arg) => deepTaintsOf(arg))) ?? []
    for (const { origin } of [...flowing, ...given]) {
      if (origin.kind !== "field") continue
      const known = used.get(origin.path) ?? new Set()
      used.set(origin.path, known.add(origin.property.split(".", 1)[0]!))
    }
  }
  return used
}

/** Functions without sources and sinks that give such fields their values: `setName`, or what serves as a constructor. */
const writersOfFields = (run: Run): void => {
  const used = usedFields(run)
  if (used.size === 0) return
  for (const info of run.index.roots) {
    if (run.summaries.has(info.node)) continue
    const fields = used.get(run.index.className(info.node) ?? "")
    if (fields !== undefined && writtenFieldsIn(run.tree.textOf(info.node)).some((name) => fields.has(name)))
      summaryOf(run, info)
  }
}

/** Where untrusted input and parameters flow in a file: computed once, whichever tool asks first. */
export const flowsIn = (file: SourceFile): ReadonlyArray<FunctionFlows> => file.memo(flowsIn, analyse)

/** The function only hands its parameter on: its caller makes the text. */
export const isHandedOn = (flow: Flow): boolean => isWhole(flow.value)
