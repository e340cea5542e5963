import { type SqlClient, SqlError } from "@effect/sql"
import { Effect } from "effect"
import { isRequest } from "./requestStatements.ts"

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
    Effect.catchAll(bounded(sql.withTransaction(effect)), (error) =>
      error instanceof SqlError.SqlError ? Effect.die(error) : Effect.fail(error as Exclude<E, SqlError.SqlError>)
    )

/** Each statement of a request has a bound of its own; this is for the COMMIT, which has none. */
const longestTransaction = "9 seconds"

const bounded = <A, E, R>(transaction: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError.SqlError, R> =>
  Effect.flatMap(isRequest, (waits) =>
    waits
      ? Effect.timeoutFail(Effect.disconnect(transaction), {
          duration: longestTransaction,
          onTimeout: () =>
            new SqlError.SqlError({ cause: new Error("Query read timeout"), message: "No COMMIT in time." })
        })
      : transaction
  )
