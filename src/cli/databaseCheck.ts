import { SqlClient } from "@effect/sql"
import { Clock, Effect } from "effect"
import type { AppConfig } from "../layers/Config.ts"
import { embeddedState } from "../layers/EmbeddedPostgres.ts"
import { pendingMigrations, unknownMigrations } from "../layers/Migrations.ts"
import { layerFromConnection, layerFromUrl } from "../layers/Sql.ts"
import type { Found } from "./Found.ts"

const oldestPostgres = 15
const maxSkewMillis = 30_000

const connected = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly version: string; readonly millis: number }>`
    SELECT current_setting('server_version') AS version, extract(epoch FROM clock_timestamp())::float8 * 1000 AS millis`
  const { version, millis } = rows[0]!
  return { version, skew: Math.abs((yield* Clock.currentTimeMillis) - millis) }
})

const server = Effect.map(
  connected,
  ({ version }): Found =>
    Number.parseInt(version, 10) >= oldestPostgres
      ? { status: "ok", detail: `PostgreSQL ${version}` }
      : { status: "fail", detail: `PostgreSQL ${version}; ${oldestPostgres} or newer is needed` }
)

const migrations = Effect.gen(function* () {
  const unknown = yield* unknownMigrations()
  if (unknown.length > 0) {
    return { status: "fail", detail: `a newer version has applied ${unknown.join(", ")}; start that version` } as const
  }
  const pending = yield* pendingMigrations()
  return pending.length === 0
    ? ({ status: "ok", detail: "up to date" } as const)
    : ({ status: "warn", detail: `${pending.length} to apply: run assay migrate, or start the service` } as const)
})

const clock = Effect.map(
  connected,
  ({ skew }): Found =>
    skew <= maxSkewMillis
      ? { status: "ok", detail: `agrees with the database's within ${Math.round(skew)} ms` }
      : { status: "fail", detail: `differs from the database's by ${Math.round(skew)} ms; set both by NTP` }
)

const through = (pool: ReturnType<typeof layerFromUrl>) => ({
  database: Effect.provide(server, pool),
  migrations: Effect.provide(migrations, pool),
  clock: Effect.provide(clock, pool)
})

const unasked = (detail: string) => ({ database: Effect.succeed<Found>({ status: "ok", detail }) })

/** The checks of the database, which is neither made nor started for them; and the process that runs it, if one does. */
export const database = ({ dataDir, databaseUrl }: AppConfig) =>
  Effect.gen(function* () {
    const options = { maxConnections: 1, applicationName: "assay doctor" }
    if (databaseUrl !== null) return { running: null, results: through(layerFromUrl(databaseUrl, options)) }
    const state = yield* Effect.either(embeddedState(dataDir))
    if (state._tag === "Left") return { running: null, results: { database: Effect.fail(state.left) } }
    switch (state.right.status) {
      case "running":
        return { running: state.right.pid, results: through(layerFromConnection(state.right.connection, options)) }
      case "stopped":
        return { running: null, results: unasked(`stopped, in ${state.right.data}; its migrations show while it runs`) }
      case "none":
        return { running: null, results: unasked("none yet; the first start makes it") }
    }
  })
