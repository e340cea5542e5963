import { Deferred, Effect, FiberId, FiberSet, type Scope } from "effect"

/** Reads of one process that several fibers want at the same moment. */
export interface SharedReads<A> {
  /**
   * Those that ask by the same key before the read starts share it; later ones start another, since what they ask for may
   * have been written meanwhile. The read goes on when the fiber that started it is interrupted.
   */
  readonly once: (key: string, read: Effect.Effect<A>) => Effect.Effect<A>
}

export const make = <A>(): Effect.Effect<SharedReads<A>, never, Scope.Scope> =>
  Effect.map(FiberSet.make(), (fibers) => {
    const starting = new Map<string, Deferred.Deferred<A>>()
    return {
      once: (key, read) =>
        Effect.suspend(() => {
          const known = starting.get(key)
          if (known !== undefined) return Deferred.await(known)
          const answer = Deferred.unsafeMake<A>(FiberId.none)
          starting.set(key, answer)
          const reading = Effect.yieldNow().pipe(
            Effect.zipRight(Effect.sync(() => starting.delete(key))),
            Effect.zipRight(Effect.intoDeferred(read, answer))
          )
          return Effect.zipRight(FiberSet.run(fibers, reading), Deferred.await(answer))
        })
    }
  })
