import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, Redacted, Schedule } from "effect"
import pg from "pg"
import { startEmbeddedPostgres } from "../../src/layers/EmbeddedPostgres.ts"
import { isAlive } from "../../src/layers/postgres/Processes.ts"
import { temporaryFolder } from "../support/TestPostgres.ts"

/** A PostgreSQL of the suite's own, with full durability, that it breaks and that comes back by itself. */
export interface ChaosDatabase {
  readonly url: string
  /** As the owner of the database; waits up to a minute for a server that is away. */
  readonly rows: <Row extends object>(
    text: string,
    values?: ReadonlyArray<unknown>
  ) => Effect.Effect<ReadonlyArray<Row>>
  /** Connections of the suite's own, for what it does behind the service's back. */
  readonly pool: pg.Pool
  /** What `pg_ctl stop -m immediate` does: no checkpoint, every backend ends at once. Seconds until it accepts again. */
  readonly stopImmediately: Effect.Effect<number>
}

const ownConnections = "assay chaos"

const untilAccepting = (pool: pg.Pool) =>
  Effect.tryPromise(() => pool.query("SELECT 1")).pipe(
    Effect.retry(Schedule.spaced("50 millis").pipe(Schedule.upTo("1 minute"))),
    Effect.orDie,
    Effect.asVoid
  )

const untilGone = (pid: number): Effect.Effect<void> =>
  Effect.suspend(() => (isAlive(pid) ? Effect.delay(untilGone(pid), "10 millis") : Effect.void))

export const aChaosDatabase = (dataDir?: string) =>
  Effect.gen(function* () {
    const { connection, data } = yield* startEmbeddedPostgres({ dataDir: dataDir ?? (yield* temporaryFolder) })
    const { user, password, host, port, database } = connection
    const url = `postgres://${user}:${Redacted.value(password)}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
    const pool = yield* Effect.acquireRelease(
      Effect.sync(() => {
        const made = new pg.Pool({ connectionString: url, max: 6, application_name: ownConnections })
        made.on("error", () => undefined)
        return made
      }),
      (made) => Effect.promise(() => made.end())
    )
    const rows = <Row extends object>(text: string, values: ReadonlyArray<unknown> = []) =>
      Effect.tryPromise(() => pool.query<Row & pg.QueryResultRow>(text, [...values])).pipe(
        Effect.map((result): ReadonlyArray<Row> => result.rows),
        Effect.retry(Schedule.spaced("250 millis").pipe(Schedule.upTo("1 minute"))),
        Effect.orDie
      )
    const stopImmediately = Effect.gen(function* () {
      const pid = Number.parseInt(readFileSync(join(data, "postmaster.pid"), "utf8"), 10)
      const stoppedAt = performance.now()
      yield* Effect.sync(() => process.kill(pid, "SIGQUIT"))
      yield* untilGone(pid)
      yield* untilAccepting(pool)
      return (performance.now() - stoppedAt) / 1000
    })
    return { url, rows, pool, stopImmediately } satisfies ChaosDatabase
  })

/** Ends up to so many of the service's connections, busy ones first; how many there were. */
export const terminateBackends = (database: ChaosDatabase, most: number) =>
  Effect.map(
    database.rows<{ readonly ended: boolean }>(
      `SELECT pg_terminate_backend(pid) AS ended FROM pg_stat_activity
      WHERE backend_type = 'client backend' AND application_name <> $1 AND pid <> pg_backend_pid()
      ORDER BY state <> 'idle' DESC, random() LIMIT $2`,
      [ownConnections, most]
    ),
    (rows) => rows.filter(({ ended }) => ended).length
  )
