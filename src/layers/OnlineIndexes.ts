import { SqlClient, type SqlError } from "@effect/sql"
import { Effect } from "effect"
import { migrate } from "./Migrations.ts"
import { onlineIndexes } from "./migrations/onlineIndexes.ts"

/** Any number that no other code locks: one process at a time builds. */
const turn = 7_270_002

interface Named {
  readonly name: string
}

/**
 * Builds the indexes that the database lacks, without holding up readers or writers; their names. Outside of any transaction,
 * after the migrations. What a process that died left half built is built again.
 */
export const buildIndexes = (
  indexes: Readonly<Record<string, string>> = onlineIndexes
): Effect.Effect<ReadonlyArray<string>, SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.scoped(
    Effect.gen(function* () {
      const connection = yield* (yield* SqlClient.SqlClient).reserve
      const rowsOf = <A>(text: string, params: ReadonlyArray<unknown> = []) =>
        Effect.map(connection.execute(text, params, undefined), (rows) => rows as ReadonlyArray<A>)
      const absent = rowsOf<Named>(
        `SELECT name FROM unnest($1::text[]) AS name WHERE NOT EXISTS (
           SELECT FROM pg_index WHERE indexrelid = to_regclass(quote_ident(name)) AND indisvalid)`,
        [Object.keys(indexes)]
      )
      // Not a lock that is waited for: the statement that waits would hold up the build, which waits for older statements.
      const isMyTurn = Effect.map(
        rowsOf<{ readonly locked: boolean }>(`SELECT pg_try_advisory_lock(${turn}) AS locked`),
        ([row]) => row?.locked === true
      )
      const build = Effect.gen(function* () {
        const built = yield* absent
        for (const { name } of built) {
          yield* rowsOf(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`)
          yield* rowsOf(`CREATE INDEX CONCURRENTLY ${name} ON ${indexes[name]}`)
        }
        return built.map(({ name }) => name)
      })
      for (;;) {
        if ((yield* absent).length === 0) return []
        if (yield* isMyTurn) {
          return yield* Effect.ensuring(build, Effect.ignore(rowsOf(`SELECT pg_advisory_unlock(${turn})`)))
        }
        yield* Effect.sleep("200 millis")
      }
    })
  )

/** All migrations, all or nothing, and then the indexes. */
export const upToDate = Effect.zipLeft(migrate(), buildIndexes())
