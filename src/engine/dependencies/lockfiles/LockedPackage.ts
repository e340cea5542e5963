/** As OSV names them. */
export type Ecosystem = "npm" | "PyPI" | "Go" | "Maven" | "RubyGems" | "Packagist" | "NuGet" | "crates.io"

/** A version that a file settles on, and where it says so. Offsets are into the file's text and cover the name. */
export interface LockedPackage {
  readonly ecosystem: Ecosystem
  readonly name: string
  readonly version: string
  /** Null where the file does not record it. */
  readonly direct: boolean | null
  /** True when only development, tests or builds use it; null where the file does not record it. */
  readonly dev: boolean | null
  readonly start: number
  readonly end: number
  /** Where it is fetched from, when the file says so. */
  readonly source?: string
  /** Whether its content is pinned by a digest. */
  readonly hasDigest?: boolean
  /** SPDX expression, where the file carries it. */
  readonly licence?: string
}

/** Entries beyond this are not read: no project has so many, and a hostile file may. */
export const MAX_PACKAGES = 100_000
