import { Context, type Effect, type Option, type Queue, type Scope, type Stream } from "effect"

/** Short messages between the processes that share a database. None is kept: what happened is in the tables. */
export class Notifications extends Context.Tag("Notifications")<
  Notifications,
  {
    /**
     * Payloads sent on a channel, and `None` whenever some may have been missed: once listening is in force, after each
     * reconnection, and when the subscriber fell behind. On `None` read the state again; the first one says when to start.
     * With `payload`, only messages that equal it: one among hundreds of subscribers costs nothing for those of the others.
     */
    readonly watch: (channel: string, payload?: string) => Stream.Stream<Option.Option<string>>
    /**
     * As `watch`, in a queue of its own, until the scope closes: a fiber less for each of hundreds. What else is to wake its
     * reader may put `None` there.
     */
    readonly subscribe: (
      channel: string,
      payload?: string
    ) => Effect.Effect<Queue.Queue<Option.Option<string>>, never, Scope.Scope>
    /** Payloads only, for those who lose nothing by missing some. */
    readonly listen: (channel: string) => Stream.Stream<string>
    /** Inside a transaction it is sent at COMMIT, or not at all. */
    readonly notify: (channel: string, payload?: string) => Effect.Effect<void>
  }
>() {}
