import type { Range } from "../../languages/tree/Range.ts"

/** A finding as it was reported, by which it is found again in the tree as it is now. */
export interface FindingReference {
  readonly signatures: {
    readonly primary: string
    readonly located: string
    readonly moved: string
  }
  /** The main location first; of the others, only the files count. */
  readonly locations: ReadonlyArray<{ readonly file_path: string; readonly line_start: number }>
}

/** One finding to fix. */
export interface FixTarget {
  /** `tool.rule` */
  readonly rule_id: string
  readonly finding: FindingReference
}

/** What a scan of the installation is given, too: signatures and advisories depend on it. */
export interface FixSettings {
  readonly salt?: string
  /** Folder of imported advisories. */
  readonly advisories?: string
}

/** A file of the tree as a fix leaves it. */
export interface FixedFile {
  readonly path: string
  readonly before: Uint8Array
  readonly after: Uint8Array
  /** Ranges of the text before that no output may show. */
  readonly secrets: ReadonlyArray<Range>
}

/** What became of a finding, apart from the files. */
export type FixStatus =
  | { readonly status: "proposed"; readonly summary: string }
  /** The fixer leaves this code to a person; the reason is a plain sentence. */
  | { readonly status: "declined"; readonly reason: string }
  /** The rule no longer matches there. */
  | { readonly status: "absent" }
  | { readonly status: "no_fixer" }

export type FixOutcome =
  | (Extract<FixStatus, { status: "proposed" }> & { readonly files: ReadonlyArray<FixedFile> })
  | Exclude<FixStatus, { status: "proposed" }>
