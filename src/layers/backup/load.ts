import { once } from "node:events"
import { finished } from "node:stream/promises"
import type pg from "pg"
import { type CopyStreamQuery, from as copyFrom } from "pg-copy-streams"
import { type ArchivedTable, type ArchivePart, countRows } from "./archive.ts"
import { BackupError } from "./BackupError.ts"
import { columnsOf } from "./catalogue.ts"

/** The table that rows are being written to. */
class OpenTable {
  private rows = 0
  private readonly table: ArchivedTable
  private readonly stream: CopyStreamQuery
  private readonly ended: Promise<void>

  constructor(client: pg.ClientBase, table: ArchivedTable) {
    this.table = table
    this.stream = client.query(copyFrom(`COPY ${columnsOf(table)} FROM STDIN`))
    this.ended = finished(this.stream)
    // Reported by the one who writes next or ends the table.
    this.ended.catch(() => undefined)
  }

  async write(bytes: Buffer) {
    this.rows += countRows(bytes)
    if (!this.stream.write(bytes)) await Promise.race([once(this.stream, "drain"), this.ended])
  }

  /** Without this, the transaction's ROLLBACK would wait for rows that do not come. */
  abandon() {
    this.stream.destroy()
  }

  async end() {
    this.stream.end()
    await this.ended
    if (this.stream.rowCount !== this.rows) {
      throw new BackupError({
        message: `Only ${this.stream.rowCount} of ${this.rows} rows of ${this.table.name} came.`
      })
    }
  }
}

/** Writes the archive's rows to tables of the same columns, in the client's transaction; how many they were. */
export const load = async (
  client: pg.ClientBase,
  parts: AsyncIterable<ArchivePart>,
  signal: AbortSignal
): Promise<number> => {
  let open: OpenTable | null = null
  try {
    for await (const part of parts) {
      signal.throwIfAborted()
      if (part.type === "rows") {
        if (open === null) throw new BackupError({ message: "The backup is damaged: rows come before their table." })
        await open.write(part.bytes)
        continue
      }
      await open?.end()
      open = part.type === "table" ? new OpenTable(client, part.table) : null
      if (part.type === "end") return part.rows
    }
  } catch (cause) {
    open?.abandon()
    throw cause
  }
  throw new BackupError({ message: "The backup is damaged: its end is missing." })
}
