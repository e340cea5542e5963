import { SqlClient } from "@effect/sql"
import { Clock, Context, Effect, Layer } from "effect"
import { RateLimited } from "../../schema/Errors.ts"

/** One counter: `rpm` calls at once, refilled evenly over a minute. */
export interface RateBucket {
  readonly key: string
  readonly name: string
  readonly rpm: number
}

/** State of the tightest bucket after a call. */
export interface RateState {
  readonly name: string
  readonly rpm: number
  readonly remaining: number
  /** Seconds until the bucket is full again. */
  readonly resetSeconds: number
}

export interface RateLimits {
  /** `buckets` is not empty. Charges every bucket, or none and fails when one of them is empty; `Retry-After` says when this call would pass. */
  readonly take: (buckets: ReadonlyArray<RateBucket>) => Effect.Effect<RateState, RateLimited>
}

/**
 * GCRA: a bucket is one number, the theoretical arrival time (seconds) of the next call at an even rate. A call passes
 * while that time is less than a minute ahead.
 */
export class RateLimiter extends Context.Tag("RateLimiter")<RateLimiter, RateLimits>() {
  /** Exact within one process; for when exactly one process serves the API. */
  static readonly inProcess: Layer.Layer<RateLimiter> = Layer.effect(
    RateLimiter,
    Effect.sync(() => {
      const arrivals = new Map<string, number>()
      const take = (buckets: ReadonlyArray<RateBucket>) =>
        Effect.flatMap(Clock.currentTimeMillis, (millis) => {
          const now = millis / 1000
          const next = buckets.map((bucket) => Math.max(arrivals.get(bucket.key) ?? 0, now) + 60 / bucket.rpm)
          const verdict = judge(buckets, next, now)
          if ("state" in verdict) {
            buckets.forEach((bucket, i) => {
              arrivals.set(bucket.key, next[i]!)
            })
            if (arrivals.size > sweepAbove) sweep(arrivals, now)
          }
          return settle(verdict)
        })
      return { take }
    })
  )

  /** Shared by all API processes of one database. */
  static readonly shared: Layer.Layer<RateLimiter, never, SqlClient.SqlClient> = Layer.effect(
    RateLimiter,
    Effect.map(SqlClient.SqlClient, (sql) => {
      // Rows are locked in key order, judged together and charged together; a missing row is made first, so that two
      // first calls cannot both find an untouched bucket.
      const charge = (keys: ReadonlyArray<string>, steps: ReadonlyArray<number>, now: number) => sql<{
        key: string
        tat: number
      }>`
        WITH want AS (SELECT * FROM unnest(${keys}::text[], ${steps}::float8[]) AS w (key, step)),
        locked AS (
          SELECT b.key, b.tat FROM rate_buckets b JOIN want USING (key) ORDER BY b.key FOR UPDATE OF b
        ),
        next AS (SELECT l.key, greatest(l.tat, ${now}::float8) + w.step AS tat FROM locked l JOIN want w USING (key)),
        charged AS (
          UPDATE rate_buckets b SET tat = n.tat FROM next n
          WHERE b.key = n.key
            AND (SELECT count(*) = ${keys.length}::int AND bool_and(tat - ${now}::float8 <= 60) FROM next)
        )
        SELECT key, tat FROM next`
      const take = Effect.fn("RateLimiter.take")(function* (buckets: ReadonlyArray<RateBucket>) {
        const now = (yield* Clock.currentTimeMillis) / 1000
        const keys = buckets.map((bucket) => bucket.key)
        const steps = buckets.map((bucket) => 60 / bucket.rpm)
        let rows = yield* Effect.orDie(charge(keys, steps, now))
        if (rows.length < keys.length) {
          yield* Effect.orDie(
            sql`INSERT INTO rate_buckets (key, tat) SELECT key, 0 FROM unnest(${keys}::text[]) AS k (key)
              ORDER BY key ON CONFLICT DO NOTHING`
          )
          rows = yield* Effect.orDie(charge(keys, steps, now))
        }
        const arrival = new Map(rows.map((row) => [row.key, row.tat]))
        return yield* settle(
          judge(
            buckets,
            keys.map((key) => arrival.get(key) ?? now),
            now
          )
        )
      })
      return { take }
    })
  )
}

type Verdict = { readonly state: RateState } | { readonly refusedBy: RateBucket; readonly waitSeconds: number }

// Sums of 1/rpm steps drift by some 1e-10 s; a call must not be refused for that.
const epsilon = 1e-6

const judge = (buckets: ReadonlyArray<RateBucket>, next: ReadonlyArray<number>, now: number): Verdict => {
  const states = buckets.map((bucket, i) => {
    const ahead = next[i]! - now
    return {
      bucket,
      waitSeconds: ahead > 60 + epsilon ? Math.max(1, Math.ceil(ahead - 60)) : 0,
      state: {
        name: bucket.name,
        rpm: bucket.rpm,
        remaining: Math.max(0, Math.floor(((60 - ahead) * bucket.rpm) / 60 + epsilon)),
        resetSeconds: Math.max(0, Math.ceil(ahead))
      }
    }
  })
  const slowest = states.reduce((a, b) => (b.waitSeconds > a.waitSeconds ? b : a))
  if (slowest.waitSeconds > 0) return { refusedBy: slowest.bucket, waitSeconds: slowest.waitSeconds }
  return states.reduce((a, b) => (b.state.remaining < a.state.remaining ? b : a))
}

const settle = (verdict: Verdict): Effect.Effect<RateState, RateLimited> =>
  "state" in verdict
    ? Effect.succeed(verdict.state)
    : Effect.fail(
        new RateLimited({
          message: `More than ${verdict.refusedBy.rpm} calls per minute (${verdict.refusedBy.name}); try again in ${verdict.waitSeconds} s.`,
          retryAfterSeconds: verdict.waitSeconds,
          details: { bucket: verdict.refusedBy.name, requests_per_minute: verdict.refusedBy.rpm }
        })
      )

const sweepAbove = 10_000

const sweep = (arrivals: Map<string, number>, now: number) => {
  for (const [key, tat] of arrivals) if (tat <= now) arrivals.delete(key)
}
