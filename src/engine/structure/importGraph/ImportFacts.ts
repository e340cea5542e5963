/** Gone after compilation, or only read by a type checker. */
export const TYPE_ONLY = 1
/** Happens when a function is called, not when the file is loaded. */
export const DEFERRED = 2
/** In a `try`, or under a condition: the file does without it. */
export const OPTIONAL = 4
/** A name it brings is used while the file is loaded. */
export const EAGER = 8
/** Only passes on what it imports. */
export const REEXPORT = 16

/** Is below the definitions of its file, put there because of a known cycle (Python). */
export const LATE = 32

export interface ImportFact {
  /** As written: "./a", "react", "os.path", "java.util.List". */
  readonly specifier: string
  readonly start: number
  readonly end: number
  readonly flags: number
  /** Names taken from the module, where the language may mean modules by them (Python). */
  readonly names: ReadonlyArray<string>
}

export interface ImportFacts {
  readonly imports: ReadonlyArray<ImportFact>
  /** Package or namespace that the file itself belongs to, where that is declared in the file. */
  readonly unit: string | null
  /** Modules that the file declares for others (`declare module "x"`). */
  readonly declares: ReadonlyArray<string>
}

/** Facts of a file as they travel between workers: short, because there may be a hundred thousand of them. */
export const encodeFacts = ({ imports, unit, declares }: ImportFacts): EncodedImports => ({
  i: imports.map(({ specifier, start, end, flags, names }) =>
    names.length === 0 ? [specifier, start, end, flags] : [specifier, start, end, flags, names]
  ),
  ...(unit === null ? {} : { u: unit }),
  ...(declares.length === 0 ? {} : { d: declares })
})

type EncodedImport = readonly [string, number, number, number, ReadonlyArray<string>?]

export interface EncodedImports {
  readonly i: ReadonlyArray<EncodedImport>
  readonly u?: string
  readonly d?: ReadonlyArray<string>
}

/** The inverse of `encodeFacts`, for facts that it made. */
export const decodeFacts = ({ i, u, d }: EncodedImports): ImportFacts => {
  return {
    imports: i.map(([specifier, start, end, flags, names]) => ({ specifier, start, end, flags, names: names ?? [] })),
    unit: u ?? null,
    declares: d ?? []
  }
}
