import { SqlClient, type SqlError } from "@effect/sql"
import { PgMigrator } from "@effect/sql-pg"
import { Effect, Option, Schedule } from "effect"
import { migrations } from "./migrations/index.ts"

export const MigrationError = PgMigrator.MigrationError
export type MigrationError = PgMigrator.MigrationError

export type MigrationRecord = Parameters<typeof PgMigrator.fromRecord>[0]

const table = "effect_sql_migrations"

/** Any number that no other code locks: two processes that start at once take turns. */
const turn = 7_270_001

const idOf = (name: string) => Number.parseInt(name, 10)

const applied = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const found = yield* sql<{ there: boolean }>`SELECT to_regclass(${table}) IS NOT NULL AS there`
  if (found[0]?.there !== true) return []
  const rows = yield* sql<{ migration_id: number; name: string }>`SELECT migration_id, name FROM ${sql(table)}`
  return rows.map(({ migration_id, name }) => ({ id: migration_id, name }))
})

/** Names of the migrations the database still lacks. */
export const pendingMigrations = (
  record: MigrationRecord = migrations
): Effect.Effect<ReadonlyArray<string>, SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.map(applied, (rows) => {
    const ids = new Set(rows.map(({ id }) => id))
    return Object.keys(record).filter((name) => !ids.has(idOf(name)))
  })

/** Names of the migrations that a newer version has applied. */
export const unknownMigrations = (record: MigrationRecord = migrations) =>
  Effect.map(applied, (rows) => {
    const known = new Set(Object.keys(record).map(idOf))
    return rows.filter(({ id }) => !known.has(id)).map(({ id, name }) => `${String(id).padStart(4, "0")}_${name}`)
  })

const rejectNewer = (record: MigrationRecord) =>
  Effect.gen(function* () {
    const newer = yield* unknownMigrations(record)
    if (newer.length === 0) return
    return yield* new MigrationError({
      reason: "bad-state",
      message: `The database has migrations this version does not know (${newer.join(", ")}); start a newer version.`
    })
  })

const innermost = (error: unknown): string =>
  error instanceof Error ? (error.cause === undefined ? error.message : innermost(error.cause)) : String(error)

/** The migrator reports a failing migration as a defect. */
const typed = Effect.catchSomeDefect((defect: unknown) =>
  defect instanceof MigrationError
    ? Option.some(
        new MigrationError({
          reason: defect.reason,
          cause: defect.cause,
          message: `${defect.message}: ${innermost(defect.cause)}`
        })
      )
    : Option.none()
)

/** The role that the services act as where the user of the connection could pass over row-level security. */
export const serviceRole = "assay_service"

// Roles belong to the server, not to the database: a copy of the database on another server starts without it.
const grantToServiceRole = (sql: SqlClient.SqlClient) =>
  sql`
    DO $$ BEGIN
      CREATE ROLE ${sql.literal(serviceRole)} NOLOGIN NOSUPERUSER NOBYPASSRLS;
    EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
    END $$;
    GRANT USAGE ON SCHEMA public, engine TO ${sql.literal(serviceRole)};
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public, engine TO ${sql.literal(serviceRole)};
    GRANT USAGE ON ALL SEQUENCES IN SCHEMA public, engine TO ${sql.literal(serviceRole)};
    ALTER DEFAULT PRIVILEGES GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO ${sql.literal(serviceRole)};
    ALTER DEFAULT PRIVILEGES GRANT USAGE ON SEQUENCES TO ${sql.literal(serviceRole)};
  `

const isSuperuser = (sql: SqlClient.SqlClient) =>
  Effect.map(
    sql<{ readonly rolsuper: boolean }>`SELECT rolsuper FROM pg_roles WHERE rolname = current_user`,
    (found) => found[0]?.rolsuper === true
  )

/** The role for the pools of the services; none where the policies bind the user of the connection anyway. */
export const roleOfServices = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(isSuperuser(sql), (passesOver) => (passesOver ? serviceRole : undefined))
)

/** While a migration waits for a lock on a table, every new reader of the table waits behind it. */
const longestWait = "'900 ms'"

/** Long enough for a backup of a large database, which reads every table in one transaction. */
const patience = Schedule.intersect(Schedule.jittered(Schedule.spaced("2 seconds")), Schedule.recurUpTo("30 minutes"))

const waitedForLock = (error: unknown): boolean =>
  typeof error === "object" &&
  error !== null &&
  (("code" in error && error.code === "55P03") || ("cause" in error && waitedForLock(error.cause)))

/**
 * Brings the database up to date, all of it or nothing; the migrations that were run. Safe to be called by several
 * processes at once.
 */
export const migrate = (record: MigrationRecord = migrations) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return yield* sql.withTransaction(
      Effect.gen(function* () {
        yield* sql`SELECT pg_advisory_xact_lock(${turn})`
        yield* sql`SET LOCAL lock_timeout = ${sql.literal(longestWait)}`
        // Here, because the migrator's own way fails inside a transaction: it tries, and creates the table on an error.
        yield* sql`CREATE TABLE IF NOT EXISTS ${sql(table)} (
          migration_id integer PRIMARY KEY,
          created_at timestamptz NOT NULL DEFAULT now(),
          name text NOT NULL
        )`
        yield* rejectNewer(record)
        const applied = yield* PgMigrator.make({})({ loader: PgMigrator.fromRecord(record), table })
        if (record === migrations && (yield* isSuperuser(sql))) yield* grantToServiceRole(sql)
        // A restore goes on in the same transaction.
        yield* sql`SET LOCAL lock_timeout = 0`
        return applied
      })
    )
  }).pipe(typed, Effect.retry({ while: waitedForLock, schedule: patience }))
