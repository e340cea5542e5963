import { SqlMessageStorage, SqlRunnerStorage } from "@effect/cluster"
import { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"

const lockId = "hashtextextended('assay/engine/tables', 0)"

const storage = Layer.merge(SqlMessageStorage.layer, Layer.orDie(SqlRunnerStorage.layer))

/**
 * The engine's messages and runners. Processes create the tables one after another: of two that do at the same moment,
 * PostgreSQL fails one even with `IF NOT EXISTS`.
 */
export const layer = Layer.scopedContext(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const scope = yield* Effect.scope
    const inTurn = Effect.gen(function* () {
      const connection = yield* sql.reserve
      yield* Effect.acquireRelease(connection.execute(`SELECT pg_advisory_lock(${lockId})`, [], undefined), () =>
        Effect.ignore(connection.execute(`SELECT pg_advisory_unlock(${lockId})`, [], undefined))
      )
      return yield* Layer.buildWithScope(storage, scope)
    })
    return yield* Effect.orDie(Effect.scoped(inTurn))
  })
)
