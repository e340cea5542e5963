import { SqlError } from "@effect/sql/SqlError"
import { PgClient } from "@effect/sql-pg"
import { Context, Duration, Effect, Layer, Redacted } from "effect"
import pg from "pg"
import { readMark, type StatementMark } from "../services/support/requestStatements.ts"
import {
  followsReach,
  type PreparedConnection,
  reachOf,
  type Statement,
  StatementWithReach,
  statementOfReach,
  valuesOfReach
} from "./postgres/StatementWithReach.ts"

/** A server's address in parts; `host` is a name or the folder of its Unix socket. */
export interface DatabaseConnection {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: Redacted.Redacted
  readonly database: string
}

export interface PoolOptions {
  /** 10 when not said. Cluster's runner keeps one for its locks, so its own pool needs at least 4. */
  readonly maxConnections?: number
  readonly applicationName?: string
  /**
   * How long we wait for an answer before the statement fails and its connection is dropped: the job engine's pool sets
   * it, so that a silent network is noticed. Do not set it on a pool that runs long statements.
   */
  readonly queryTimeout?: Duration.DurationInput
  /** How long the server works on one statement. */
  readonly statementTimeout?: Duration.DurationInput
  /** How long a statement waits for a connection, once the pool has had its first one. */
  readonly connectTimeout?: Duration.DurationInput
  /** As `queryTimeout`, for the statements that a caller waits for. With `connectTimeout` it is less than 10 seconds. */
  readonly requestTimeout?: Duration.DurationInput
  /** Role whose rights the statements have, instead of those of the user that signs in. */
  readonly role?: string | undefined
  /** Schema in which unqualified tables are found and made; the job engine keeps its own there. */
  readonly searchPath?: string
}

const toSafeNumber = (text: string) => {
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : text
}

const timestamp = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d+))?([+-]\d\d)(?::?(\d\d))?(?::?(\d\d))?$/

/**
 * A `timestamptz` as ISO 8601 UTC: with milliseconds, and with microseconds where the value has them, so that nothing is
 * lost between a row and a cursor. `timestamptz(3)` columns therefore read as the wire wants them.
 */
export const toInstant = (text: string): string => shortInstant(text) ?? anyInstant(text)

