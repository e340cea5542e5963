import { PgClient } from "@effect/sql-pg"
import { Deferred, Effect, Layer, Option, Queue, Redacted, Schedule, Stream } from "effect"
import pg from "pg"
import { Notifications } from "../services/ports/Notifications.ts"

type Message = Option.Option<string>
type Inbox = Queue.Queue<Message>

/** What one subscriber may fall behind before it is notified to read the state again instead. */
const inboxSize = 1024

/** A channel's subscribers: those of every message, and those of one payload. */
class Subscribers {
  private readonly ofAll = new Set<Inbox>()
  private readonly ofPayload = new Map<string, Set<Inbox>>()

  /** Whether the current connection listens on the channel. */
  isHeard = false

  private setOf(payload: string | undefined) {
    return payload === undefined ? this.ofAll : this.ofPayload.get(payload)
  }

  add(inbox: Inbox, payload: string | undefined) {
    const known = this.setOf(payload) ?? new Set()
    if (payload !== undefined) this.ofPayload.set(payload, known)
    known.add(inbox)
  }

  remove(inbox: Inbox, payload: string | undefined) {
    const known = this.setOf(payload)
    known?.delete(inbox)
    if (payload !== undefined && known?.size === 0) this.ofPayload.delete(payload)
  }

  deliver(payload: string) {
    const message = Option.some(payload)
    for (const inbox of this.ofAll) unsafeDeliver(inbox, message)
    for (const inbox of this.ofPayload.get(payload) ?? []) unsafeDeliver(inbox, message)
  }

  /** To every subscriber: some messages may have been missed. */
  reset() {
    for (const inboxes of [this.ofAll, ...this.ofPayload.values()]) {
      for (const inbox of inboxes) unsafeDeliver(inbox, Option.none())
    }
  }
}

const unsafeDeliver = (inbox: Inbox, message: Message) => {
  if (inbox.unsafeOffer(message)) return
  Effect.runSync(Queue.takeAll(inbox))
  inbox.unsafeOffer(Option.none())
}

const clientConfig = (config: PgClient.PgClientConfig): pg.ClientConfig => ({
  ...(config.url === undefined
    ? {
        host: config.host,
        port: config.port,
        user: config.username,
        password: config.password === undefined ? undefined : Redacted.value(config.password),
        database: config.database,
        ssl: config.ssl
      }
    : { connectionString: Redacted.value(config.url) }),
  application_name: "assay notifications",
  connectionTimeoutMillis: 10_000,
  keepAlive: true
})

/** The channels that have subscribers, and the current connection. */
class Board {
  private readonly channels = new Map<string, Subscribers>()
  private client: pg.Client | undefined
  private last: Promise<unknown> = Promise.resolve()

  /** LISTEN on every channel; subscribers that wait for one are notified when it is in force. */
  attach(client: pg.Client) {
    this.client = client
    this.last = Promise.resolve()
    for (const [channel, subscribers] of this.channels) this.listen(channel, subscribers)
  }

  detach() {
    this.client = undefined
    for (const subscribers of this.channels.values()) subscribers.isHeard = false
  }

  deliver({ channel, payload }: pg.Notification) {
    this.channels.get(channel)?.deliver(payload ?? "")
  }

  join(channel: string, inbox: Inbox, payload: string | undefined) {
    const known = this.channels.get(channel)
    const subscribers = known ?? new Subscribers()
    subscribers.add(inbox, payload)
    if (subscribers.isHeard) return unsafeDeliver(inbox, Option.none())
    if (known !== undefined) return
    this.channels.set(channel, subscribers)
    this.listen(channel, subscribers)
  }

  /** The channel stays: there are few, and each stage of a job joins one for its time. */
  leave(channel: string, inbox: Inbox, payload: string | undefined) {
    this.channels.get(channel)?.remove(inbox, payload)
  }

  /** Statements one after the other: a client is not to be given two at once. */
  query(client: pg.Client, statement: string): Promise<unknown> {
    const answer = this.last.then(() => client.query(statement))
    this.last = answer.catch(() => undefined)
    return answer
  }

  /** A failure is the connection's end, which brings a new one. */
  private listen(channel: string, subscribers: Subscribers) {
    const client = this.client
    if (client === undefined) return
    const heard = () => {
      if (this.client !== client) return
      subscribers.isHeard = true
      subscribers.reset()
    }
    this.query(client, `LISTEN ${client.escapeIdentifier(channel)}`).then(heard, () => undefined)
  }
}

