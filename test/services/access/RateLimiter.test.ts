import { SqlClient } from "@effect/sql"
import { assert, describe, it, layer } from "@effect/vitest"
import { Context, Effect, Either, Layer, TestClock } from "effect"
import { Uuid } from "../../../src/schema/Text.ts"
import { RateBucketsRepo } from "../../../src/services/access/RateBucketsRepo.ts"
import { type RateBucket, RateLimiter, type RateLimits } from "../../../src/services/access/RateLimiter.ts"
import { newId } from "../../../src/services/support/ids.ts"
import { Database } from "../../support/Database.ts"

/** Buckets that no other test uses. */
const aBucket = (name: string, rpm: number) =>
  Effect.map(newId(Uuid), (id): RateBucket => ({ key: `${id}/${name}`, name, rpm }))

const passes = (limits: RateLimits, buckets: ReadonlyArray<RateBucket>) =>
  Effect.map(Effect.either(limits.take(buckets)), Either.isRight)

const countPasses = (limits: RateLimits, buckets: ReadonlyArray<RateBucket>, calls: number, concurrency = 1) =>
  Effect.map(
    Effect.all(
      Array.from({ length: calls }, () => passes(limits, buckets)),
      { concurrency }
    ),
    (results) => results.filter(Boolean).length
  )

const behaves = (it: (title: string, test: (limits: RateLimits) => Effect.Effect<void, unknown>) => void) => {
  it("a bucket of N per minute lets N calls through at once, then refills evenly", (limits) =>
    Effect.gen(function* () {
      const bucket = yield* aBucket("plan", 30)
      assert.strictEqual(yield* countPasses(limits, [bucket], 40), 30)
      yield* TestClock.adjust("1900 millis")
      assert.strictEqual(yield* countPasses(limits, [bucket], 5), 0)
      yield* TestClock.adjust("100 millis")
      assert.strictEqual(yield* countPasses(limits, [bucket], 5), 1)
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual(yield* countPasses(limits, [bucket], 9), 5)
      yield* TestClock.adjust("10 minutes")
      assert.strictEqual(yield* countPasses(limits, [bucket], 40), 30)
    }))

  it("Retry-After is true: waiting so long succeeds, for any rate", (limits) =>
    Effect.gen(function* () {
      for (const rpm of [1, 7, 59, 61]) {
        const bucket = yield* aBucket("key", rpm)
        assert.strictEqual(yield* countPasses(limits, [bucket], rpm + 1), rpm, `${rpm}`)
        const rejected = yield* Effect.flip(limits.take([bucket]))
        assert.strictEqual(rejected.retryAfterSeconds, Math.ceil(60 / rpm), `${rpm}`)
        yield* TestClock.adjust(`${rejected.retryAfterSeconds ?? 0} seconds`)
        assert.isTrue(yield* passes(limits, [bucket]), `${rpm}`)
      }
    }))

  it("of several buckets all are charged or none", (limits) =>
    Effect.gen(function* () {
      const [wide, narrow] = [yield* aBucket("plan", 10), yield* aBucket("job_submit", 2)]
      assert.strictEqual(yield* countPasses(limits, [wide, narrow], 9), 2)
      const rejected = yield* Effect.flip(limits.take([wide, narrow]))
      assert.deepStrictEqual(rejected.details, { bucket: "job_submit", requests_per_minute: 2 })
      assert.strictEqual(yield* countPasses(limits, [wide], 20), 8)
    }))

  it("the state is that of the bucket with the least left", (limits) =>
    Effect.gen(function* () {
      const [wide, narrow] = [yield* aBucket("plan", 60), yield* aBucket("repo_register", 10)]
      assert.deepStrictEqual(yield* limits.take([wide, narrow]), {
        name: "repo_register",
        rpm: 10,
        remaining: 9,
        resetSeconds: 6
      })
      const { remaining, name } = yield* limits.take([wide])
      assert.deepStrictEqual([name, remaining], ["plan", 58])
    }))

  it("calls at the same time are counted exactly", (limits) =>
    Effect.gen(function* () {
      for (const rpm of [1, 2, 25]) {
        const bucket = yield* aBucket("key", rpm)
        assert.strictEqual(yield* countPasses(limits, [bucket], rpm + 20, rpm + 20), rpm)
      }
    }))
}

describe("limits within one process", () => {
  it.effect("Retry-After is true for rates whose steps are no whole numbers of anything", () =>
    Effect.gen(function* () {
      const limits = yield* RateLimiter
      for (const rpm of [600, 601]) {
        const bucket = yield* aBucket("plan", rpm)
        assert.strictEqual(yield* countPasses(limits, [bucket], rpm + 5), rpm)
        yield* TestClock.adjust("1 second")
        assert.strictEqual(yield* countPasses(limits, [bucket], rpm), Math.floor(rpm / 60))
      }
    }).pipe(Effect.provide(RateLimiter.inProcess))
  )

  behaves((title, test) =>
    it.effect(title, () => Effect.provide(Effect.flatMap(RateLimiter, test), RateLimiter.inProcess))
  )
})

layer(Database)("limits shared over the database", (it) => {
  const aLimiter = Effect.map(Layer.build(Layer.fresh(RateLimiter.shared)), Context.get(RateLimiter))

  behaves((title, test) => it.scoped(title, () => Effect.flatMap(aLimiter, test)))

  it.scoped("two processes let exactly N calls through together, also the very first", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* aLimiter, yield* aLimiter]
      for (const rpm of [1, 1, 1, 1, 3, 20]) {
        const buckets = [yield* aBucket("plan", 1000), yield* aBucket("key", rpm)]
        const passed = yield* Effect.all(
          [countPasses(one, buckets, rpm + 5, 10), countPasses(other, [...buckets].reverse(), rpm + 5, 10)],
          { concurrency: 2 }
        )
        assert.strictEqual(passed[0] + passed[1], rpm)
      }
    })
  )

  it.effect("buckets that have been full for a minute are forgotten", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const repo = yield* RateBucketsRepo
      const kept = { keys: ["kept"], steps: [1], now: 1000 }
      yield* repo.insertMissing({ keys: ["full"], steps: [1], now: 999 })
      yield* repo.insertMissing(kept)
      yield* repo.charge(kept)
      yield* repo.deleteFull(1060)
      assert.deepStrictEqual(yield* sql`SELECT key, tat FROM rate_buckets WHERE key IN ('full', 'kept')`, [
        { key: "kept", tat: 1001 }
      ])
    }).pipe(Effect.provide(RateBucketsRepo.Default))
  )
})
