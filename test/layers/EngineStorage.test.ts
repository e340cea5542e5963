import { MessageStorage, RunnerAddress, RunnerStorage, ShardId, ShardingConfig } from "@effect/cluster"
import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import * as EngineStorage from "../../src/layers/EngineStorage.ts"
import * as JobEngine from "../../src/layers/JobEngine.ts"
import { layerFromUrl } from "../../src/layers/Sql.ts"
import { Database, TestDatabase } from "../support/Database.ts"

const workers = 8

/** As a worker starts: with a pool of its own. */
const started = Effect.gen(function* () {
  const { url } = yield* TestDatabase
  const storage = EngineStorage.layer.pipe(
    Layer.provide(ShardingConfig.layer({ shardLockDisableAdvisory: true })),
    Layer.provide(layerFromUrl(url, JobEngine.poolOptions))
  )
  return yield* Layer.build(storage)
})

const address = RunnerAddress.make("localhost", 34431)
const shards = Array.from({ length: 20 }, (_, index) => ShardId.make("default", index + 1))

const shardsTaken = (storage: typeof EngineStorage.layer) =>
  Effect.gen(function* () {
    const { url } = yield* TestDatabase
    const context = yield* Layer.build(
      storage.pipe(Layer.provide(ShardingConfig.layer({})), Layer.provide(layerFromUrl(url, JobEngine.poolOptions)))
    )
    return yield* Context.get(context, RunnerStorage.RunnerStorage).acquire(address, shards)
  })

layer(Database, { excludeTestServices: true })("the process that runs all jobs", (it) => {
  it.scoped("owns all shards at once, also while PostgreSQL still has the connection of a killed predecessor", () =>
    Effect.gen(function* () {
      const predecessor = yield* shardsTaken(EngineStorage.layer)
      const successor = yield* shardsTaken(EngineStorage.layerSingle)
      assert.deepStrictEqual([predecessor.length, successor.length], [shards.length, shards.length])
    })
  )
})

layer(Database, { excludeTestServices: true })("workers that start together on a new database", (it) => {
  it.scoped(
    "all find the engine's tables, which are created once",
    () =>
      Effect.gen(function* () {
        const contexts = yield* Effect.all(
          Array.from({ length: workers }, () => started),
          { concurrency: "unbounded" }
        )
        for (const context of contexts) {
          assert.deepStrictEqual(yield* Context.get(context, RunnerStorage.RunnerStorage).getRunners, [])
          assert.deepStrictEqual(yield* Context.get(context, MessageStorage.MessageStorage).unprocessedMessages([]), [])
        }
        const sql = yield* SqlClient.SqlClient
        const held = yield* sql`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND database = (
          SELECT oid FROM pg_database WHERE datname = current_database())`
        assert.deepStrictEqual(held, [])
      }),
    600_000
  )
})
