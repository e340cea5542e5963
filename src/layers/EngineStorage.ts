import { RunnerStorage, SqlMessageStorage, SqlRunnerStorage } from "@effect/cluster"
import { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"

const lockId = "hashtextextended('assay/engine/tables', 0)"

/**
 * Processes create the tables one after another: of two that do at the same moment, PostgreSQL fails one even with
 * `IF NOT EXISTS`.
 */
const inTurn = <A, E, R>(storage: Layer.Layer<A, E, R>) =>
  Layer.scopedContext(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const scope = yield* Effect.scope
      const built = Effect.gen(function* () {
        const connection = yield* sql.reserve
        yield* Effect.acquireRelease(connection.execute(`SELECT pg_advisory_lock(${lockId})`, [], undefined), () =>
          Effect.ignore(connection.execute(`SELECT pg_advisory_unlock(${lockId})`, [], undefined))
        )
        return yield* Layer.buildWithScope(storage, scope)
      })
      return yield* Effect.orDie(Effect.scoped(built))
    })
  )

/** The engine's messages and runners, for workers that share them. */
export const layer = inTurn(Layer.merge(SqlMessageStorage.layer, Layer.orDie(SqlRunnerStorage.layer)))

/**
 * The engine's messages, for the one process that runs all jobs. It is the only runner, by the lock of `EngineLock`, and owns
 * every shard at once: in the database, the locks of a killed predecessor last until PostgreSQL ends its connection, and a
 * shard that is not free at the first attempt waits for the next one.
 */
export const layerSingle = Layer.merge(inTurn(SqlMessageStorage.layer), RunnerStorage.layerMemory)
