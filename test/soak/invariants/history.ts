/** One call on something that all clients share. All times are milliseconds of one monotonic clock. */
export interface SharedCall {
  /** Whose key it was: clients of one key are one holder of claims. */
  readonly client: number
  readonly action:
    | "claim"
    | "release"
    | "status"
    | "put"
    | "patch"
    | "disable"
    | "restore"
    | "file"
    | "note"
    | "close"
    | "reopen"
  /** The issue or the key of the entry. */
  readonly subject: string
  readonly outcome: "ok" | "open" | "rejected"
  readonly invokedAt: number
  /** Infinity when it is open what became of the call. */
  readonly answeredAt: number
  readonly fence: number | null
  /** ID and version of an entry, as the response has them. */
  readonly entry: { readonly id: string; readonly version: number } | null
  readonly mark: string | null
}

/** Calls of a key with a limit, over all processes. */
export interface Limited {
  readonly perMinute: number
  readonly seconds: number
  readonly accepted: number
  readonly rejected: number
  /** Calls without a response, which may have been charged. */
  readonly open: number
}

export interface EntryEvent {
  readonly entry_id: string
  readonly key: string
  readonly version: number
  readonly event: string
}

export interface StatusEvent {
  readonly subject: string
  readonly event: string
  readonly from: string
  readonly to: string
}

/** What the database holds in the end, each list in the order in which it was written. */
export interface KeptState {
  readonly entryEvents: ReadonlyArray<EntryEvent>
  readonly entries: ReadonlyArray<{
    readonly id: string
    readonly version: number
    readonly enabled: boolean
    readonly key: string
  }>
  readonly issueMoves: ReadonlyArray<StatusEvent>
  readonly observationMoves: ReadonlyArray<StatusEvent>
  readonly issues: ReadonlyArray<{ readonly ref: string; readonly title: string }>
  /** Credit at the beginning and at the end, and what was settled meanwhile, in US dollars. */
  readonly money: { readonly before: number; readonly after: number; readonly settled: number }
  readonly recorded: ReadonlyArray<{ readonly kind: string; readonly changes: number; readonly records: number }>
}
