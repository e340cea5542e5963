import { startOf } from "../../../schema/characters.ts"
import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { FunctionInfo, Syntax } from "../../languages/syntax/Syntax.ts"
import { importedNames } from "../../languages/syntax/vocabulary.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import type { Role, SinkRule, TaintLanguage } from "../TaintLanguage.ts"
import type { Scope } from "../values/Scope.ts"
import type { Origin, Taint, Value } from "../values/Value.ts"
import type { FunctionIndex } from "./FunctionIndex.ts"

/** Something tainted reaches a sink. */
export interface Flow {
  readonly kind: number
  readonly label: string
  readonly callee: string
  /** The call that is the sink, or the call of a wrapper around it when the text was built there. */
  readonly start: number
  readonly end: number
  /** The call of the sink itself. */
  readonly sink: readonly [start: number, end: number]
  /** The argument's value as far as it is known. */
  readonly value: Value
  readonly taint: Taint
  /** Name of the function in which the text was given its holes; null at the top of the file. */
  readonly within: string | null
}

/** A call of a function that another file of the project may define. */
export interface ExternalCall {
  readonly path: string
  readonly start: number
  readonly end: number
  readonly args: ReadonlyArray<Value>
  /** Arguments as written, where they are the request or a part of it that is no input by itself. */
  readonly requests: ReadonlyMap<number, string>
}

/** A method gives a field of its object a value. */
export interface FieldWrite {
  readonly owner: string
  readonly field: string
  /** Access path that later statements of the method may have written again or checked: `this.name`. */
  readonly path: string
  readonly value: Value
  /** Fields that a write of all ("*") leaves alone. */
  readonly except?: ReadonlyArray<string>
  /** Written by a setter, of which the class may make something else. */
  readonly isSetter?: boolean
}

/** Kinds of sinks that each parameter is harmless to where its function answered yes, no, or came back at all. */
export interface Checks {
  readonly onTrue: Array<number>
  readonly onFalse: Array<number>
  readonly onReturn: Array<number>
}

export interface Frame {
  readonly info: FunctionInfo | null
  readonly flows: Array<Flow>
  readonly externals: Array<ExternalCall>
  readonly writes: Array<FieldWrite>
  returns: Value | null
  /** Closures that nothing has called yet, to be run when the function ends. */
  readonly pending: Map<number, Scope>
  /** What a validator makes sure of, while it is run to find that out. */
  readonly checks: Checks | null
  /** Where the paths that leave the innermost loop or switch early are collected. */
  jumps: Array<Scope> | null
}

export interface Summary {
  readonly info: FunctionInfo
  readonly flows: ReadonlyArray<Flow>
  readonly externals: ReadonlyArray<ExternalCall>
  readonly writes: ReadonlyArray<FieldWrite>
  readonly returns: Value | null
}

/** Where a path (`user.id`) was written or tested first, and what it held before. */
export interface Place {
  readonly node: number
  /** Of a write: the node of the object, the object itself and what its property held. */
  readonly written: { readonly object: number; readonly holder: Value; readonly before: Value } | null
}

export const MAX_NODES = 300_000
/** Calls of other files' functions that are kept per function. */
export const MAX_EXTERNALS = 100
export const MAX_WRITES = 60
export const MAX_DEPTH = 150

/** The state of analysing one file. */
export interface Run {
  readonly file: SourceFile
  readonly tree: FlatTree
  readonly syntax: Syntax
  readonly language: TaintLanguage
  readonly sinks: ReadonlyArray<SinkRule>
  readonly roles: ReadonlyArray<Role | undefined>
  readonly index: FunctionIndex
  readonly module: Scope
  readonly summaries: Map<number, Summary | null>
  /** Functions being summarised, outermost first, and those that met one of these. */
  readonly running: Array<number>
  readonly partial: Set<number>
  /** Functions that some call of this file reaches. */
  readonly called: Set<number>
  readonly origins: Map<string, Origin>
  readonly fieldTypes: Map<string, Value | null>
  /** By function and path. */
  readonly places: Map<string, Place>
  /** Calls, as written, that a condition found harmless: the same call gives the same value where it holds. */
  readonly testedCalls: Set<string>
  /** Names that are written in ways the evaluation does not follow, per function; names written in loops, per loop. */
  readonly hiddenWrites: Map<number, ReadonlySet<string>>
  readonly loopWrites: Map<number, ReadonlySet<string>>
  /** What functions make sure of about their parameters, and the fields of classes made from their arguments. */
  readonly checks: Map<number, Checks | null>
  readonly recordFields: Map<string, ReadonlyArray<string> | null>
  /** Where sources, sinks and statements may stand: functions without any of them are run only when called. */
  readonly offsets: ReadonlyArray<number>
  /** The interpreter's entries; see `evaluate`. */
  readonly expression: (run: Run, scope: Scope, node: number) => Value
  readonly execute: (run: Run, scope: Scope, node: number) => void
  /** What a condition says of the variables on the path where it holds. */
  readonly refine: (run: Run, scope: Scope, condition: number, holds: boolean) => void
  frame: Frame
  fuel: number
  depth: number
}

export const newFrame = (info: FunctionInfo | null): Frame => ({
  info,
  flows: [],
  externals: [],
  writes: [],
  returns: null,
  pending: new Map(),
  checks: null,
  jumps: null
})

export const roleOf = (run: Run, node: number): Role | undefined =>
  node < 0 ? undefined : run.roles[run.tree.kinds[node]!]

/** The first of these fields that a node has, or NONE. */
export const nodeField = (run: Run, node: number, ...names: ReadonlyArray<string>): number => {
  for (const name of names) {
    const found = run.tree.child(node, name)
    if (found !== NONE) return found
  }
  return NONE
}

export const isInteresting = (run: Run, node: number): boolean => {
  const { offsets } = run
  const start = run.tree.start(node)
  let low = 0
  let high = offsets.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (offsets[middle]! < start) low = middle + 1
    else high = middle
  }
  return low < offsets.length && offsets[low]! < run.tree.end(node)
}

/** One origin per place, so that a source met twice (in a loop, on two paths) is one. */
export const originAt = (run: Run, node: number, origin: Omit<Origin, "start" | "end">): Origin => {
  const key = `${node} ${origin.kind} ${origin.index} ${origin.path}`
  const known = run.origins.get(key)
  if (known !== undefined) return known
  const made = { ...origin, start: run.tree.start(node), end: run.tree.end(node) }
  run.origins.set(key, made)
  return made
}

export const clip = (text: string, length = 60): string => {
  const flat = text.replace(/\s+/g, " ").trim()
  return flat.length > length ? `${startOf(flat, length - 3)}...` : flat
}

/** Access path of an imported name: `pg.Pool`, `./db.run`; null when the name is not imported. */
export const importedPath = (file: SourceFile, name: string): string | null => {
  const known = importedNames(file).get(name)
  if (known === undefined) return null
  const module = known.module.replace(/^node:/, "")
  if (known.imported === "*" || known.imported === "default") {
    // `import os.path` binds `os`.
    if (file.language === "python" && module.startsWith(`${name}.`)) return name
    return module
  }
  // Their imports name what they import in full.
  if (file.language === "java" || file.language === "php") return module
  return `${module}${module.endsWith(".") ? "" : "."}${known.imported}`
}
