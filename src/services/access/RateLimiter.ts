import type { SqlClient } from "@effect/sql"
import { Clock, Context, Effect, Layer } from "effect"
import { RateLimited } from "../../schema/Errors.ts"
import { RateBucketsRepo } from "./RateBucketsRepo.ts"

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
  /** Takes one charge of each bucket back, for a call that turned out not to count. */
  readonly refund: (buckets: ReadonlyArray<RateBucket>) => Effect.Effect<void>
  /** Fills the buckets. */
  readonly reset: (keys: ReadonlyArray<string>) => Effect.Effect<void>
}

/**
 * GCRA: a bucket is one number, the theoretical arrival time (seconds) of the next call at an even rate. A call passes
 * while that time is less than a minute ahead.
 */
export class RateLimiter extends Context.Tag("RateLimiter")<RateLimiter, RateLimits>() {
  /** Exact within one process; for when exactly one process serves the API. */
  static readonly inProcess: Layer.Layer<RateLimiter> = Layer.effect(
    RateLimiter,
    // Counted from the start: seconds since 1970 leave too few digits for the steps, and the last call would be rejected.
    Effect.map(Clock.currentTimeMillis, (start) => {
      const arrivals = new Map<string, number>()
      let sweepAt = sweepAbove
      const take = (buckets: ReadonlyArray<RateBucket>) =>
        Effect.flatMap(Clock.currentTimeMillis, (millis) => {
          const now = (millis - start) / 1000
          const next = buckets.map((bucket) => Math.max(arrivals.get(bucket.key) ?? 0, now) + 60 / bucket.rpm)
          const verdict = judge(buckets, next, now)
          if ("state" in verdict) {
            buckets.forEach((bucket, i) => {
              arrivals.set(bucket.key, next[i]!)
            })
            if (arrivals.size > sweepAt) {
              sweep(arrivals, now)
              // Many that are still busy must not be looked through at every call.
              sweepAt = Math.max(sweepAbove, 2 * arrivals.size)
            }
          }
          return settle(verdict)
        })
      const refund = (buckets: ReadonlyArray<RateBucket>) =>
        Effect.sync(() => {
          for (const { key, rpm } of buckets) {
            const arrival = arrivals.get(key)
            if (arrival !== undefined) arrivals.set(key, arrival - 60 / rpm)
          }
        })
      const reset = (keys: ReadonlyArray<string>) =>
        Effect.sync(() => {
          for (const key of keys) arrivals.delete(key)
        })
      return { take, refund, reset }
    })
  )

  /** Shared by all API processes of one database. */
  static readonly shared: Layer.Layer<RateLimiter, never, SqlClient.SqlClient> = Layer.effect(
    RateLimiter,
    Effect.map(RateBucketsRepo, (repo) => {
      let calls = 0
      const take = Effect.fn("RateLimiter.take")(function* (buckets: ReadonlyArray<RateBucket>) {
        const now = (yield* Clock.currentTimeMillis) / 1000
        const charge = {
          keys: buckets.map((bucket) => bucket.key),
          steps: buckets.map((bucket) => 60 / bucket.rpm),
          now
        }
        if (++calls % sweepAbove === 0) yield* repo.deleteFull(now)
        let rows = yield* repo.charge(charge)
        // More than once only when another process forgets a row between the two statements.
        while (rows.length < buckets.length) {
          yield* repo.insertMissing(charge)
          rows = yield* repo.charge(charge)
        }
        const arrival = new Map(rows.map((row) => [row.key, row.tat]))
        return yield* settle(
          judge(
            buckets,
            buckets.map(({ key }) => arrival.get(key) ?? now),
            now
          )
        )
      })
      const refund = (buckets: ReadonlyArray<RateBucket>) =>
        repo.refund({ keys: buckets.map(({ key }) => key), steps: buckets.map(({ rpm }) => 60 / rpm) })
      return { take, refund, reset: repo.delete }
    })
  ).pipe(Layer.provide(RateBucketsRepo.Default))
}

/** The state of the bucket that rejected a call, as the call may report it. */
export const stateOfRejection = ({ details, retryAfterSeconds }: RateLimited): RateState => ({
  name: String(details?.bucket),
  rpm: Number(details?.requests_per_minute),
  remaining: 0,
  resetSeconds: retryAfterSeconds ?? 60
})

type Verdict = { readonly state: RateState } | { readonly rejectedBy: RateBucket; readonly waitSeconds: number }

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
  if (slowest.waitSeconds > 0) return { rejectedBy: slowest.bucket, waitSeconds: slowest.waitSeconds }
  return states.reduce((a, b) => (b.state.remaining < a.state.remaining ? b : a))
}

const settle = (verdict: Verdict): Effect.Effect<RateState, RateLimited> =>
  "state" in verdict
    ? Effect.succeed(verdict.state)
    : Effect.fail(
        new RateLimited({
          message: `More than ${verdict.rejectedBy.rpm} calls per minute (${verdict.rejectedBy.name}); try again in ${verdict.waitSeconds} s.`,
          retryAfterSeconds: verdict.waitSeconds,
          details: { bucket: verdict.rejectedBy.name, requests_per_minute: verdict.rejectedBy.rpm }
        })
      )

const sweepAbove = 10_000

const sweep = (arrivals: Map<string, number>, now: number) => {
  for (const [key, tat] of arrivals) if (tat <= now) arrivals.delete(key)
}
