import { type SqlClient, SqlError } from "@effect/sql"
import { Effect } from "effect"

/**
 * All or nothing: trailing argument of a service's method. Nested uses are savepoints. A failing database, also one that
 * fails at COMMIT, is a defect; an error rolls back and is passed on.
 *
 * Inside, a statement whose failure is caught must be undone first (a nested use of this does that):
 * PostgreSQL refuses everything after it and the COMMIT then dies instead of keeping half of the work.
 */
export const transactional =
  (sql: SqlClient.SqlClient) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, Exclude<E, SqlError.SqlError>, R> =>
    Effect.catchAll(sql.withTransaction(effect), (error) =>
      error instanceof SqlError.SqlError ? Effect.die(error) : Effect.fail(error as Exclude<E, SqlError.SqlError>)
    )
