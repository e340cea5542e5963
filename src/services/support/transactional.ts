import { SqlClient, SqlError } from "@effect/sql"
import { Cause, Chunk, Context, Effect } from "effect"
import { isRequest } from "./requestStatements.ts"

/**
 * All or nothing: trailing argument of a service's method. Nested uses are savepoints. A failing database, also one that
 * fails at COMMIT, is a defect; an error rolls back and is passed on.
 *
 * Locks are taken in one order, so that transactions wait for each other and never in a circle:
 * 1. advisory locks of one area, such as that of the workspace's change reviews;
 * 2. the admission of the workspace's jobs (`JobAdmissionRepo.lock`);
 * 3. rows of jobs, then of missions;
 * 4. rows of repositories, then of observations, then of attempts at fixes, several of a table in the order of their numbers;
 * 5. the workspace's row: what draws a number of it, or charges it, does so after everything above;
 * 6. rows of issues, in the order of their numbers; what follows from observations locks them at COMMIT.
 * A row that is not deleted is locked FOR NO KEY UPDATE: FOR UPDATE would hold up everything that refers to it, too.
 *
 * Whatever is slow and no statement, such as asking a remote or loading the rules' catalogue, is done before: others wait
 * for the locks that are held meanwhile.
 *
 * Inside, a statement whose failure is caught must be undone first (a nested use of this does that):
 * PostgreSQL refuses everything after it and the COMMIT then dies instead of keeping half of the work.
 */
export const transactional =
  (sql: SqlClient.SqlClient) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, Exclude<E, SqlError.SqlError>, R> =>
    Effect.catchAll(forCaller(sql.withTransaction(effect)), (error) =>
      error instanceof SqlError.SqlError ? Effect.die(error) : Effect.fail(error as Exclude<E, SqlError.SqlError>)
    )

/** Each statement of a request has a bound of its own; this is for the COMMIT, which has none. */
const longestTransaction = "9 seconds"

/** How often the transaction of a request is run again that the server ended because of a deadlock. */
const mostRepeats = 2

const isDeadlock = (error: unknown): boolean =>
  error instanceof SqlError.SqlError &&
  typeof error.cause === "object" &&
  error.cause !== null &&
  "code" in error.cause &&
  error.cause.code === "40P01"

const isEndedByDeadlock = (cause: Cause.Cause<unknown>): boolean =>
  Chunk.some(Cause.defects(cause), isDeadlock) || Chunk.some(Cause.failures(cause), isDeadlock)

/**
 * The order of locks leaves few ways into a deadlock; what remains are the locks of foreign keys and of cascades. The server
 * has undone all of the victim, and what a service does outside the database it does outside its transactions: it is run
 * again as a whole. The log has it, since a deadlock that comes again is a fault in the order.
 */
const repeated = <A, E, R>(transaction: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  transaction.pipe(
    Effect.sandbox,
    Effect.tapError((cause) =>
      isEndedByDeadlock(cause)
        ? Effect.logWarning("A transaction was ended because of a deadlock.", cause)
        : Effect.void
    ),
    Effect.retry({ while: isEndedByDeadlock, times: mostRepeats }),
    Effect.unsandbox
  )

const isNested = Effect.contextWith(
  (context: Context.Context<never>) => Context.getOption(context, SqlClient.TransactionConnection)._tag === "Some"
)

/** A job's transactions take their time, and its stage is run again as a whole, whatever database error ended it. */
const forCaller = <A, E, R>(transaction: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError.SqlError, R> =>
  Effect.flatMap(Effect.all([isRequest, isNested]), ([waits, nested]) =>
    waits ? bounded(nested ? transaction : repeated(transaction)) : transaction
  )

const bounded = <A, E, R>(transaction: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError.SqlError, R> =>
  Effect.timeoutFail(Effect.disconnect(transaction), {
    duration: longestTransaction,
    onTimeout: () => new SqlError.SqlError({ cause: new Error("Query read timeout"), message: "No COMMIT in time." })
  })
