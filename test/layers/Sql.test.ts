import { SqlClient } from "@effect/sql"
import { assert, describe, it, layer } from "@effect/vitest"
import { Cause, Effect, Exit, Layer, Redacted } from "effect"
import { serviceRole } from "../../src/layers/Migrations.ts"
import { problemOf, sessionsProblem } from "../../src/layers/postgres/ownSessions.ts"
import { layerFromUrl, OnlyConnection, onlyConnectionFromUrl, toInstant } from "../../src/layers/Sql.ts"
import { isDatabaseUnavailable } from "../../src/services/support/DatabaseFailure.ts"
import { jsonb } from "../../src/services/support/statements.ts"
import { transactional } from "../../src/services/support/transactional.ts"
import { EmptyDatabase, TestDatabase } from "../support/Database.ts"

describe("toInstant", () => {
  for (const [given, expected] of [
    ["2026-11-20 06:22:03+00", "2026-11-20T06:22:03.000Z"],
    ["2026-11-20 06:22:03.5+00", "2026-11-20T06:22:03.500Z"],
    ["2026-11-20 06:22:03.123456+00", "2026-11-20T06:22:03.123456Z"],
    ["2026-11-20 06:22:03.1234+00", "2026-11-20T06:22:03.123400Z"],
    ["2026-11-20 00:22:03.123456+05:30", "2026-11-19T18:52:03.123456Z"],
    ["2026-11-20 23:22:03-08", "2026-11-21T07:22:03.000Z"],
    ["1890-01-01 00:00:00+00:53:28", "1889-12-31T23:06:32.000Z"],
    ["infinity", "infinity"],
    ["0044-03-15 12:00:00+00 BC", "0044-03-15 12:00:00+00 BC"]
  ] as const) {
    it(`${given} reads as ${expected}`, () => assert.strictEqual(toInstant(given), expected))
  }
})

describe("connections", () => {
  it("are taken for shared where two that are open have one process, or none has what it was started with", () => {
    const own = { pid: 1, started: "own" }
    assert.isNull(problemOf(own, { pid: 2, started: "own" }))
    assert.match(String(problemOf(own, own)), /transaction or statement mode/)
    assert.match(String(problemOf({ pid: 1, started: null }, { pid: 2, started: null })), /drops the options/)
  })
})

class Rejected extends Error {
  readonly _tag = "Rejected"
}

