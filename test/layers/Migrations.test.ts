import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { type MigrationRecord, migrate, pendingMigrations } from "../../src/layers/Migrations.ts"
import { migrations } from "../../src/layers/migrations/index.ts"
import { layerFromUrl } from "../../src/layers/Sql.ts"
import { Database, EmptyDatabase, TestDatabase } from "../support/Database.ts"

const statement = (text: string) => Effect.flatMap(SqlClient.SqlClient, (sql) => Effect.asVoid(sql.unsafe(text)))

layer(Database)("the template", (it) => {
  it.effect("has every migration", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* pendingMigrations(), [])
      const { url } = yield* TestDatabase
      assert.deepStrictEqual(yield* Effect.provide(migrate(), layerFromUrl(url, { maxConnections: 1 })), [])
    })
  )
})

layer(EmptyDatabase)("migrations", (it) => {
  it.effect("two processes that start at once on an empty database both come up", () =>
    Effect.gen(function* () {
      const { url } = yield* TestDatabase
      assert.deepStrictEqual(yield* pendingMigrations(), Object.keys(migrations))
      const runs = yield* Effect.all(
        Array.from({ length: 4 }, () => migrate().pipe(Effect.provide(layerFromUrl(url, { maxConnections: 1 })))),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        runs.map((run) => run.length).sort((a, b) => a - b),
        [0, 0, 0, Object.keys(migrations).length]
      )
      assert.deepStrictEqual(yield* pendingMigrations(), [])
    })
  )

  it.effect("one that fails leaves nothing of its run and says why", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const record: MigrationRecord = {
        ...migrations,
        "9001_good": statement("CREATE TABLE good (n int)"),
        "9002_bad": statement("CREATE TABLE bad (n nonsense)")
      }
      const error = yield* Effect.flip(migrate(record))
      assert.strictEqual(error._tag, "MigrationError")
      assert.include(error.message, "9002_bad")
      assert.include(error.message, 'type "nonsense" does not exist')
      assert.deepStrictEqual(yield* pendingMigrations(record), ["9001_good", "9002_bad"])
      assert.deepStrictEqual(yield* sql`SELECT to_regclass('good') AS good`, [{ good: null }])
    })
  )

  it.effect("a database of a newer version is rejected", () =>
    Effect.gen(function* () {
      yield* migrate({ ...migrations, "9001_from_the_future": Effect.void })
      const error = yield* Effect.flip(migrate())
      assert.include(error.message, "9001_from_the_future")
    })
  )
})
