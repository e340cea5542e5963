import { realpathSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { Deferred, Effect, Redacted, type Scope } from "effect"
import pg from "pg"
import { type Account, accountFor } from "./postgres/Account.ts"
import { type Binaries, binariesFor, platformPackage as installedPostgres } from "./postgres/Binaries.ts"
import { initialise, passwordOf, superuser } from "./postgres/Cluster.ts"
import { announce, holderOf, lockData } from "./postgres/DataLock.ts"
import { attempt, EmbeddedPostgresError } from "./postgres/EmbeddedPostgresError.ts"
import { earlier, homeIn, type Location, locate, majorOf, socketFolder } from "./postgres/Location.ts"
import { withOwnGroup } from "./postgres/ownGroup.ts"
import { type PostmasterOptions, postmaster, stopOrphan } from "./postgres/Postmaster.ts"
import type { DatabaseConnection } from "./Sql.ts"

export { EmbeddedPostgresError } from "./postgres/EmbeddedPostgresError.ts"

export interface EmbeddedPostgresOptions {
  readonly dataDir: string
  /** `none` gives up what is written on a crash of the machine; for tests. */
  readonly durability?: "full" | "none"
}

export interface EmbeddedPostgres {
  readonly connection: DatabaseConnection
  /** Where the data really is: `<dataDir>/postgres/data`, unless the account postgres runs as cannot reach that. */
  readonly data: string
  /** Whether this start made the database. */
  readonly isNew: boolean
  /** Lets other processes of this installation know the web app's address. */
  readonly announceSite: (site: string) => Effect.Effect<void, EmbeddedPostgresError>
}

const database = "assay"
const lockIn = (home: string) => join(home, "lock.json")

const freePort = Effect.async<number, EmbeddedPostgresError>((resume) => {
  const probe = createServer()
  probe.once("error", (cause) =>
    resume(new EmbeddedPostgresError({ reason: "failed", message: `No free port: ${cause.message}`, cause }))
  )
  probe.listen(0, "127.0.0.1", () => {
    const address = probe.address()
    probe.close(() => resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0)))
  })
})

