import type { ObservedFile } from "../Observed.ts"

export interface Sibling {
  readonly name: string
  readonly line: number
  readonly file: ObservedFile
}

/** Parts of a program of one kind, to which another may be added. */
export interface Family {
  readonly noun: string
  /** What a new one is made as: "a type that derives from …", "a module". */
  readonly shape: string
  readonly base: Sibling | null
  readonly members: ReadonlyArray<Sibling>
  /** What loads each of them without a list of their names. */
  readonly loader?: { readonly path: string; readonly line: number }
  /** The folder in which each of them has one of its own. */
  readonly above?: string
}
