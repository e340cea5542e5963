import { Context, Effect, Layer, Redacted } from "effect"
import { type EmbeddedPostgresError, runningEmbeddedPostgres, startEmbeddedPostgres } from "./EmbeddedPostgres.ts"
import { roleOfServices } from "./Migrations.ts"
import { upToDate } from "./OnlineIndexes.ts"
import { requireOwnSessions } from "./postgres/ownSessions.ts"
import {
  type DatabaseConnection,
  layerFromConnection,
  layerFromUrl,
  onlyConnectionFromUrl,
  onlyConnectionTo,
  type PoolOptions
} from "./Sql.ts"

/** The database server in use; pools on it are made as they are needed. */
export class Database extends Context.Tag("Database")<
  Database,
  {
    /** For a person: no password. */
    readonly description: string
    readonly pool: (options?: PoolOptions) => ReturnType<typeof layerFromUrl>
    /** A pool of one connection, with that connection itself, for COPY. */
    readonly only: (options?: PoolOptions) => ReturnType<typeof onlyConnectionFromUrl>
    /** The web app's address, where a running server has announced it. */
    readonly site: string | null
    readonly announceSite: (site: string) => Effect.Effect<void, EmbeddedPostgresError>
  }
>() {}

export interface DatabaseOptions {
  readonly dataDir: string
  readonly databaseUrl: Redacted.Redacted | null
}

const outside = (url: Redacted.Redacted) => ({
  description: withoutPassword(Redacted.value(url)),
  pool: (options?: PoolOptions) => layerFromUrl(url, options),
  only: (options?: PoolOptions) => onlyConnectionFromUrl(url, options),
  site: null,
  // Its processes may be on other machines: they share no folder.
  announceSite: () => Effect.void
})

const embedded = (description: string, connection: DatabaseConnection) => ({
  description,
  pool: (options?: PoolOptions) => layerFromConnection(connection, options),
  only: (options?: PoolOptions) => onlyConnectionTo(connection, options)
})

const withoutPassword = (url: string) => {
  if (!URL.canParse(url)) return "the database of DATABASE_URL"
  const parsed = new URL(url)
  parsed.password = ""
  parsed.search = ""
  return parsed.toString()
}

/** The server of `DATABASE_URL`, or the embedded one, started here and stopped with the scope. */
export const started = (options: DatabaseOptions) =>
  Layer.scoped(
    Database,
    options.databaseUrl === null
      ? Effect.map(startEmbeddedPostgres({ dataDir: options.dataDir }), ({ connection, data, announceSite }) => ({
          ...embedded(`embedded PostgreSQL in ${data}`, connection),
          site: null,
          announceSite
        }))
      : Effect.succeed(outside(options.databaseUrl))
  )

/** As `started`, but joins the embedded server of a running `assay serve` instead of refusing: for operators' commands. */
export const joined = (options: DatabaseOptions) =>
  Layer.unwrapEffect(
    Effect.map(
      options.databaseUrl === null ? runningEmbeddedPostgres(options.dataDir) : Effect.succeed(undefined),
      (running) =>
        running === undefined
          ? started(options)
          : Layer.succeed(Database, {
              ...embedded(`embedded PostgreSQL of the running server (process ${running.pid})`, running.connection),
              site: running.site,
              announceSite: () => Effect.void
            })
    )
  )

/** A connection with the rights of the user that the server was given: for migrations and for operators' commands. */
export const OwnerSql = Layer.unwrapEffect(Effect.map(Database, ({ pool }) => pool({ maxConnections: 4 })))

/** The pool that the product's services share, of a migrated database: row-level security binds what runs on it. */
export const SqlLive = Layer.unwrapEffect(
  Effect.gen(function* () {
    const { pool } = yield* Database
    yield* Effect.provide(requireOwnSessions, pool({ maxConnections: 2 }))
    const role = yield* Effect.provide(Effect.zipRight(upToDate, roleOfServices), pool({ maxConnections: 1 }))
    return pool({ maxConnections: 20, role })
  })
)
