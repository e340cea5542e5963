import { stat } from "node:fs/promises"
import { SqlClient } from "@effect/sql"
import { Effect, Schedule } from "effect"
import type pg from "pg"
import { type MigrationRecord, migrate } from "../Migrations.ts"
import { migrations } from "../migrations/index.ts"
import { buildIndexes } from "../OnlineIndexes.ts"
import { OnlyConnection } from "../Sql.ts"
import { type ArchivePart, type Header, readArchive } from "./archive.ts"
import { asBackupError, BackupError } from "./BackupError.ts"
import { dropEverything, filledTables, setSequence, unconstrained, usersOf } from "./catalogue.ts"
import { dump } from "./dump.ts"
import { load } from "./load.ts"
import { writePrivateFile } from "./PrivateFile.ts"

/** Writes every row of the database, as of one moment, to a new file of mode 0600. */
export const backup = (options: { readonly file: string; readonly version: string }) =>
  Effect.gen(function* () {
    const client = yield* OnlyConnection
    const dumped = yield* writePrivateFile(options.file, (target) =>
      Effect.tryPromise({
        try: () => dump(client, target, options),
        catch: asBackupError("The backup failed; no file was left")
      })
    )
    const { size } = yield* Effect.promise(() => stat(options.file))
    return { ...dumped, bytes: size }
  })

const headerOf = async (parts: AsyncIterator<ArchivePart>): Promise<Header> => {
  const { value } = await parts.next()
  if (value?.type === "header") return value.header
  throw new BackupError({ message: "The backup is damaged: it has no header." })
}

/** The migrations that the backup's database had. */
const recordOf = (header: Header): Effect.Effect<MigrationRecord, BackupError> => {
  const names = new Set(header.migrations.map(({ id, name }) => `${String(id).padStart(4, "0")}_${name}`))
  const known = Object.entries(migrations).filter(([name]) => names.delete(name))
  return names.size === 0
    ? Effect.succeed(Object.fromEntries(known))
    : new BackupError({
        message:
          `The backup was made by a newer version, ${header.assay}: this one does not know its migrations ` +
          `${[...names].join(", ")}. Restore it with that version.`
      })
}

const step = <A>(run: (signal: AbortSignal) => Promise<A>) =>
  Effect.tryPromise({ try: run, catch: asBackupError("The restore failed, and nothing has changed") })

/** PostgreSQL lists a connection for a moment after its process has ended. */
const patience = Schedule.intersect(Schedule.spaced("250 millis"), Schedule.recurUpTo("4 seconds"))

const unused = (client: pg.ClientBase) =>
  step(() => usersOf(client)).pipe(
    Effect.filterOrFail(
      (users) => users === 0,
      () => new BackupError({ message: "Assay is running on this database. Stop every process of it, then restore." })
    ),
    Effect.retry(patience)
  )

/**
 * Replaces the content of the database by a backup's, in one transaction: its tables are made as they were then, filled,
 * and brought up to date.
 */
export const restore = (options: { readonly file: string; readonly replace: boolean }) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const client = yield* OnlyConnection
    const parts = readArchive(options.file)
    const header = yield* step(() => headerOf(parts))
    const record = yield* recordOf(header)
    const rows = yield* sql.withTransaction(
      Effect.gen(function* () {
        yield* unused(client)
        const filled = yield* step(() => filledTables(client))
        if (filled.length > 0 && !options.replace) {
          return yield* new BackupError({
            message:
              `The database is not empty (rows in ${filled.slice(0, 3).join(", ")}${filled.length > 3 ? ", …" : ""}). ` +
              "Say --replace to delete everything in it first."
          })
        }
        yield* step(() => dropEverything(client))
        yield* migrate(record)
        const loaded = yield* step((signal) => unconstrained(client, () => load(client, parts, signal)))
        yield* step(async () => {
          for (const sequence of header.sequences) await setSequence(client, sequence)
        })
        yield* migrate()
        return loaded
      })
    )
    yield* buildIndexes()
    yield* step(() => client.query("ANALYZE"))
    return { rows, created_at: header.created_at }
  })
