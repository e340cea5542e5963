import { Buffer } from "node:buffer"
import { startOf } from "../../schema/characters.ts"
import type { FileRole } from "../core/files/FileRole.ts"
import type { Language } from "../core/files/Language.ts"
import { compareText } from "../core/text/compareText.ts"
import { TextStore } from "../core/text/TextStore.ts"
import type { Method } from "../structure/routes/Route.ts"
import type { Asked } from "./observers/askedArguments.ts"
import { partSlices } from "./partSlices.ts"

/** What discovery keeps of one file: plain, bounded data, secrets already taken out. Lines count from 1. */
export interface Observed {
  readonly definitions: ReadonlyArray<Definition>
  /** The same of programs in languages whose syntax is not read: only the nouns of the domain are looked for there. */
  readonly outline: ReadonlyArray<Definition>
  readonly imports: ReadonlyArray<Imported>
  /** Callee as written, how often, first line. */
  readonly calls: ReadonlyArray<readonly [callee: string, count: number, line: number]>
  readonly sites: ReadonlyArray<Site>
  readonly routes: ReadonlyArray<ObservedRoute>
  readonly variables: ReadonlyArray<VariableRead>
  readonly entities: ReadonlyArray<Entity>
  /** Of programs without types: locals of which it reads or writes several fields. */
  readonly locals: ReadonlyArray<FieldsOfLocal>
  /** What it goes over, where the collection is called for what it holds. */
  readonly loops: ReadonlyArray<LoopOver>
  readonly states: ReadonlyArray<States>
  readonly transitions: ReadonlyArray<Transition>
  readonly style: Style | null
  /** Text of a manifest, of instructions, of a pipeline: what has to be read as a whole. */
  readonly text: string | null
  /** The beginning of a page of a manual, POD between code included. */
  readonly prose: string
  /** Names of types that the file uses most, with spaces between them. */
  readonly names: string
  /** Names in capitals that a document or an example file mentions. */
  readonly mentions: ReadonlyArray<string>
  readonly isEntryPoint: number
  /** Line of the first `//go:generate`; 0 without one. */
  readonly generates: number
  /** Line of the first attribute of Rust that sets a lint of Clippy for all of a crate; 0 without one. */
  readonly lints: number
  /** Line of the first export of a file of Node that only declares and exports when it is loaded; 0 for others. */
  readonly exportsAlone: number
  /** What its program must be given so that it does more than to explain itself. */
  readonly asks: Asked
  /** Tables that its statements of SQL write, with the line of the first for each. */
  readonly writes: ReadonlyArray<readonly [table: string, line: number]>
  /** Where it keeps something in files and stores. */
  readonly stores: ReadonlyArray<Store>
  /** What its comments ask for, with the reason. */
  readonly reasons: ReadonlyArray<Reason>
}

export interface Reason {
  readonly line: number
  readonly text: string
}

export interface Definition {
  readonly name: string
  readonly kind: "function" | "type"
  readonly line: number
  readonly end: number
  readonly exported: boolean
  readonly bases: ReadonlyArray<string>
  /** First sentence of its doc comment. */
  readonly doc: string | null
}

export interface Imported {
  readonly module: string
  readonly names: ReadonlyArray<string>
  readonly line: number
}

export type SiteKind =
  | "data_access"
  | "transaction"
  | "error"
  | "catch"
  | "logging"
  | "validation"
  | "authentication"
  | "injection"
  | "feature_flag"
  | "response"
  | "test"
  | "setup"
  | "fixture"
  | "assertion"
  | "command"
  | "command_list"
  | "loaded_folder"
  | "named_entry"

/** A place where something common is done, in one of its common shapes. */
export interface Site {
  readonly kind: SiteKind
  readonly shape: string
  readonly line: number
  /** First line of the function around it; absent where that is its own. */
  readonly from?: number
  /** Last line of the function around it, or of itself. */
  readonly end: number
  readonly symbol: string | null
}

