import type { SourceFile } from "../../SourceFile.ts"
import type { FunctionInfo, Parameter } from "../syntax/vocabulary.ts"

/** What the interpreter does with a kind of node. Kinds without a role are evaluated for the calls inside them. */
export type Role =
  | "block"
  | "declare"
  | "assign"
  | "augment"
  | "if"
  | "ternary"
  | "loop"
  | "each"
  | "switch"
  | "try"
  | "with"
  | "return"
  | "throw"
  | "jump"
  | "call"
  | "construct"
  | "member"
  | "subscript"
  | "binary"
  | "clean"
  | "name"
  | "self"
  | "string"
  | "number"
  | "list"
  | "object"
  | "comprehension"
  | "wrap"
  | "function"
  | "class"
  | "skip"

/** Stands for the receiver among the positions of arguments. */
export const RECEIVER = -1

export interface SinkRule {
  /** Bit of the kind of sink. */
  readonly kind: number
  /** Access path of the callee; a receiver of unknown type has the path "?". */
  readonly path: RegExp
  /** Positions of the arguments that matter, and names of keyword arguments. */
  readonly args: ReadonlyArray<number>
  readonly named?: ReadonlyArray<string>
  /** What the sink is called in a message: "a database query". */
  readonly label: string
  /** Only with these literal arguments: a shell and its -c, `shell: true`. */
  readonly when?: (call: SinkCall) => boolean
  /** The receiver's type is not known: the text itself has to be unmistakable. */
  readonly needsText?: boolean
  /** The argument's elements count, not its text: argument lists, query objects. */
  readonly elements?: boolean
}

/** What a `when` may look at. */
export interface SinkCall {
  readonly callee: string
  readonly receiver: string
  readonly count: number
  /** Literal text of a positional argument; null when it is not literal. */
  readonly literal: (index: number) => string | null
  /** Literal text of a named argument or of a field of an options object. */
  readonly option: (name: string) => string | null
  /** Literal text of an element of a list argument. */
  readonly element: (index: number, element: number) => string | null
}

export interface ParameterRole {
  /** Untrusted as it is: what it is called, and its access path. */
  readonly source?: string
  /** What is known of its type. */
  readonly type?: string | null
  /** Cannot carry text: numbers, flags, identifiers checked by the framework. */
  readonly clean?: boolean
}

/** What taint needs to know about a language beyond its syntax. */
export interface TaintLanguage {
  readonly roles: Readonly<Record<string, Role>>
  /** A file without any of these texts has no source that is known. */
  readonly sourceText: RegExp
  /** Access paths whose reading or call is untrusted. */
  readonly sources: RegExp
  readonly parameter: (file: SourceFile, info: FunctionInfo, parameter: Parameter, index: number) => ParameterRole
  /** Access path of a declared type, or null. */
  readonly declaredType: (file: SourceFile, text: string) => string | null
  readonly sanitisers: ReadonlyArray<{ readonly path: RegExp; readonly kinds: number }>
  /** Parts of untrusted values that the server chooses: where an upload was stored, how long it is. */
  readonly cleanParts?: RegExp
  /** Functions whose result carries what is in their arguments. */
  readonly carriers: RegExp
  /** Methods whose result is a number, a flag or a position. */
  readonly cleanMethods: ReadonlySet<string>
  /** Methods that put their arguments into the receiver. */
  readonly adders: ReadonlySet<string>
  /** Methods that append text to a builder; they answer the builder. */
  readonly builders: RegExp
  /** Calls that fill an argument from their receiver or other arguments: `Decode(&x)`, `c.Bind(&x)`. */
  readonly fillers: RegExp
  /** Calls that put values into a format: path, and position of the format. */
  readonly formats: RegExp
  /** Conditions that hold only for harmless values: `isNaN`, `ALLOWED.includes(x)`. Group "in": argument is checked. */
  readonly memberTests: ReadonlySet<string>
  readonly shapeTests: RegExp
}
