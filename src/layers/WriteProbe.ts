import { mkdir, open, rm } from "node:fs/promises"
import { join } from "node:path"
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** Large enough that a full disk cannot take it from what a file has reserved already. */
const probeBytes = 64 * 1024

const writesToFolder = (folder: string) =>
  Effect.tryPromise(async () => {
    await mkdir(folder, { recursive: true })
    const path = join(folder, ".write-probe")
    const file = await open(path, "w")
    try {
      await file.writeFile(Buffer.alloc(probeBytes, 1))
      await file.sync()
    } finally {
      await file.close()
      await rm(path, { force: true })
    }
  })

// A temporary table of the connection, emptied by each COMMIT: every probe extends its file again, and leaves nothing.
const writesToDatabase = (sql: SqlClient.SqlClient) =>
  sql.withTransaction(
    Effect.gen(function* () {
      // Temporary tables can be written where others cannot: a read-only server rejects this, which changes no row.
      yield* sql`UPDATE jobs SET id = id WHERE false`
      yield* sql`CREATE TEMPORARY TABLE IF NOT EXISTS write_probe (filler text STORAGE PLAIN) ON COMMIT DELETE ROWS`
      yield* sql`INSERT INTO pg_temp.write_probe SELECT repeat('x', 1900) FROM generate_series(1, ${probeBytes / 2048})`
    })
  )

/** How long a result holds: more frequent requests cost nothing more. */
const validFor = "5 seconds"

/**
 * Names of what cannot be written now: a full disk accepts reads, and makes every job fail. A process that runs no jobs
 * has no data folder.
 */
export const writeProbe = (dataDir: string | null) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const targets: Readonly<Record<string, Effect.Effect<void, unknown>>> = {
      database: writesToDatabase(sql),
      ...(dataDir === null ? {} : { data_folder: writesToFolder(dataDir) })
    }
    const failures = Effect.forEach(
      Object.entries(targets),
      ([name, writes]) =>
        Effect.match(Effect.timeout(writes, "3 seconds"), { onFailure: () => [name], onSuccess: () => [] }),
      { concurrency: "unbounded" }
    )
    return yield* Effect.cachedWithTTL(
      Effect.map(failures, (names) => names.flat()),
      validFor
    )
  })