const connection = (config: pg.ClientConfig, board: Board) =>
  Effect.gen(function* () {
    const ended = yield* Deferred.make<never, Error>()
    const client = yield* Effect.acquireRelease(
      Effect.sync(() => {
        const client = new pg.Client(config)
        client.on("error", (error) => Deferred.unsafeDone(ended, Effect.fail(error)))
        client.on("end", () => Deferred.unsafeDone(ended, Effect.fail(new Error("the connection ended"))))
        client.on("notification", (message) => board.deliver(message))
        return client
      }),
      (client) =>
        Effect.zipRight(
          Effect.sync(() => board.detach()),
          Effect.promise(() => client.end().catch(() => undefined)).pipe(
            Effect.interruptible,
            Effect.timeoutOption("1 second")
          )
        )
    )
    yield* Effect.tryPromise({
      try: () => client.connect().then(() => board.attach(client)),
      catch: (cause) => (cause instanceof Error ? cause : new Error(String(cause)))
    }).pipe(Effect.raceFirst(Deferred.await(ended)))

    // A network that went silent ends no connection.
    const pulse = Effect.tryPromise({
      try: () => board.query(client, "SELECT 1"),
      catch: (cause) => (cause instanceof Error ? cause : new Error(String(cause)))
    }).pipe(
      Effect.timeoutFail({ duration: "10 seconds", onTimeout: () => new Error("the connection is silent") }),
      Effect.delay("30 seconds"),
      Effect.forever
    )
    return { lost: Effect.raceFirst(Deferred.await(ended), pulse) }
  })

const backOff = Schedule.exponential("100 millis").pipe(
  Schedule.union(Schedule.spaced("10 seconds")),
  Schedule.jittered
)

/** Connects, waits for the end and reports it; the back-off is reset after each success. */
const keepConnected = (config: pg.ClientConfig, board: Board) => {
  const once = Effect.gen(function* () {
    const { lost } = yield* connection(config, board).pipe(
      Effect.tapError((error) => Effect.logDebug(`Notifications cannot connect: ${error.message}`)),
      Effect.retry(backOff)
    )
    const error = yield* Effect.flip(lost)
    yield* Effect.logWarning(`Notifications lost their connection: ${error.message}`)
  }).pipe(Effect.scoped)
  return Effect.forever(once)
}

const longestChannel = 63
const longestPayload = 7999

const checked = (channel: string, payload: string) =>
  Buffer.byteLength(channel) > longestChannel || channel === ""
    ? Effect.dieMessage(`"${channel}" is no channel: its name must have 1 to ${longestChannel} bytes.`)
    : Buffer.byteLength(payload) > longestPayload
      ? Effect.dieMessage(`A notification on "${channel}" is longer than ${longestPayload} bytes.`)
      : Effect.void

/** LISTEN/NOTIFY with one connection for all channels, apart from the pool. */
export const layer = Layer.scoped(
  Notifications,
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const board = new Board()
    yield* Effect.forkScoped(Effect.interruptible(keepConnected(clientConfig(sql.config), board)))

    const subscribe = Effect.fnUntraced(function* (channel: string, payload?: string) {
      yield* checked(channel, payload ?? "")
      // Equal messages say the same, whatever their number.
      const size = payload === undefined ? inboxSize : 1
      const inbox = yield* Effect.acquireRelease(Queue.dropping<Message>(size), (inbox) =>
        Effect.zipRight(
          Effect.sync(() => board.leave(channel, inbox, payload)),
          Queue.shutdown(inbox)
        )
      )
      board.join(channel, inbox, payload)
      return inbox
    })

    const watch = (channel: string, payload?: string): Stream.Stream<Message> =>
      Stream.unwrapScoped(Effect.map(subscribe(channel, payload), (inbox) => Stream.fromQueue(inbox)))

    return {
      subscribe,
      watch,
      listen: (channel) => Stream.filterMap(watch(channel), (message) => message),
      notify: (channel, payload = "") =>
        Effect.zipRight(
          checked(channel, payload),
          Effect.orDie(Effect.asVoid(sql`SELECT pg_notify(${channel}, ${payload})`))
        )
    }
  })
)