export interface ObservedRoute {
  readonly framework: string
  readonly method: Method
  readonly path: string
  readonly handler: string | null
  readonly guards: ReadonlyArray<string>
  readonly line: number
  readonly end: number
}

export interface VariableRead {
  readonly name: string
  readonly line: number
  readonly fallback: string | null
  readonly required: boolean
}

export interface Entity {
  readonly name: string
  /** What it is declared as: "SQL table", "Django model". */
  readonly as: string
  readonly line: number
  readonly fields: ReadonlyArray<string>
  readonly relations: ReadonlyArray<string>
  /** Types that its fields are of, other than those of the language; absent where there are none. */
  readonly types?: ReadonlyArray<string>
}

/** A local, a parameter or a variable of a file with the fields that the file reads and writes of it. */
export interface FieldsOfLocal {
  readonly name: string
  /** Of the first access. */
  readonly line: number
  readonly fields: ReadonlyArray<string>
}

/** What each of a collection is called, with the line of the first loop. */
export type LoopOver = readonly [name: string, line: number]

export interface States {
  readonly name: string
  readonly line: number
  readonly values: ReadonlyArray<string>
  /** The type or the table in which it is declared. */
  readonly owner?: string
}

/** A change of a state that is made only when the state was another. */
export interface Transition {
  /** The type, the table or the variable whose state it is. */
  readonly of: string
  readonly field: string
  readonly from: ReadonlyArray<string>
  readonly to: string
  /** The event that causes it. */
  readonly by?: string
  /** From the line that names the state before to the one that sets the state after. */
  readonly line: number
  readonly end: number
}

/** A call that writes a file or opens a store, with its line as it is written. */
export interface Store {
  readonly kind:
    | "files"
    | "settings"
    | "a database"
    | "a key-value store"
    | "SQLite"
    | "an LDAP directory"
    | "a queue"
    | "nodes of ZooKeeper"
    | "the browser's storage"
  readonly line: number
  readonly shown: string
}

/** Habits that no formatter decides, counted over one file. */
export interface Style {
  /** Functions with all of their parameters and the result annotated, of those that could. */
  readonly typed: readonly [number, number]
}

const nothingObserved: Observed = {
  definitions: [],
  outline: [],
  imports: [],
  calls: [],
  sites: [],
  routes: [],
  variables: [],
  entities: [],
  locals: [],
  loops: [],
  states: [],
  transitions: [],
  style: null,
  text: null,
  prose: "",
  names: "",
  mentions: [],
  isEntryPoint: 0,
  generates: 0,
  lints: 0,
  exportsAlone: 0,
  asks: "",
  writes: [],
  stores: [],
  reasons: []
}

type Part = keyof Observed

interface FileFacts {
  readonly path: string
  readonly language: Language
  readonly role: FileRole
  readonly lines: number
  readonly bytes: number
}

/**
 * What was observed in one file. A part is parsed from its text when it is asked for; parts that are empty are known without
 * that, so that a pass over all files for their routes costs little where few have any.
 */
export class ObservedFile implements Observed {
  readonly path: string
  readonly language: Language
  readonly role: FileRole
  readonly lines: number
  readonly bytes: number
  private readonly parts: ReadonlyArray<Part>
  private readonly read: (index: number) => unknown

  /** `read` parses the part at an index of `parts`. */
  constructor(
    { path, language, role, lines, bytes }: FileFacts,
    parts: ReadonlyArray<Part>,
    read: (index: number) => unknown
  ) {
    this.path = path
    this.language = language
    this.role = role
    this.lines = lines
    this.bytes = bytes
    this.parts = parts
    this.read = read
  }

  has(part: Part): boolean {
    return this.parts.includes(part)
  }

  private part<P extends Part>(part: P): Observed[P] {
    const index = this.parts.indexOf(part)
    return index < 0 ? nothingObserved[part] : (this.read(index) as Observed[P])
  }

