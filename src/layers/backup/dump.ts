import type { Writable } from "node:stream"
import type pg from "pg"
import { to as copyTo } from "pg-copy-streams"
import { type ArchivedTable, writeArchive } from "./archive.ts"
import { BackupError } from "./BackupError.ts"
import { columnsOf, lockTables, migrationsOf, sequencesOf, tablesOf } from "./catalogue.ts"

export interface Dumped {
  readonly tables: number
  readonly rows: number
}

const sameTables = (some: ReadonlyArray<ArchivedTable>, others: ReadonlyArray<ArchivedTable>) =>
  JSON.stringify(some) === JSON.stringify(others)

/**
 * Opens a transaction that sees one moment of every table. The locks come before its first query and so before its
 * snapshot: a migration that ends in between would leave columns that the snapshot's rows do not have.
 */
const openSnapshot = async (client: pg.ClientBase): Promise<ReadonlyArray<ArchivedTable>> => {
  const tables = await tablesOf(client)
  if (tables.length === 0) throw new BackupError({ message: "The database has no tables yet; start the service once." })
  await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
  await lockTables(client, tables)
  if (sameTables(tables, await tablesOf(client))) return tables
  throw new BackupError({ message: "A migration ran at the same time; try again." })
}

/** Writes all rows as of one moment; readers and writers of the database go on meanwhile. */
export const dump = async (client: pg.ClientBase, target: Writable, about: { readonly version: string }) => {
  const tables = await openSnapshot(client)
  const { rows: moment } = await client.query<{ at: string; postgres: string }>(
    `SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS at,
       current_setting('server_version') AS postgres`
  )
  const archive = await writeArchive(target, {
    created_at: moment[0]?.at ?? "",
    assay: about.version,
    postgres: moment[0]?.postgres ?? "",
    migrations: await migrationsOf(client),
    sequences: await sequencesOf(client)
  })
  for (const table of tables) {
    await archive.table(table)
    for await (const bytes of client.query(copyTo(`COPY ${columnsOf(table)} TO STDOUT`))) await archive.rows(bytes)
  }
  const { rows } = await archive.end()
  await client.query("COMMIT")
  return { tables: tables.length, rows } satisfies Dumped
}
