import { ShardId, Sharding } from "@effect/cluster"
import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Layer, Logger, LogLevel, Scope, TestClock } from "effect"
import * as EngineLock from "../../src/layers/EngineLock.ts"
import * as EngineWatchdog from "../../src/layers/EngineWatchdog.ts"
import * as JobEngine from "../../src/layers/JobEngine.ts"
import { layerFromUrl } from "../../src/layers/Sql.ts"
import { asOwner, Database, EmptyDatabase, TestDatabase } from "../support/Database.ts"

const start = (mode: EngineLock.EngineMode, scope: Scope.Scope, end: (status: number) => Effect.Effect<void>) =>
  Effect.gen(function* () {
    const { url } = yield* TestDatabase
    const lock = EngineLock.layer(mode).pipe(
      Layer.provide(layerFromUrl(url, JobEngine.poolOptions)),
      Layer.provide(Layer.succeed(EngineLock.EndProcess, end)),
      Layer.provide(Logger.minimumLogLevel(LogLevel.None))
    )
    return yield* Layer.buildWithScope(lock, scope)
  })

const neverEnds = () => Effect.die("the process must not end")

/** Lets the clock run while the database answers in its own time. */
const turning = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const fiber = yield* Effect.fork(effect)
    const turn = Effect.zipRight(TestClock.adjust("250 millis"), sql`SELECT 1`)
    return yield* Effect.raceFirst(Fiber.join(fiber), Effect.forever(turn))
  })

const starts = (mode: EngineLock.EngineMode) =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const exit = yield* Effect.exit(turning(start(mode, scope, neverEnds)))
    return { started: Exit.isSuccess(exit), exit, stop: Scope.close(scope, Exit.void) }
  })

layer(Database)("the two ways to run jobs", (it) => {
  it.effect("exclude each other on one database, with a clear error", () =>
    Effect.gen(function* () {
      const alone = yield* starts("single")
      assert.isTrue(alone.started)
      for (const mode of ["single", "cluster"] as const) {
        const other = yield* starts(mode)
        assert.isFalse(other.started)
        assert.include(String(other.exit), "EngineTaken")
        yield* other.stop
      }
      yield* alone.stop
      const [first, second] = [yield* starts("cluster"), yield* starts("cluster")]
      assert.deepStrictEqual([first.started, second.started], [true, true])
      assert.isFalse((yield* starts("single")).started)
      yield* first.stop
      yield* second.stop
      const again = yield* starts("single")
      assert.isTrue(again.started)
      yield* again.stop
    })
  )

  it.effect("stay exclusive: a process that lost its hold to another ends itself for a restart", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const ended = yield* Deferred.make<number>()
      yield* turning(start("single", scope, (status) => Effect.asVoid(Deferred.succeed(ended, status))))
      // Its connection breaks and another process is quicker.
      const taken = yield* Effect.forkDaemon(
        asOwner(
          Effect.flatMap(SqlClient.SqlClient, (owner) =>
            owner.withTransaction(
              Effect.gen(function* () {
                yield* owner`
                  SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'
                    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
                yield* owner`SELECT pg_advisory_xact_lock(hashtextextended('assay/engine', 0))`
                yield* Effect.never
              })
            )
          )
        )
      )
      assert.strictEqual(yield* turning(Deferred.await(ended)), 70)
      yield* Fiber.interrupt(taken)
      yield* Scope.close(scope, Exit.void)
    })
  )
})

const messages = Layer.effectDiscard(
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`
      CREATE TABLE cluster_messages (id bigint, shard_id text, processed boolean, last_read timestamp,
        deliver_at bigint, request_id bigint);
      CREATE TABLE cluster_replies (request_id bigint, kind integer, acked boolean);
      INSERT INTO cluster_replies VALUES (1, 0, true)`
  )
)

layer(Layer.provideMerge(messages, EmptyDatabase))("a worker's watchdog", (it) => {
  it.effect("ends the process when messages of its own shards stay unread, and only then", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const scope = yield* Scope.make()
      const ended = yield* Deferred.make<number>()
      yield* TestClock.setTime(Date.UTC(2026, 0, 1))
      const watchdog = EngineWatchdog.layer.pipe(
        Layer.provide(
          Layer.mock(Sharding.Sharding, {
            getShardId: () => ShardId.make("default", 7),
            hasShardId: (shard) => shard.group === "default" && shard.id === 7
          })
        ),
        Layer.provide(
          Layer.succeed(EngineLock.EndProcess, (status: number) => Effect.asVoid(Deferred.succeed(ended, status)))
        ),
        Layer.provide(Logger.minimumLogLevel(LogLevel.None))
      )
      yield* Layer.buildWithScope(watchdog, scope)
      const rounds = Effect.forEach(
        Array.from({ length: 10 }),
        () => Effect.zipRight(TestClock.adjust("5 seconds"), sql`SELECT pg_sleep(0)`),
        { discard: true }
      )
      yield* sql`INSERT INTO cluster_messages VALUES (1, 'default:8', false, null, null, 2),
        (1, 'default:7', true, null, null, 2), (1, 'default:7', false, now(), null, 2),
        (1, 'default:7', false, null, null, 1)`
      yield* rounds
      assert.isFalse(yield* Deferred.isDone(ended))
      yield* sql`INSERT INTO cluster_messages VALUES (1, 'default:7', false, null, null, 2)`
      assert.strictEqual(yield* turning(Deferred.await(ended)), 70)
      yield* Scope.close(scope, Exit.void)
    })
  )
})
