import { SqlClient } from "@effect/sql"
import { Clock, Effect } from "effect"
import { pendingMigrations, unknownMigrations } from "../Migrations.ts"
import { sessionsProblem } from "../postgres/ownSessions.ts"
import { fail, ok, warn } from "./Found.ts"
import { storageChecks } from "./storageChecks.ts"

const oldestPostgres = 15
const maxSkewMillis = 30_000

const connected = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly version: string; readonly millis: number }>`
    SELECT current_setting('server_version') AS version, extract(epoch FROM clock_timestamp())::float8 * 1000 AS millis`
  const { version, millis } = rows[0]!
  return { version, skew: Math.abs((yield* Clock.currentTimeMillis) - millis) }
})

const server = Effect.map(Effect.all([connected, sessionsProblem]), ([{ version }, problem]) => {
  if (Number.parseInt(version, 10) < oldestPostgres) {
    return fail(`PostgreSQL ${version}; ${oldestPostgres} or newer is needed`)
  }
  return problem === null ? ok(`PostgreSQL ${version}`) : fail(problem)
})

const migrations = Effect.gen(function* () {
  const unknown = yield* unknownMigrations()
  if (unknown.length > 0) return fail(`a newer version has applied ${unknown.join(", ")}; start that version`)
  const pending = yield* pendingMigrations()
  return pending.length === 0
    ? ok("up to date")
    : warn(`${pending.length} to apply: run assay migrate, or start the service`)
})

const clock = Effect.map(connected, ({ skew }) =>
  skew <= maxSkewMillis
    ? ok(`agrees with the database's within ${Math.round(skew)} ms`)
    : fail(`differs from the database's by ${Math.round(skew)} ms; set both by NTP`)
)

/** The checks of a database that is reached. */
export const databaseChecks = { database: server, migrations, clock, ...storageChecks }