// `2026-01-31 12:00:00.123+00`, as a session in UTC prints every column: a page of fifty rows has hundreds of them.
const shortInstant = (text: string): string | undefined => {
  const separator = text[19]
  const isShort = text.length <= 26 && text[4] === "-" && text[10] === " " && text.endsWith("+00")
  if (!isShort || !(separator === "." ? text.length > 23 : separator === "+" && text.length === 22)) return undefined
  const millis = separator === "." ? text.slice(20, -3).padEnd(3, "0") : "000"
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${millis}Z`
}

const anyInstant = (text: string): string => {
  const parts = timestamp.exec(text)
  // Years beyond 9999, BC and infinity have no short form: they stay as PostgreSQL writes them.
  if (parts === null) return text
  const [, day, time, fraction = "", hours = "+00", minutes = "00", seconds = "00"] = parts
  const digits = fraction.padEnd(fraction.length > 3 ? 6 : 3, "0")
  if (hours === "+00" && minutes === "00" && seconds === "00") return `${day}T${time}.${digits}Z`
  const offset = (Number(minutes) * 60 + Number(seconds)) * (hours.startsWith("-") ? -1 : 1) + Number(hours) * 3600
  return `${new Date(Date.parse(`${day}T${time}Z`) - offset * 1000).toISOString().slice(0, 19)}.${digits}Z`
}

/** pg's own parser of a type; its table names fewer types than it parses. */
const builtIn = (oid: number, format: "text" | "binary" = "text"): ((text: string) => unknown) =>
  pg.types.getTypeParser(oid as typeof pg.types.builtins.TEXT, format as "text")

const textArrayOid = 1009

const arrayOf = (parse: (text: string) => unknown) => {
  const textArray = builtIn(textArrayOid) as (text: string) => ReadonlyArray<string | null>
  return (text: string) => textArray(text).map((item) => (item === null ? null : parse(item)))
}

const asText = (text: string) => text

const parsers = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.INT8, toSafeNumber],
  [1016, arrayOf(toSafeNumber)],
  [pg.types.builtins.TIMESTAMPTZ, toInstant],
  [1185, arrayOf(toInstant)],
  // A date has no zone: as a Date it would become yesterday evening west of Greenwich.
  [pg.types.builtins.DATE, asText],
  [pg.types.builtins.TIMESTAMP, asText],
  [pg.types.builtins.NUMERIC, asText]
])

/** int8 → number where it is exact, else text; timestamptz → `toInstant`; date, timestamp, numeric → text; json → value. */
export const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (format !== "binary" ? parsers.get(oid) : undefined) ?? builtIn(oid, format)
}

/** As the driver says it. */
const readTimeout = "Query read timeout"

const breaks = (error: Error) =>
  error.message === readTimeout || (error instanceof pg.DatabaseError && error.severity === "FATAL")

// The server parses and plans such a statement once per connection. Their texts are few: what is built of filters is not.
const preparedMark = "/* prepared */"
const mostPrepared = 200
const preparedNames = new Map<string, string>()

/** The name of a statement that its text marks as prepared. */
const preparedName = (text: string): string | undefined => {
  if (!text.startsWith(preparedMark)) return undefined
  const known = preparedNames.get(text)
  if (known !== undefined || preparedNames.size >= mostPrepared) return known
  const name = `assay_${preparedNames.size}`
  preparedNames.set(text, name)
  return name
}

// What opens or undoes a transaction is quick; a COMMIT may check the constraints of all that a job has written.
const isQuick = (text: string) => /^(BEGIN|ROLLBACK|SAVEPOINT|RELEASE)\b/.test(text)

/** How long the client waits for a statement's result; `undefined` as long as it takes. */
const waitOf = (text: string, isRequest: boolean, requestMillis: number): number | undefined =>
  isRequest || isQuick(text) ? requestMillis : undefined

const isTransactionControl = (text: string) => /^(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)\b/.test(text)

type Answer = (error: Error | null, result?: pg.QueryResult) => void

const defaultRequestMillis = 6000

/**
 * A client whose COMMIT fails when nothing was committed: PostgreSQL answers ROLLBACK, without an error, when a statement
 * of the transaction had failed and its error was swallowed.
 */
class Client extends pg.Client {
  protected readonly requestMillis: number = defaultRequestMillis
  /** What the connection sees; `null` when that may have been taken back. */
  private reach: string | null = null
  private isBusy = false
  private readonly waiting: Array<() => void> = []

  /**
   * Never reported: PgClient would cancel the backend of an interrupted statement, which by then may run the next statement
   * of another fiber. An interrupted statement runs to its end instead, and the connection's next statement waits for it.
   */
  get processID() {
    return undefined
  }

  set processID(_: unknown) {}

  /** Gives the driver one statement at a time: one that was interrupted still runs when the next one comes. */
  private send(statement: Statement, mark: StatementMark | null, answer: Answer): void {
    if (this.isBusy) return this.wait(statement, mark, answer)
    this.isBusy = true
    const done: Answer = (error, result) => {
      this.isBusy = false
      answer(error, result)
      if (!this.isBusy) this.waiting.shift()?.()
    }
    // A setting made in a transaction goes back with it.
    if (statement.text.startsWith("ROLLBACK")) this.reach = null
    const reach = mark === null ? this.reach : reachOf(mark)
    if (mark === null || reach === this.reach) return void super.query(statement, done)
    this.reach = reach
    this.sendWithin(mark, statement, (error, result) => {
      if (error !== null) this.reach = null
      done(error, result)
    })
  }

  /** Sends a statement that sees something else than the one before. */
  private sendWithin(mark: StatementMark, statement: Statement, answer: Answer): void {
    const values = valuesOfReach(mark)
    const { connection } = this as unknown as { readonly connection: PreparedConnection }
    if (followsReach(connection, statement)) {
      return void super.query(new StatementWithReach(statement, values) as unknown as pg.QueryConfig, answer)
    }
    const { query_timeout } = statement
    const setting: Statement = { ...statementOfReach, values, query_timeout }
    super.query(setting, (error) => (error === null ? super.query(statement, answer) : answer(error)))
  }

  /** The time that a statement may take includes its wait. */
  private wait(statement: Statement, mark: StatementMark | null, answer: Answer): void {
    const { query_timeout } = statement
    const since = performance.now()
    const turn = () => {
      clearTimeout(timer)
      const left = query_timeout && Math.max(query_timeout - (performance.now() - since), 1)
      this.send({ ...statement, query_timeout: left }, mark, answer)
    }
    const giveUp = () => {
      this.waiting.splice(this.waiting.indexOf(turn), 1)
      answer(new Error(readTimeout))
    }
    const timer = query_timeout === undefined ? undefined : setTimeout(giveUp, query_timeout)
    this.waiting.push(turn)
  }

  // biome-ignore lint/suspicious/noExplicitAny: pg's own overloads take eight forms; each passes through unchanged.
  override query(...args: ReadonlyArray<any>): any {
    const at = args.findIndex((arg) => typeof arg === "function")
    if (at < 0) return super.query(...(args as [string]))
    const answer: Answer = args[at]
    const checked: Answer = (error, result) => {
      // The connection's next user would wait behind the statement that is still running, or find it closing.
      if (error !== null && breaks(error)) this.end(() => undefined)
      if (args[0] === "COMMIT" && error === null && result?.command === "ROLLBACK") {
        this.reach = null
        return answer(new Error("The transaction was rolled back: one of its statements failed and was not undone."))
      }
      return error === null ? answer(error, result) : answer(error)
    }
    if (typeof args[0] !== "string") {
      return this.send({ ...args[0], ...(at === 2 ? { values: args[1] } : {}) }, null, checked)
    }
    const { mark, text } = readMark(args[0])
    const name = preparedName(text)
    const query_timeout = waitOf(text, mark.isRequest, this.requestMillis)
    const request: Statement = {
      text,
      query_timeout,
      ...(at === 2 ? { values: args[1] } : {}),
      ...(name === undefined ? {} : { name })
    }
    return this.send(request, isTransactionControl(text) ? null : mark, checked)
  }
}

const clientWaiting = (requestMillis: number) =>
  class extends Client {
    protected override readonly requestMillis = requestMillis
  }

const pools = new Set<{ readonly name: string; readonly pool: pg.Pool }>()

/** The pools of this process by their application's name, for the metrics. */
export const openPools = () => [...pools].map(({ name, pool }) => [name, pool] as const)

const startupOptions = ({ searchPath, role }: PoolOptions) => {
  const settings = [
    // What runs without this client's marks, such as COPY, is the service's own work.
    "-c assay.workspace=*",
    // Missing where a pooler drops these settings (postgres/ownSessions.ts).
    "-c assay.session=own",
    ...(searchPath === undefined ? [] : [`-c search_path=${searchPath}`]),
    // A connection's own default, so that RESET does not bring the rights of the user back.
    ...(role === undefined ? [] : [`-c role=${role}`])
  ]
  return settings.join(" ")
}

/** Startup options of the URL stay; ours follow them, so that none of them takes the role or the reach away. */
const configOf = (url: Redacted.Redacted, options: PoolOptions): pg.PoolConfig => {
  const connectionString = Redacted.value(url)
  const parsed = URL.canParse(connectionString) ? new URL(connectionString) : null
  const given = parsed?.searchParams.get("options") ?? null
  if (parsed === null || given === null) return { connectionString }
  parsed.searchParams.set("options", `${given} ${startupOptions(options)}`)
  return { connectionString: parsed.href }
}

/**
 * How long a pool waits for its first connection: a process that starts on a busy machine, beside the database, loads its
 * modules meanwhile, and no caller waits for it.
 */
const firstConnectMillis = 60_000

const connectMillisOf = ({ connectTimeout = "3 seconds" }: PoolOptions) => Duration.toMillis(connectTimeout)

const poolOf = (config: pg.PoolConfig, options: PoolOptions) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const pool = new pg.Pool({
        Client: clientWaiting(
          Duration.toMillis(options.requestTimeout ?? defaultRequestMillis)
        ) as unknown as NonNullable<pg.PoolConfig["Client"]>,
        types,
        max: options.maxConnections ?? 10,
        application_name: options.applicationName ?? "assay",
        connectionTimeoutMillis: Math.max(firstConnectMillis, connectMillisOf(options)),
        keepAlive: true,
        ...(options.queryTimeout === undefined ? {} : { query_timeout: Duration.toMillis(options.queryTimeout) }),
        ...(options.statementTimeout === undefined
          ? {}
          : { statement_timeout: Duration.toMillis(options.statementTimeout) }),
        options: startupOptions(options),
        ...config
      })
      // An idle connection that breaks is replaced at the next use; without a listener it would end the process.
      pool.on("error", () => undefined)
      const open = { name: options.applicationName ?? "assay", pool }
      pools.add(open)
      return open
    }),
    (open) =>
      Effect.promise(() => {
        pools.delete(open)
        return open.pool.end()
      }).pipe(Effect.interruptible, Effect.timeoutOption("2 seconds"))
  ).pipe(
    Effect.map(({ pool }) => pool),
    Effect.tap((pool) =>
      Effect.tryPromise({
        try: () => pool.query("SELECT 1"),
        catch: (cause) =>
          new SqlError({
            cause,
            message: `The database does not answer: ${cause instanceof Error ? cause.message : String(cause)}`
          })
      })
    ),
    // The pool reads it whenever it connects.
    Effect.tap(({ options: current }) =>
      Effect.sync(() => {
        current.connectionTimeoutMillis = connectMillisOf(options)
      })
    )
  )

const layer = (config: pg.PoolConfig, options: PoolOptions) =>
  PgClient.layerFromPool({ acquire: poolOf(config, options) })

/** A pool on `postgres://…`; what the URL's query says wins over the options, except for the role and the schema. */
export const layerFromUrl = (url: Redacted.Redacted, options: PoolOptions = {}) =>
  layer(configOf(url, options), options)

export const layerFromConnection = (connection: DatabaseConnection, options: PoolOptions = {}) =>
  layer({ ...connection, password: Redacted.value(connection.password) }, options)

/** The one connection of its pool: what it does by itself is part of the transaction that the pool's `SqlClient` opens. */
export class OnlyConnection extends Context.Tag("OnlyConnection")<OnlyConnection, pg.ClientBase>() {}

const onlyConnection = (config: pg.PoolConfig, options: PoolOptions) =>
  Layer.unwrapScoped(
    Effect.gen(function* () {
      const pool = yield* poolOf({ ...config, max: 1, idleTimeoutMillis: 0 }, options)
      const connection = yield* Effect.promise(() => pool.connect())
      connection.release()
      return Layer.merge(
        PgClient.layerFromPool({ acquire: Effect.succeed(pool) }),
        Layer.succeed(OnlyConnection, connection)
      )
    })
  )

export const onlyConnectionFromUrl = (url: Redacted.Redacted, options: PoolOptions = {}) =>
  onlyConnection(configOf(url, options), options)

export const onlyConnectionTo = (connection: DatabaseConnection, options: PoolOptions = {}) =>
  onlyConnection({ ...connection, password: Redacted.value(connection.password) }, options)