layer(EmptyDatabase)("SQL", (it) => {
  it.effect("of two connections to the database itself: each has a session of its own", () =>
    Effect.flatMap(TestDatabase, ({ url }) => Effect.provide(sessionsProblem, layerFromUrl(url))).pipe(
      Effect.map((problem) => assert.isNull(problem))
    )
  )

  it.effect("a microsecond survives a round trip through a cursor", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql<{ at: string }>`SELECT '2026-01-02 03:04:05.678901+00'::timestamptz AS at`
      const [same] = yield* sql<{ same: boolean }>`
        SELECT ${row!.at}::timestamptz = '2026-01-02 03:04:05.678901+00'::timestamptz AS same`
      assert.deepStrictEqual([row!.at, same!.same], ["2026-01-02T03:04:05.678901Z", true])
    })
  )

  it.effect("a timestamptz(3) reads as the wire wants it, whatever zone the session is in", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql.withTransaction(
        Effect.zipRight(
          sql`SET LOCAL TimeZone = 'Asia/Kolkata'`,
          sql<{ at: string; all: ReadonlyArray<string> }>`
            SELECT t AS at, ARRAY[t] AS all FROM (SELECT '2026-01-02 03:04:05.6789+00'::timestamptz(3)) AS x (t)`
        )
      )
      assert.deepStrictEqual(rows, [{ at: "2026-01-02T03:04:05.679Z", all: ["2026-01-02T03:04:05.679Z"] }])
    })
  )

  it.effect("a statement that is marked as prepared is planned once, and answers the same as any other", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* Effect.gen(function* () {
        const sums = yield* Effect.forEach([1, 2, 3], (n) => sql`/* prepared */ SELECT ${n}::int + 1 AS sum`)
        assert.deepStrictEqual(sums, [[{ sum: 2 }], [{ sum: 3 }], [{ sum: 4 }]])
        const known = yield* sql`SELECT 1 FROM pg_prepared_statements WHERE statement LIKE '/* prepared */%AS sum'`
        assert.strictEqual(known.length, 1)
      }).pipe(sql.withTransaction)
    })
  )

  it.effect("a count is a number, what a number cannot hold is text", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows =
        yield* sql`SELECT count(*) AS n, 9007199254740993 AS big, ARRAY[1::int8, NULL] AS many, 1.10 AS price`
      assert.deepStrictEqual(rows, [{ n: 1, big: "9007199254740993", many: [1, null], price: "1.10" }])
    })
  )

  it.effect("jsonb holds objects, arrays, strings and null", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      for (const value of [{ a: [1, "'; --"] }, [1, 2], "text", null, 3, []]) {
        const rows = yield* sql<{ value: unknown; next: number }>`SELECT ${jsonb(value)} AS value, ${1}::int AS next`
        assert.deepStrictEqual(rows, [{ value, next: 1 }])
      }
    })
  )

  it.effect("a typed error rolls back and is passed on; a failing statement is a defect", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const inTransaction = transactional(sql)
      yield* sql`CREATE TABLE rejections (n int PRIMARY KEY)`
      const rejected = yield* sql`INSERT INTO rejections VALUES (1)`.pipe(
        Effect.zipRight(Effect.fail(new Rejected())),
        inTransaction,
        Effect.flip
      )
      assert.strictEqual(rejected._tag, "Rejected")
      const failed = yield* sql`INSERT INTO rejections VALUES (1), (1)`.pipe(inTransaction, Effect.exit)
      assert(Exit.isFailure(failed) && Cause.isDie(failed.cause) && !Cause.isFailure(failed.cause))
      assert.isFalse(isDatabaseUnavailable(Cause.squash(failed.cause)))
      assert.deepStrictEqual(yield* sql`SELECT * FROM rejections`, [])
    })
  )

  it.effect("a swallowed failure inside a transaction is not reported as a success", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE TABLE swallowed (n int PRIMARY KEY)`
      const exit = yield* sql`INSERT INTO swallowed VALUES (1)`.pipe(
        Effect.zipRight(Effect.ignore(sql`INSERT INTO swallowed VALUES (1)`)),
        transactional(sql),
        Effect.exit
      )
      assert(Exit.isFailure(exit))
      const [defect] = [...Cause.defects(exit.cause)]
      assert.include(String((defect as { readonly cause: unknown }).cause), "rolled back")
      assert.deepStrictEqual(yield* sql`SELECT * FROM swallowed`, [])
    })
  )

  it.effect("a COMMIT that fails is a defect and keeps nothing", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE TABLE deferred (n int UNIQUE DEFERRABLE INITIALLY DEFERRED)`
      const exit = yield* sql`INSERT INTO deferred VALUES (1), (1)`.pipe(transactional(sql), Effect.exit)
      assert(Exit.isFailure(exit) && Cause.isDie(exit.cause))
      assert.deepStrictEqual(yield* sql`SELECT * FROM deferred`, [])
    })
  )

  it.effect("a nested transaction that fails undoes its own part only", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const inTransaction = transactional(sql)
      yield* sql`CREATE TABLE nested (n int)`
      yield* sql`INSERT INTO nested VALUES (1)`.pipe(
        Effect.zipRight(
          sql`INSERT INTO nested VALUES (2)`.pipe(
            Effect.zipRight(Effect.fail(new Rejected())),
            inTransaction,
            Effect.ignore
          )
        ),
        inTransaction
      )
      assert.deepStrictEqual(yield* sql`SELECT n FROM nested`, [{ n: 1 }])
    })
  )

  it.effect("a terminated connection is distinguished from a bug, and the pool recovers", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const exit = yield* Effect.exit(Effect.orDie(sql`SELECT pg_terminate_backend(pg_backend_pid())`))
      assert(Exit.isFailure(exit) && isDatabaseUnavailable(Cause.squash(exit.cause)))
      assert.deepStrictEqual(yield* sql`SELECT 1 AS one`, [{ one: 1 }])
    })
  )

  it.effect("a silent connection fails after the query timeout and is not used again", () =>
    Effect.gen(function* () {
      const { url } = yield* TestDatabase
      const exit = yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const slow = yield* Effect.exit(Effect.orDie(sql`SELECT pg_sleep(20)`))
        assert.deepStrictEqual(yield* sql`SELECT 1 AS one`, [{ one: 1 }])
        return slow
      }).pipe(Effect.provide(layerFromUrl(url, { maxConnections: 1, queryTimeout: "300 millis" })))
      assert(Exit.isFailure(exit) && isDatabaseUnavailable(Cause.squash(exit.cause)))
    })
  )

  it.effect("the address may set startup options, but not the role or the rows that a connection sees", () =>
    Effect.gen(function* () {
      const url = new URL(Redacted.value((yield* TestDatabase).url))
      url.searchParams.set("options", "-c statement_timeout=12345 -c role=none -c assay.workspace=none")
      const settings = Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`SELECT current_user AS role, current_setting('statement_timeout') AS timeout`
      )
      const pool = layerFromUrl(Redacted.make(url.href), { maxConnections: 1, role: serviceRole })
      assert.deepStrictEqual(yield* Effect.provide(settings, pool), [{ role: serviceRole, timeout: "12345ms" }])
      const only = onlyConnectionFromUrl(Redacted.make(url.href))
      const unmarked = Effect.flatMap(OnlyConnection, (client) =>
        Effect.promise(() => client.query("SELECT current_setting('assay.workspace') AS workspace"))
      )
      assert.deepStrictEqual((yield* Effect.provide(unmarked, only)).rows, [{ workspace: "*" }])
    })
  )

  it.effect("a server that is not there is distinguished from a bug", () =>
    Effect.gen(function* () {
      for (const url of ["postgres://x:y@127.0.0.1:1/z", "postgres://x:y@localhost/z?host=/nonexistent"]) {
        const exit = yield* Layer.build(layerFromUrl(Redacted.make(url))).pipe(Effect.scoped, Effect.exit)
        assert(Exit.isFailure(exit) && isDatabaseUnavailable(Cause.squash(exit.cause)), url)
      }
    })
  )
})

