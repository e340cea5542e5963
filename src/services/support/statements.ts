import { SqlClient, SqlError, Statement } from "@effect/sql"
import { Effect, identity, Option } from "effect"

/** A value as a jsonb parameter. The client's own `sql.json` breaks on arrays and strings. */
export const jsonb = (value: unknown): Statement.Fragment => ({
  [Statement.FragmentId]: identity,
  segments: [
    { _tag: "Parameter", value: JSON.stringify(value) },
    { _tag: "Literal", value: "::jsonb" }
  ]
})

const violates = (constraints: ReadonlyArray<string>, error: unknown): boolean => {
  if (!(error instanceof SqlError.SqlError)) return false
  const { code, constraint } = (error.cause ?? {}) as { readonly code?: string; readonly constraint?: string }
  return code === "23505" && constraints.some((name) => name === constraint)
}

/** Inside a transaction a failed statement poisons the rest of it, so there it gets a savepoint of its own. */
const undoable = <A, E, R>(sql: SqlClient.SqlClient, effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(
    Effect.serviceOption(SqlClient.TransactionConnection),
    (transaction): Effect.Effect<A, E | SqlError.SqlError, R> =>
      Option.isSome(transaction) ? sql.withTransaction(effect) : effect
  )

/**
 * None when one of the named unique constraints refuses what a statement wants to insert. For one statement: outside a
 * transaction several would not be undone together.
 */
export const onUnique =
  (sql: SqlClient.SqlClient, ...constraints: ReadonlyArray<string>) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<Option.Option<A>, E | SqlError.SqlError, R> =>
    Effect.catchIf(
      Effect.asSome(undoable(sql, effect)),
      (error) => violates(constraints, error),
      () => Effect.succeedNone
    )

/** The given refusal when a unique constraint refuses what a statement wants to insert; see `onUnique`. */
export const failOnUnique =
  <E2>(sql: SqlClient.SqlClient, constraint: string, refusal: () => E2) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | E2 | SqlError.SqlError, R> =>
    Effect.flatMap(
      onUnique(sql, constraint)(effect),
      Option.match({ onNone: () => Effect.fail(refusal()), onSome: Effect.succeed })
    )
