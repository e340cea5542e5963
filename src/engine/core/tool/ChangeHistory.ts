/** One commit without its author's name: authors are numbers that mean something within one history only. */
export interface ChangeCommit {
  readonly author: number
  /** Pairs of an index into `paths` and the number of lines added and removed there. */
  readonly changes: ReadonlyArray<readonly [path: number, lines: number]>
}

/** What the newest commits changed, newest first, by the names that files have now. */
export interface ChangeHistory {
  readonly paths: ReadonlyArray<string>
  readonly commits: ReadonlyArray<ChangeCommit>
}