layer(EmptyDatabase, { excludeTestServices: true })("a pool", (it) => {
  it.effect("waits for its first connection longer than a statement waits for one", () =>
    Effect.gen(function* () {
      const { url } = yield* TestDatabase
      // No connection is there within a millisecond; later statements find this one.
      const answer = yield* Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT 1 AS one`).pipe(
        Effect.provide(layerFromUrl(url, { maxConnections: 1, connectTimeout: "1 millis" }))
      )
      assert.deepStrictEqual(answer, [{ one: 1 }])
    })
  )
})

layer(EmptyDatabase, { excludeTestServices: true })("a connection whose statement was interrupted", (it) => {
  it.effect("keeps the next one waiting, which the driver's own queue never sees", () =>
    Effect.gen(function* () {
      const warnings: Array<string> = []
      const note = ({ message }: Error) => warnings.push(message)
      yield* Effect.acquireRelease(
        Effect.sync(() => process.on("warning", note)),
        () => Effect.sync(() => process.off("warning", note))
      )
      const { url } = yield* TestDatabase
      const answer = yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        for (let n = 0; n < 3; n++) yield* Effect.timeoutOption(sql`SELECT pg_sleep(0.2)`, "20 millis")
        return yield* sql`SELECT 1 AS one`
      }).pipe(Effect.provide(layerFromUrl(url, { maxConnections: 1 })))
      assert.deepStrictEqual(answer, [{ one: 1 }])
      assert.deepStrictEqual(warnings, [])
    }).pipe(Effect.scoped)
  )

  it.effect("fails the next one after the time that a statement may take, its wait included", () =>
    Effect.gen(function* () {
      const { url } = yield* TestDatabase
      const exit = yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* Effect.timeoutOption(sql`SELECT pg_sleep(600)`, "20 millis")
        return yield* Effect.exit(sql.withTransaction(sql`SELECT 1`).pipe(Effect.orDie))
      }).pipe(Effect.provide(layerFromUrl(url, { maxConnections: 1, requestTimeout: "200 millis" })))
      assert(Exit.isFailure(exit) && isDatabaseUnavailable(Cause.squash(exit.cause)))
    })
  )
})
