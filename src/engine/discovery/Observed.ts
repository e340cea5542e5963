import type { FileRole } from "../core/files/FileRole.ts"
import type { Language } from "../core/files/Language.ts"
import type { Method } from "../structure/routes/Route.ts"

/** What discovery keeps of one file: plain, bounded data, secrets already taken out. Lines count from 1. */
export interface Observed {
  readonly definitions: ReadonlyArray<Definition>
  readonly imports: ReadonlyArray<Imported>
  /** Callee as written, how often, first line. */
  readonly calls: ReadonlyArray<readonly [callee: string, count: number, line: number]>
  readonly sites: ReadonlyArray<Site>
  readonly routes: ReadonlyArray<ObservedRoute>
  readonly variables: ReadonlyArray<VariableRead>
  readonly entities: ReadonlyArray<Entity>
  readonly states: ReadonlyArray<States>
  readonly style: Style | null
  /** Text of a manifest, of instructions, of a pipeline: what has to be read as a whole. */
  readonly text: string | null
  /** Names in capitals that a document or an example file mentions. */
  readonly mentions: ReadonlyArray<string>
  readonly isEntryPoint: number
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

export type SiteKind = "data_access" | "error" | "catch" | "test" | "assertion" | "logging"

/** A place where something common is done, in one of its common shapes. */
export interface Site {
  readonly kind: SiteKind
  readonly shape: string
  readonly line: number
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
}

export interface States {
  readonly name: string
  readonly line: number
  readonly values: ReadonlyArray<string>
}

/** Counts over one file of what formatters and habits decide. */
export interface Style {
  readonly indent: "tabs" | "2 spaces" | "4 spaces" | null
  readonly quotes: "double" | "single" | null
  readonly semicolons: boolean | null
  /** Functions with all of their parameters and the result annotated, of those that could. */
  readonly typed: readonly [number, number]
}

export interface ObservedFile extends Observed {
  readonly path: string
  readonly language: Language
  readonly role: FileRole
  readonly lines: number
  readonly bytes: number
}

export const nothingObserved: Observed = {
  definitions: [],
  imports: [],
  calls: [],
  sites: [],
  routes: [],
  variables: [],
  entities: [],
  states: [],
  style: null,
  text: null,
  mentions: [],
  isEntryPoint: 0
}

/** One line, bounded. */
export const clip = (text: string, max: number): string => {
  const flat = text.replace(/\s+/g, " ").trim()
  return flat.length <= max ? flat : `${flat.slice(0, max - 1).trimEnd()}…`
}
