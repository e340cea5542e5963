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

export interface FixRequest {
  /** `tool.rule` */
  readonly rule_id: string
  readonly finding: FindingReference
  /** Of the installation, as in a scan: signatures depend on it. */
  readonly salt?: string
  /** Folder of imported advisories. */
  readonly advisories?: string
}

/** A file of the tree as the fix leaves it. */
export interface FixedFile {
  readonly path: string
  readonly before: Uint8Array
  readonly after: Uint8Array
  /** Unified, with secrets redacted. */
  readonly diff: string
}

export type FixOutcome =
  | { readonly status: "proposed"; readonly summary: string; readonly files: ReadonlyArray<FixedFile> }
  /** The fixer leaves this code to a person; the reason is a plain sentence. */
  | { readonly status: "declined"; readonly reason: string }
  /** The rule no longer matches there. */
  | { readonly status: "absent" }
  | { readonly status: "no_fixer" }
