import type { FlatTree } from "../tree/FlatTree.ts"

export interface Parameter {
  readonly name: string
  readonly type: string | null
  readonly node: number
}

export interface FunctionInfo {
  readonly node: number
  /** Own name, or that of the variable, property or route it is given to; null when nothing names it. */
  readonly name: string | null
  readonly parameters: ReadonlyArray<Parameter>
  /** Node of the body; an expression for one-line lambdas; -1 where only a signature is declared. */
  readonly body: number
  readonly isAsync: boolean
  readonly exported: boolean
}

export interface Call {
  readonly node: number
  /** As written, without white space: `db.query`, `this.repo.find`. */
  readonly callee: string
  /** Text before the last dot; null for a plain function. */
  readonly receiver: string | null
  /** Node of the receiver, or -1. */
  readonly receiverNode: number
  /** Last name of the callee: `query`. */
  readonly method: string
  /** Positional argument nodes, in order. */
  readonly args: ReadonlyArray<number>
  /** Named arguments (Python keywords, Ruby pairs, C# and PHP names): value nodes by name. */
  readonly named: ReadonlyMap<string, number>
  readonly isNew: boolean
}

export interface ImportedName {
  /** Name in the module: "default", "*" for the whole, or the exported name. */
  readonly imported: string
  readonly local: string
}

export interface Import {
  readonly node: number
  /** As written: "./a", "react", "os.path", "java.util.List". */
  readonly module: string
  readonly names: ReadonlyArray<ImportedName>
  readonly typeOnly: boolean
}

export interface Assignment {
  readonly node: number
  /** As written: `x`, `this.y`, `config["k"]`. */
  readonly target: string
  readonly targetNode: number
  /** Last name of the target: `y`. */
  readonly name: string
  /** Value node, or -1 for a declaration without one. */
  readonly value: number
  /** "=" or the compound operator. */
  readonly operator: string
}

/** What a language is called what. Adding a language is one file of this shape and a line in `languages.ts`. */
export interface Syntax {
  readonly functionKinds: ReadonlyArray<string>
  /** Kinds that name a scope without being functions: classes, modules, keys. */
  readonly scopeKinds: ReadonlyArray<string>
  readonly callKinds: ReadonlyArray<string>
  readonly importKinds: ReadonlyArray<string>
  readonly assignmentKinds: ReadonlyArray<string>
  /** Kinds of string literals, interpolated or not. */
  readonly stringKinds: ReadonlyArray<string>
  /** Kinds inside a string that are code. */
  readonly interpolationKinds: ReadonlyArray<string>
  /** Kinds that join two operands, with the operators that join strings. */
  readonly binaryKinds: ReadonlyArray<string>
  readonly concatOperators: ReadonlyArray<string>
  /** Kinds of parentheses and the like that only wrap. */
  readonly wrapperKinds: ReadonlyArray<string>
  readonly functionAt: (tree: FlatTree, node: number) => FunctionInfo | null
  readonly scopeName: (tree: FlatTree, node: number) => string | null
  readonly callAt: (tree: FlatTree, node: number) => Call | null
  readonly importsAt: (tree: FlatTree, node: number) => ReadonlyArray<Import>
  readonly assignmentsAt: (tree: FlatTree, node: number) => ReadonlyArray<Assignment>
}

/** A syntax with nothing in it, to be completed. */
export const emptySyntax: Syntax = {
  functionKinds: [],
  scopeKinds: [],
  callKinds: [],
  importKinds: [],
  assignmentKinds: [],
  stringKinds: [],
  interpolationKinds: [],
  binaryKinds: [],
  concatOperators: [],
  wrapperKinds: ["parenthesized_expression"],
  functionAt: () => null,
  scopeName: () => null,
  callAt: () => null,
  importsAt: () => [],
  assignmentsAt: () => []
}

export const noNames: ReadonlyMap<string, number> = new Map()

/** Code on one line without the white space that layout adds around dots. */
export const compact = (text: string): string => {
  const flat = text.length > 200 ? text.slice(0, 200) : text
  return /\s/.test(flat) ? flat.replace(/\s+/g, " ").replace(/\s*(\?\.|\.|->|::)\s*/g, "$1") : flat
}

export const lastName = (target: string): string => /([\w$@#?!]+)(?:\W*)$/.exec(target)?.[1] ?? target