  get definitions() {
    return this.part("definitions")
  }
  get outline() {
    return this.part("outline")
  }
  /** What the file declares, whether its syntax is read or not. */
  get declared(): ReadonlyArray<Definition> {
    return this.has("definitions") ? this.definitions : this.outline
  }
  get imports() {
    return this.part("imports")
  }
  get calls() {
    return this.part("calls")
  }
  get sites() {
    return this.part("sites")
  }
  get routes() {
    return this.part("routes")
  }
  get variables() {
    return this.part("variables")
  }
  get entities() {
    return this.part("entities")
  }
  get locals() {
    return this.part("locals")
  }
  get loops() {
    return this.part("loops")
  }
  get states() {
    return this.part("states")
  }
  get transitions() {
    return this.part("transitions")
  }
  get style() {
    return this.part("style")
  }
  get text() {
    return this.part("text")
  }
  get prose() {
    return this.part("prose")
  }
  get names() {
    return this.part("names")
  }
  get mentions() {
    return this.part("mentions")
  }
  get isEntryPoint() {
    return this.part("isEntryPoint")
  }
  get generates() {
    return this.part("generates")
  }
  get lints() {
    return this.part("lints")
  }
  get exportsAlone() {
    return this.part("exportsAlone")
  }
  get asks() {
    return this.part("asks")
  }
  get writes() {
    return this.part("writes")
  }
  get stores() {
    return this.part("stores")
  }
  get reasons() {
    return this.part("reasons")
  }
}

/**
 * Up to so many bytes all that was observed stays parsed once it was asked for: a dozen passes ask for the definitions of
 * every file. It takes about twice as much memory parsed; of 200,000 files that would not fit into a scan's.
 */
const MAX_PARSED_BYTES = 40 * 1024 * 1024

/** All that was observed so far, as texts, parsed when it is asked for. */
export class ObservedFiles {
  private readonly texts = new TextStore()
  private readonly files: Array<ObservedFile> = []
  /** Lists of parts that files have, each kept once. */
  private readonly partLists = new Map<string, ReadonlyArray<Part>>()
  private bytes = 0
  /** Parts by their key: all of them, or those of the file that was asked for last. */
  private readonly known = new Map<number, unknown>()

  /** `json` is what the observer left: an object without the parts that are empty. */
  add(facts: FileFacts, json: string | Buffer): void {
    const own = typeof json === "string" ? Buffer.from(json) : json
    this.bytes += own.length
    const slices = partSlices(own)
    const names = slices.map(([part]) => part).join(" ")
    const parts = this.partLists.get(names) ?? (slices.map(([part]) => part) as ReadonlyArray<Part>)
    this.partLists.set(names, parts)
    const keys = slices.map(([, start, end]) => this.texts.put(own.subarray(start, end)))
    const first = keys[0] ?? 0
    this.files.push(new ObservedFile(facts, parts, (index) => this.parsed(first, first + parts.length, first + index)))
  }

  get inOrder(): ReadonlyArray<ObservedFile> {
    return this.files.sort((a, b) => compareText(a.path, b.path))
  }

  /** The part of this key, of a file whose parts have the keys from `first` up to `end`. */
  private parsed(first: number, end: number, key: number): unknown {
    const known = this.known.get(key)
    if (known !== undefined) return known
    if (this.bytes > MAX_PARSED_BYTES)
      for (const other of this.known.keys()) if (other < first || other >= end) this.known.delete(other)
    const parsed: unknown = JSON.parse(this.texts.get(key))
    this.known.set(key, parsed)
    return parsed
  }
}

/** One line, bounded. */
export const clip = (text: string, max: number): string => {
  const flat = text.replace(/\s+/g, " ").trim()
  return flat.length <= max ? flat : `${startOf(flat, max - 1).trimEnd()}…`
}
