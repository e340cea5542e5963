import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Exit, Logger, Ref } from "effect"
import { isDatabaseLoss } from "../../../src/services/support/databaseLoss.ts"
import { withRequestPatience } from "../../../src/services/support/requestStatements.ts"
import { transactional } from "../../../src/services/support/transactional.ts"
import { EmptyDatabase } from "../../support/Database.ts"

/** Two transactions that lock two rows in opposite orders: neither asks for its second row before both have their first. */
const crossed = (table: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const inTransaction = transactional(sql)
    yield* sql`CREATE TABLE ${sql(table)} (id int PRIMARY KEY, n int NOT NULL)`
    yield* sql`INSERT INTO ${sql(table)} VALUES (1, 0), (2, 0)`
    const add = (id: number) => sql`UPDATE ${sql(table)} SET n = n + 1 WHERE id = ${id}`
    const runs = yield* Ref.make(0)
    const [one, two] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
    const locking = (own: typeof one, other: typeof one, [first, second]: readonly [number, number]) =>
      Effect.gen(function* () {
        yield* Ref.update(runs, (count) => count + 1)
        yield* add(first)
        yield* Deferred.succeed(own, undefined)
        yield* Deferred.await(other)
        yield* inTransaction(add(second))
      }).pipe(inTransaction, Effect.exit)
    const exits = yield* Effect.all([locking(one, two, [1, 2]), locking(two, one, [2, 1])], { concurrency: 2 })
    const counts = yield* sql<{ readonly n: number }>`SELECT n FROM ${sql(table)} ORDER BY id`
    return { exits, runs: yield* Ref.get(runs), counts: counts.map(({ n }) => n) }
  })

layer(EmptyDatabase)("a deadlock", (it) => {
  it.effect("makes the transaction of a request run again as a whole, and the log has it", () =>
    Effect.gen(function* () {
      const messages: Array<string> = []
      const logger = Logger.make(({ message }) => void messages.push(String(message)))
      const { exits, runs, counts } = yield* crossed("of_requests").pipe(
        withRequestPatience,
        Effect.provide(Logger.replace(Logger.defaultLogger, logger))
      )
      assert.isTrue(exits.every(Exit.isSuccess))
      assert.deepStrictEqual(counts, [2, 2])
      // Under load the second attempt may meet the other transaction once more.
      assert.isAtLeast(runs, 3)
      const ended = messages.map(() => "A transaction was ended because of a deadlock.")
      assert.deepStrictEqual([runs, messages], [2 + ended.length, ended])
    })
  )

  it.effect("ends the transaction of a job, whose stage is run again", () =>
    Effect.gen(function* () {
      const { exits, runs, counts } = yield* crossed("of_jobs")
      assert.deepStrictEqual([runs, counts], [2, [1, 1]])
      const failed = exits.filter(Exit.isFailure)
      assert.deepStrictEqual(
        failed.map(({ cause }) => isDatabaseLoss(cause)),
        [true]
      )
    })
  )
})
