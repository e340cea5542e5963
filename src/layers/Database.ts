import { Context, Effect, Layer, Redacted } from "effect"
import { runningEmbeddedPostgres, startEmbeddedPostgres } from "./EmbeddedPostgres.ts"
import { layerFromConnection, layerFromUrl, type PoolOptions } from "./Sql.ts"

/** The database server in use; pools on it are made as they are needed. */
export class Database extends Context.Tag("Database")<
  Database,
  {
    /** For a person: no password. */
    readonly description: string
    readonly pool: (options?: PoolOptions) => ReturnType<typeof layerFromUrl>
  }
>() {}

export interface DatabaseOptions {
  readonly dataDir: string
  readonly databaseUrl: Redacted.Redacted | null
}

const outside = (url: Redacted.Redacted) => ({
  description: withoutPassword(Redacted.value(url)),
  pool: (options?: PoolOptions) => layerFromUrl(url, options)
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
      ? Effect.map(startEmbeddedPostgres({ dataDir: options.dataDir }), ({ connection, data }) => ({
          description: `embedded PostgreSQL in ${data}`,
          pool: (pool?: PoolOptions) => layerFromConnection(connection, pool)
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
              description: `embedded PostgreSQL of the running server (process ${running.pid})`,
              pool: (pool?: PoolOptions) => layerFromConnection(running.connection, pool)
            })
    )
  )

/** The pool that the product's services share. */
export const SqlLive = Layer.unwrapEffect(Effect.map(Database, ({ pool }) => pool({ maxConnections: 20 })))