/** A database of our own: the one named like the superuser's default is for maintenance. */
const ensureDatabase = (connection: DatabaseConnection) =>
  Effect.tryPromise({
    try: async () => {
      const client = new pg.Client({
        ...connection,
        password: Redacted.value(connection.password),
        database: "postgres",
        connectionTimeoutMillis: 10_000
      })
      client.on("error", () => undefined)
      await client.connect()
      try {
        const found = await client.query("SELECT 1 FROM pg_database WHERE datname = $1", [connection.database])
        if (found.rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(connection.database)}`)
      } finally {
        await client.end()
      }
    },
    catch: (cause) =>
      new EmbeddedPostgresError({
        reason: "failed",
        message: `PostgreSQL runs but does not let us in: ${cause instanceof Error ? cause.message : String(cause)}`,
        cause
      })
  })

/** Keeps the server up until the scope closes; ends once it first accepts connections. */
const keepRunning = (options: PostmasterOptions) =>
  Effect.gen(function* () {
    const started = yield* Deferred.make<void, EmbeddedPostgresError>()
    const once = Effect.gen(function* () {
      const server = yield* postmaster(options)
      yield* Deferred.succeed(started, undefined)
      const how = yield* server.exited
      yield* Effect.logError(`PostgreSQL ended unexpectedly (${how}); starting it again.`)
    }).pipe(Effect.scoped)
    yield* once.pipe(
      Effect.catchAll((error) =>
        Effect.flatMap(Deferred.fail(started, error), (isFirst) =>
          isFirst ? Effect.void : Effect.logError(error.message)
        )
      ),
      Effect.zipRight(Effect.sleep("1 second")),
      Effect.forever,
      Effect.forkScoped
    )
    yield* Deferred.await(started)
  })

/** What is served: data of one installation, by programs of its major version. */
interface Served {
  readonly location: Location
  readonly binaries: Binaries
  readonly account: Account | undefined
  readonly durable: boolean
}

/** Serves the data until the scope closes, and makes the product's database where there is none. */
export const serve = ({ location, binaries, account, durable }: Served) =>
  Effect.gen(function* () {
    const unix = process.platform !== "win32"
    const sockets = unix ? yield* socketFolder(location.root, account, binaries.pgCtl) : undefined
    const port = unix ? 5432 : yield* freePort
    yield* keepRunning({ binaries, account, data: location.data, sockets, port, durable })

    const password = yield* passwordOf(location)
    const server = { host: sockets ?? "127.0.0.1", port, user: superuser, password, database }
    const connection = { ...server, password: Redacted.make(password) }
    yield* ensureDatabase(connection)
    return { server, connection }
  })

/** Holds the data folder for this process, and finds what an earlier start left in it. */
export const held = (dataDir: string) =>
  Effect.gen(function* () {
    const home = yield* homeIn(dataDir, { isRoot: process.geteuid?.() === 0 })
    yield* lockData(lockIn(home), dataDir)
    const known = yield* earlier(home)
    const owner = yield* accountFor(known?.data ?? join(home, "data"))
    const account = owner === undefined ? undefined : yield* withOwnGroup(owner, known?.root ?? home)
    return { home, known, account, binaries: yield* binariesFor(home, account) }
  })

const requireMajor = (location: Location, binaries: Binaries) =>
  Effect.flatMap(majorOf(location), (major) =>
    major === binaries.major
      ? Effect.void
      : new EmbeddedPostgresError({
          reason: "data",
          message:
            `The database in ${location.data} was made by PostgreSQL ${major}, and this version of Assay brings ` +
            `${binaries.major}. ${major < binaries.major ? "Carry it over with `assay upgrade-database`; its help says how." : "Start a newer version of Assay."}`
        })
  )

/**
 * Starts the bundled PostgreSQL on `<dataDir>/postgres` and stops it when the scope closes. Should we be killed without
 * warning, a guard process stops it; should that be killed too, the next start does.
 */
export const startEmbeddedPostgres = (
  options: EmbeddedPostgresOptions
): Effect.Effect<EmbeddedPostgres, EmbeddedPostgresError, Scope.Scope> =>
  Effect.gen(function* () {
    const durable = options.durability !== "none"
    const { home, known, account, binaries } = yield* held(options.dataDir)
    const location = yield* locate(home, account, binaries.pgCtl)
    yield* stopOrphan(location.data, binaries, account)
    yield* initialise(binaries, location, account, durable)
    yield* requireMajor(location, binaries)
    const { server, connection } = yield* serve({ location, binaries, account, durable })
    yield* announce(lockIn(home), { server })
    yield* Effect.logInfo(
      `PostgreSQL is running on ${location.data}${account === undefined ? "" : ` as ${account.name} (${account.uid})`}`
    )
    const announceSite = (site: string) => announce(lockIn(home), { server, site })
    return { connection, data: location.data, isNew: known === undefined, announceSite }
  })

/** `<dataDir>/postgres`, as it is or as it would be. */
const homeOf = (dataDir: string) =>
  attempt(`looking at ${dataDir}`, () => join(realpathSync(dataDir), "postgres")).pipe(
    Effect.orElseSucceed(() => join(dataDir, "postgres"))
  )

/** Whether an earlier start left a database, wherever it lies; makes nothing. */
export const holdsDatabase = (dataDir: string) =>
  Effect.map(Effect.flatMap(homeOf(dataDir), earlier), (found) => found !== undefined)

/** What there is of an embedded database. */
export const embeddedState = (dataDir: string) =>
  Effect.gen(function* () {
    const running = yield* runningEmbeddedPostgres(dataDir)
    if (running !== undefined) return { status: "running", ...running } as const
    const found = yield* Effect.flatMap(homeOf(dataDir), earlier)
    if (found === undefined) {
      yield* installedPostgres
      return { status: "none" } as const
    }
    return { status: "stopped", data: found.data } as const
  })

/** The embedded server that another process of this installation runs on the data folder, if one does. */
export const runningEmbeddedPostgres = (
  dataDir: string
): Effect.Effect<
  { readonly pid: number; readonly connection: DatabaseConnection; readonly site: string | null } | undefined,
  EmbeddedPostgresError
> =>
  Effect.gen(function* () {
    const holder = yield* holderOf(lockIn(yield* homeOf(dataDir)))
    if (holder?.server === undefined) return undefined
    const connection = { ...holder.server, password: Redacted.make(holder.server.password) }
    return { pid: holder.pid, connection, site: holder.site ?? null }
  })
