import { DateTime, Duration, Effect, Option } from "effect"

/** What is sent: claimed for an attempt, so that no other process sends it meanwhile. */
export interface Claimed<Id> {
  readonly workspace_id: string
  readonly id: Id
  readonly attempts: number
}

interface Attempt<A extends Claimed<unknown>> {
  readonly workspace_id: A["workspace_id"]
  readonly id: A["id"]
  readonly attempts: number
}

interface SendingRepo<A extends Claimed<unknown>> {
  readonly claimDue: (request: { readonly now: string; readonly until: string }) => Effect.Effect<Option.Option<A>>
  readonly markSent: (attempt: Attempt<A> & { readonly at: string }) => Effect.Effect<unknown>
  /** `next` null: no more attempts. */
  readonly markFailed: (
    attempt: Attempt<A> & { readonly error: string; readonly next: string | null }
  ) => Effect.Effect<unknown>
  readonly giveUp: (request: {
    readonly now: string
    readonly before: string
    readonly error: string
  }) => Effect.Effect<unknown>
}

interface Sending<A extends Claimed<unknown>, E extends { readonly message: string }> {
  readonly name: string
  /** What is sent, as the log names it. */
  readonly noun: string
  readonly repo: SendingRepo<A>
  readonly send: (item: A) => Effect.Effect<unknown, E>
  /** How long to wait before the next attempt; null for none. */
  readonly pauseAfter: (attempts: number, failure: E) => Duration.Duration | null
  /** Longer than the slowest conversation: only a sender that died holds an item as long. */
  readonly lease: Duration.Duration
  /** What was not accepted for so long is given up. */
  readonly patience: Duration.Duration
}

const interval = "15 seconds"

/** Twice as long after each attempt, within both bounds. */
export const growingPause = (attempts: number, first: Duration.Duration, longest: Duration.Duration) =>
  Duration.min(Duration.times(first, 2 ** Math.min(attempts - 1, 20)), longest)

/** Sends what is due; any number of processes may do so, each item is sent by one of them. */
export const sending = <A extends Claimed<unknown>, E extends { readonly message: string }>({
  name,
  noun,
  repo,
  send,
  pauseAfter,
  lease,
  patience
}: Sending<A, E>) => {
  const deliver = Effect.fn(`${name}.deliver`)(function* (item: A) {
    const { workspace_id, id, attempts } = item
    const sent = yield* Effect.either(send(item))
    const at = yield* DateTime.now
    if (sent._tag === "Right") return yield* repo.markSent({ workspace_id, id, attempts, at: DateTime.formatIso(at) })
    const { message } = sent.left
    yield* Effect.logWarning(`${noun} could not be sent: ${message}`).pipe(Effect.annotateLogs({ id, attempts }))
    const pause = pauseAfter(attempts, sent.left)
    const next = pause === null ? null : DateTime.formatIso(DateTime.addDuration(at, pause))
    return yield* repo.markFailed({ workspace_id, id, attempts, error: message, next })
  })

  const sendNext = Effect.gen(function* () {
    const at = yield* DateTime.now
    const until = DateTime.formatIso(DateTime.addDuration(at, lease))
    const item = yield* repo.claimDue({ now: DateTime.formatIso(at), until })
    if (Option.isSome(item)) yield* deliver(item.value)
    return Option.isSome(item)
    // Stopping in between would leave in doubt whether it was sent; time limits of the other side bound this.
  }).pipe(Effect.uninterruptible)

  /** Sends all that is due now. */
  const tick = Effect.fn(`${name}.tick`)(function* () {
    const at = yield* DateTime.now
    yield* repo.giveUp({
      now: DateTime.formatIso(at),
      before: DateTime.formatIso(DateTime.subtractDuration(at, patience)),
      error: `Not sent within ${Duration.format(patience)}.`
    })
    yield* Effect.repeat(sendNext, { while: (sent) => sent })
  })

  /** For ever, every 15 seconds. */
  const loop = Effect.forever(
    tick().pipe(
      Effect.catchAllCause((cause) => Effect.logWarning(`${name} could not do its work.`, cause)),
      Effect.zipRight(Effect.sleep(interval))
    )
  )

  return { tick, loop }
}
