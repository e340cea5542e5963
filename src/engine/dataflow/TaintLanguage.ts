import type { SourceFile } from "../core/files/SourceFile.ts"
import type { FunctionInfo, Parameter } from "../languages/syntax/vocabulary.ts"

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
  | "choice"
  | "command"
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
  /** These fields of an argument that is an object count, too: `{ url }`. */
  readonly fields?: ReadonlyArray<string>
  /** What the sink is called in a message: "a database query". */
  readonly label: string
  /** Only with these literal arguments: a shell and its -c, `shell: true`. */
  readonly when?: (call: SinkCall) => boolean
  /** The receiver's type is not known: the text itself has to be unmistakable. */
  readonly needsText?: boolean
  /** What the argument's text has to look like. */
  readonly text?: RegExp
  /** The argument's elements count, not its text: argument lists, query objects. */
  readonly elements?: boolean
  /** The first argument is a format, and the text that it makes of the others counts. */
  readonly formats?: boolean
  /** A program and the list of its arguments: the line counts that they make together. */
  readonly line?: boolean
}

/** What a `when` may look at. */
export interface SinkCall {
  readonly callee: string
  readonly receiver: string
  readonly count: number
  /** Literal text of a positional argument; null when it is not literal. */
  readonly literal: (index: number) => string | null
  /** A positional argument as it is written. */
  readonly argument: (index: number) => string
  /** Literal text of a named argument or of a field of an options object. */
  readonly option: (name: string) => string | null
  /** Literal text of an element of a list argument. */
  readonly element: (index: number, element: number) => string | null
  /** An argument that is an object or a list. */
  readonly holdsFields: (index: number) => boolean
  /** An argument that is an interpolated string as it stands: some methods take its holes for parameters. */
  readonly isInterpolated: (index: number) => boolean
  /** The text of the function around the call. */
  readonly around: () => string
  /** The text of the file. */
  readonly file: () => string
  /** The variable that is given what the call makes; "" for none. */
  readonly assignedTo: () => string
  /** Literal text of a property of the receiver that was written before. */
  readonly held: (name: string) => string | null
}

export interface ParameterRole {
  /** Untrusted as it is: what it is called, and its access path. */
  readonly source?: string
  /** What is known of its type. */
  readonly type?: string | null
  /** Cannot carry text: numbers, flags, identifiers checked by the framework. */
  readonly clean?: boolean
}

export interface Sanitiser {
  readonly path: RegExp
  /** Kinds of sinks that its result is harmless to. */
  readonly kinds: number
  /** Only when its arguments, put together, look like this: `path.join("/", x)` cannot go up. */
  readonly text?: RegExp
}

/** How records of classes are stored and read again. The first group of a pattern names the class or the field, a group `table` the plural of a class. */
export interface RecordModel {
  /** Calls, as written or by access path, that read records: `Note.objects.get`. */
  readonly loads?: RegExp
  /** Methods that read records of a class they are handed, or of a query for it: `session.get(Note, id)`. */
  readonly loadsOf?: RegExp
  /** Methods by which a query or a record gives records of its class: `order_by`, `first`. */
  readonly chains?: RegExp
  /** Methods without arguments that give a field: `getTitle`. */
  readonly accessors?: RegExp
  /** Calls as written, "new " before constructors, that store what they are given by name or in an object. */
  readonly stores?: RegExp
  /** Methods of a record or a query that do so: `update`. */
  readonly updates?: RegExp
  /** Calls by access path that store objects with the fields they hold: `db.Create(&note)`. */
  readonly saves?: RegExp
  /** Calls by access path that fill the object they are handed from a stored record: `db.First(&note, id)`. */
  readonly fills?: RegExp
  /** Methods that store their only argument: `setTitle`. */
  readonly setters?: RegExp
  /** What is stored may be handed over as it came: `Note.create(req.body)`. */
  readonly takesWhole?: boolean
}

/** What the models of a language say of access paths. */
export interface TaintTables {
  /** Access paths whose reading or call is untrusted. */
  readonly sources: RegExp
  /** Kinds of sinks that what a source gives is harmless to. */
  readonly safeAtSource: (path: string) => number
  readonly sanitisers: ReadonlyArray<Sanitiser>
  /** Functions whose result carries what is in their arguments. */
  readonly carriers: RegExp
  /** Calls that put values into a format: path, and position of the format. */
  readonly formats: RegExp
  /** Methods that append text to a builder; they answer the builder. */
  readonly builders: RegExp
  /** Calls that fill an argument from their receiver or other arguments: `Decode(&x)`, `c.Bind(&x)`. */
  readonly fillers: RegExp
  /** Stored records; null where no model knows any. */
  readonly records: RecordModel | null
}

/** What taint needs to know about a language beyond its syntax and its models. */
export interface TaintGrammar {
  readonly roles: Readonly<Record<string, Role>>
  readonly parameter: (file: SourceFile, info: FunctionInfo, parameter: Parameter, index: number) => ParameterRole
  /** Access path of a name that no code of the file declares, where the framework provides it. */
  readonly globals?: (file: SourceFile, name: string) => string | null
  /** Fields and methods are used without naming their receiver. */
  readonly implicitThis?: boolean
  /** Access paths of calls that a function of another file of the project may be meant by. */
  readonly ownPaths?: RegExp
  /** A function answers what it evaluated last. */
  readonly implicitReturn?: boolean
  /** Kinds of closures that the vocabulary does not count among the functions. */
  readonly closureKinds?: ReadonlyArray<string>
  /** Methods by which a closure is called. */
  readonly invokes?: RegExp
  /** Calls that never come back. */
  readonly leaves?: RegExp
  /** What the function returns is sent to a browser. */
  readonly answers?: (file: SourceFile, info: FunctionInfo) => boolean
  /** Writing some properties is a sink: the path of the property with "=" behind it. */
  readonly assignedSinks?: boolean
  /** Methods without arguments that answer keys, dates and names of tables. */
  readonly cleanAnswers?: RegExp
  /** Properties of models declared elsewhere that are hardly ever text. */
  readonly cleanMember?: RegExp
  /** Access path of a declared type, or null. */
  readonly declaredType: (file: SourceFile, text: string) => string | null
  /** Parts of untrusted values that the server chooses: where an upload was stored, how long it is. */
  readonly cleanParts?: RegExp
  /** Names of streams that are the request itself. */
  readonly streams?: RegExp
  /** Methods whose result is a number, a flag or a position. */
  readonly cleanMethods: ReadonlySet<string>
  /** Methods that put their arguments into the receiver. */
  readonly adders: ReadonlySet<string>
  /** Conditions that hold only for harmless values: `isNaN`, `ALLOWED.includes(x)`. Group "in": argument is checked. */
  readonly memberTests: ReadonlySet<string>
  readonly shapeTests: RegExp
}

/** A language as the evaluator sees it. */
export interface TaintLanguage extends TaintGrammar, TaintTables {}
