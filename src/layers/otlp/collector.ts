import { Duration, Effect, type Scope } from "effect"
import { Agent, request as send } from "undici"
import { authoritiesOf } from "../certificates.ts"

export interface ExporterOptions {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly timeoutMillis: number
  readonly extraAuthorities: string | null
}

/** Why the collector has not taken a request; the text names neither its address nor its headers. */
interface NotTaken {
  readonly reason: string
  /** Whether the same request may be taken later, and when: as OTLP says. */
  readonly retryAfter: Duration.Duration | null
}

const retryable: ReadonlySet<number> = new Set([429, 502, 503, 504])
const pause = Duration.seconds(5)
const longestPause = Duration.seconds(30)

const pauseOf = (retryAfter: unknown) => {
  const seconds = Number(retryAfter)
  return Number.isFinite(seconds) && seconds > 0 ? Duration.min(Duration.seconds(seconds), longestPause) : pause
}

const codeOf = (error: unknown) =>
  error instanceof Error ? ("code" in error && typeof error.code === "string" ? error.code : error.name) : "unknown"

/** Posts one document after another to a collector; each has a limit of time. */
export const collectorOf = ({ url, headers, timeoutMillis, extraAuthorities }: ExporterOptions) => {
  const { ca } = authoritiesOf(extraAuthorities)
  const dispatcher = new Agent({ connections: 1, connect: ca === undefined ? {} : { ca: [...ca] } })
  const post = async (document: object, signal: AbortSignal): Promise<NotTaken | null> => {
    const {
      statusCode,
      headers: answer,
      body
    } = await send(url, {
      dispatcher,
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify(document),
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMillis)])
    })
    await body.dump()
    if (statusCode >= 200 && statusCode < 300) return null
    const retryAfter = retryable.has(statusCode) ? pauseOf(answer["retry-after"]) : null
    return { reason: `status ${statusCode}`, retryAfter }
  }
  return {
    post: (document: object): Effect.Effect<void, NotTaken> =>
      Effect.flatMap(
        Effect.tryPromise({
          try: (signal) => post(document, signal),
          catch: (error): NotTaken => ({ reason: codeOf(error), retryAfter: pause })
        }),
        (notTaken) => (notTaken === null ? Effect.void : Effect.fail(notTaken))
      ),
    close: Effect.promise(() => dispatcher.destroy())
  }
}

export interface BatchOptions<A> extends ExporterOptions {
  readonly everyMillis: number
  /** Items beyond it are dropped while the collector does not take them. */
  readonly queueSize: number
  readonly documentOf: (items: ReadonlyArray<A>) => object
}

const batchSize = 512
const attempts = 3
const longestLastFlush = Duration.seconds(2)

/**
 * Sends what is pushed in batches, one request at a time. Pushing never waits and never fails: what the collector does not
 * take in time is dropped and counted in the log.
 */
export const batches = <A>(options: BatchOptions<A>): Effect.Effect<(item: A) => void, never, Scope.Scope> =>
  Effect.gen(function* () {
    const collector = collectorOf(options)
    const due = yield* Effect.makeLatch(false)
    let queue: Array<A> = []
    let dropped = 0
    let isFailing = false

    const report = (reason: string | null) => {
      if (reason !== null) {
        if (isFailing) return Effect.void
        isFailing = true
        return Effect.logWarning(`The OpenTelemetry collector takes nothing (${reason}).`)
      }
      if (!isFailing) return Effect.void
      const message = `The OpenTelemetry collector takes traces again; ${dropped} spans were dropped.`
      isFailing = false
      dropped = 0
      return Effect.logInfo(message)
    }

    const deliver = (items: ReadonlyArray<A>, left: number): Effect.Effect<void> =>
      Effect.matchEffect(
        Effect.suspend(() => collector.post(options.documentOf(items))),
        {
          onSuccess: () => report(null),
          onFailure: ({ reason, retryAfter }) =>
            Effect.zipRight(
              report(reason),
              retryAfter === null || left <= 1
                ? Effect.sync(() => {
                    dropped += items.length
                  })
                : Effect.delay(deliver(items, left - 1), retryAfter)
            )
        }
      )

    const flush: Effect.Effect<void> = Effect.suspend(() => {
      if (queue.length === 0) return Effect.void
      const items = queue.slice(0, batchSize)
      queue = queue.slice(batchSize)
      return Effect.zipRight(deliver(items, attempts), flush)
    })

    yield* Effect.addFinalizer(() =>
      flush.pipe(
        Effect.interruptible,
        Effect.timeoutOption(Duration.min(Duration.millis(options.timeoutMillis), longestLastFlush)),
        Effect.zipRight(collector.close)
      )
    )
    const turn = due.await.pipe(
      Effect.timeoutOption(Duration.millis(options.everyMillis)),
      Effect.zipRight(due.close),
      Effect.zipRight(flush),
      Effect.catchAllCause((cause) => Effect.logWarning("Spans could not be sent.", cause))
    )
    yield* Effect.forkScoped(Effect.forever(turn))
    return (item) => {
      if (queue.length >= options.queueSize) {
        dropped++
        return
      }
      queue.push(item)
      if (queue.length === batchSize) due.unsafeOpen()
    }
  })
