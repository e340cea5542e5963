/** Who decided that a finding is not reported: in the code, in its configuration, in the workspace, or before. */
export type SilencedBy = "comment" | "foreign_mark" | "configuration" | "workspace" | "baseline"

/** That a match is not reported, and why. */
export interface Silence {
  readonly by: SilencedBy
  readonly reason: string
  /** Line of the comment that says so, where it is in the file of the match. */
  readonly line?: number
}

/** A finding that is not reported. */
export interface SilencedFinding {
  readonly rule: string
  readonly path: string
  readonly line: number
  readonly by: SilencedBy
  readonly reason: string
}
