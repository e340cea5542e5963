import type { Ecosystem } from "../lockfiles/LockedPackage.ts"

export type Severity = "critical" | "high" | "moderate" | "low"

/** From `introduced` (included) to `fixed` (excluded) or `last` (included); "0" is before every version. */
export interface AffectedRange {
  readonly introduced: string
  readonly fixed?: string
  readonly last?: string
}

/** One package of an OSV record: what matching and reporting need. */
export interface Advisory {
  readonly id: string
  readonly aliases: ReadonlyArray<string>
  readonly summary: string
  readonly severity: Severity | null
  /** The package itself is the attack. */
  readonly malicious: boolean
  readonly ranges: ReadonlyArray<AffectedRange>
  /** Functions and types that the weakness is in, where the advisory names them. */
  readonly symbols?: ReadonlyArray<string>
  /** Import paths of the packages of a module that the weakness is in, where the advisory names them. */
  readonly packages?: ReadonlyArray<string>
  /** Versions affected whatever the ranges say. */
  readonly versions: ReadonlyArray<string>
}

export interface AdvisoryMatch {
  readonly advisory: Advisory
  /** The lowest version above this one that the advisory calls fixed. */
  readonly fixed: string | null
}

/** Where the advisories of a scan came from. */
export interface AdvisorySource {
  readonly source: string
  /** Null for the built-in list. */
  readonly ecosystem: string | null
  readonly imported_at: string | null
  /** Day or time of the newest advisory in it. */
  readonly newest: string
  readonly advisories: number
}

export interface AdvisoryUse {
  readonly sources: ReadonlyArray<AdvisorySource>
  /** Versions of packages that were looked up. */
  readonly packages: number
  /** Ecosystems of the audited files for which there is nothing but the built-in list. */
  readonly without_data: ReadonlyArray<string>
}

/** What is known of vulnerable packages, asked by package. */
export interface Advisories {
  readonly affecting: (ecosystem: Ecosystem, name: string, version: string) => ReadonlyArray<AdvisoryMatch>
  /** The better of two versions; for choosing the highest of several fixes. */
  readonly later: (ecosystem: Ecosystem, a: string, b: string) => string
  /** What was asked so far, and of what. */
  readonly use: () => AdvisoryUse
}
