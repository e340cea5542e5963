// What clients did with claims, as they saw it, and what the database kept of it. All times are milliseconds of one
// monotonic clock: that of the process that the clients run in.

export type Action =
  | "claim"
  | "renew"
  | "release"
  /** By a manager, who sends no fence. */
  | "withdraw"
  | "note"
  | "status"
  | "criterion"
  | "close"
  | "reopen"
  /** No call: the test itself moves the end of a lease into the past, or to a moment that is near. */
  | "expire"
  /** No call either: the service notices that a lease has ended. */
  | "lapse"

/** One call of a client. */
export interface Call {
  readonly client: string
  readonly issue: string
  readonly action: Action
  /** The fence that was sent; of `expire` that of the lease. */
  readonly fence: number | null
  readonly invokedAt: number
  /** Infinity when no response came; then the call may have taken effect or not. */
  readonly answeredAt: number
  /** `ok`, the code of the rejection, or `unanswered`. */
  readonly outcome: string
  /** The lease after an accepted claim or renewal, and after `expire`. */
  readonly granted: { readonly fence: number; readonly ends: number } | null
  /** A text that no other call sends and that its event keeps. */
  readonly mark: string | null
}

/** An event of an issue. */
export interface StoredEvent {
  readonly client: string
  readonly issue: string
  readonly action: Exclude<Action, "expire">
  readonly fence: number | null
  /** When the lease ends that it granted. */
  readonly ends: number | null
  readonly mark: string | null
}

/** The claim that an issue holds at the end. */
export interface FinalClaim {
  readonly issue: string
  /** The highest fence that was granted. */
  readonly fence: number
  readonly holder: string | null
}

export interface History {
  readonly calls: ReadonlyArray<Call>
  /** In the order in which they were written. */
  readonly events: ReadonlyArray<StoredEvent>
  readonly claims: ReadonlyArray<FinalClaim>
  /** How far the database's time may lie from where the clients believe it, in milliseconds. */
  readonly tolerance: number
}

export const isAccepted = ({ outcome }: Call): boolean => outcome === "ok"

/** Whether the call may have taken effect. */
export const mayHaveHappened = ({ outcome }: Call): boolean => outcome === "ok" || outcome === "unanswered"

export const grouped = <A>(
  items: ReadonlyArray<A>,
  keyOf: (item: A) => string
): ReadonlyMap<string, ReadonlyArray<A>> => {
  const groups = new Map<string, Array<A>>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}
