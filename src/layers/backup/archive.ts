import { createHash } from "node:crypto"
import { once } from "node:events"
import { createReadStream } from "node:fs"
import { pipeline, type Writable } from "node:stream"
import { createGunzip, createGzip } from "node:zlib"
import { Schema } from "effect"
import { BackupError } from "./BackupError.ts"

/**
 * A backup is one gzip stream of lines, written and read once from beginning to end:
 *
 *     assay-backup 1
 *     header {"created_at": …, "migrations": [{"id": 1, "name": …}], "sequences": [{"name": …, "value": …}], …}
 *     table {"name": "jobs", "columns": ["id", …]}
 *     rows 65536
 *     … 65536 bytes in the text format of PostgreSQL's COPY; more `rows`, until the next `table` or the end
 *     end {"rows": 1234, "sha256": "digest of every byte before this line"}
 */
const magic = "assay-backup 1\n"

export const Header = Schema.Struct({
  created_at: Schema.String,
  assay: Schema.String,
  postgres: Schema.String,
  migrations: Schema.Array(Schema.Struct({ id: Schema.Int, name: Schema.String })),
  /** `value` is the last number that the sequence returned; null where it was never used. */
  sequences: Schema.Array(Schema.Struct({ name: Schema.String, value: Schema.NullOr(Schema.String) }))
})
export type Header = typeof Header.Type

export const ArchivedTable = Schema.Struct({ name: Schema.String, columns: Schema.NonEmptyArray(Schema.String) })
export type ArchivedTable = typeof ArchivedTable.Type

const End = Schema.Struct({ rows: Schema.Int, sha256: Schema.String })

export type ArchivePart =
  | { readonly type: "header"; readonly header: Header }
  | { readonly type: "table"; readonly table: ArchivedTable }
  | { readonly type: "rows"; readonly bytes: Buffer }
  | { readonly type: "end"; readonly rows: number }

export interface ArchiveWriter {
  readonly table: (table: ArchivedTable) => Promise<void>
  readonly rows: (bytes: Buffer) => Promise<void>
  /** Writes the last line; ends when every byte has reached the target. */
  readonly end: () => Promise<{ readonly rows: number }>
}

const newline = 10

/** Each row of COPY's text format ends with a line feed, and a row contains no other one. */
export const countRows = (bytes: Buffer): number => {
  let count = 0
  for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1)) count++
  return count
}

/** Writes an archive to `target`; waits when the target is slower than the database. */
export const writeArchive = async (target: Writable, header: Header): Promise<ArchiveWriter> => {
  const gzip = createGzip()
  const written = new Promise<void>((resolve, reject) =>
    pipeline(gzip, target, (error) => (error ? reject(error) : resolve()))
  )
  // Reported by the one who waits for the end; until then a failure must not count as unhandled.
  written.catch(() => undefined)
  const hash = createHash("sha256")
  let rows = 0
  const put = async (bytes: Buffer | string) => {
    hash.update(bytes)
    if (!gzip.write(bytes)) await Promise.race([once(gzip, "drain"), written])
  }
  await put(magic)
  await put(`header ${JSON.stringify(Schema.encodeSync(Header)(header))}\n`)
  return {
    table: (table) => put(`table ${JSON.stringify(table)}\n`),
    rows: async (bytes) => {
      rows += countRows(bytes)
      await put(`rows ${bytes.length}\n`)
      await put(bytes)
    },
    end: async () => {
      gzip.end(`end ${JSON.stringify({ rows, sha256: hash.digest("hex") })}\n`)
      await written
      return { rows }
    }
  }
}

const notOurs = new BackupError({ message: "The file is not one that `assay backup` wrote." })

const damaged = (what: string) => new BackupError({ message: `The backup is damaged: ${what}.` })

const decodeLine = <A, I>(schema: Schema.Schema<A, I>, json: string): A => {
  const decoded = Schema.decodeUnknownEither(Schema.parseJson(schema))(json)
  if (decoded._tag === "Left") throw damaged("a line of it cannot be read")
  return decoded.right
}

// The header is the longest line, and has some hundred bytes for each migration.
const longestLine = 1024 * 1024
const outputSize = 256 * 1024

/** What zlib said, if it was zlib. */
const zlibMessage = (cause: unknown): string | null =>
  cause instanceof Error && "code" in cause && String(cause.code).startsWith("Z_") ? cause.message : null

/** The bytes of a gzip file as lines and blocks of a known length. */
class Unpacked {
  readonly hash = createHash("sha256")
  /** Of the blocks so far. */
  rows = 0
  private rest: Buffer = Buffer.alloc(0)
  private readonly chunks: AsyncIterator<Buffer>

  constructor(path: string) {
    const gunzip = createGunzip({ chunkSize: outputSize })
    // A failure of the file ends the iteration below with it.
    pipeline(createReadStream(path), gunzip, () => undefined)
    this.chunks = gunzip[Symbol.asyncIterator]()
  }

  private next() {
    return this.chunks.next().catch((cause) => {
      const message = zlibMessage(cause)
      if (message === null) throw cause
      throw message === "incorrect header check" ? notOurs : damaged("it cannot be unpacked")
    })
  }

  private async more() {
    const { done, value } = await this.next()
    if (done === true) throw damaged("its end is missing")
    this.rest = this.rest.length === 0 ? value : Buffer.concat([this.rest, value])
  }

  async line(): Promise<{ readonly text: string; readonly bytes: Buffer }> {
    while (this.rest.indexOf(newline) < 0) {
      if (this.rest.length > longestLine) throw damaged("a line of it has no end")
      await this.more()
    }
    const end = this.rest.indexOf(newline)
    const bytes = this.rest.subarray(0, end + 1)
    this.rest = this.rest.subarray(end + 1)
    return { text: bytes.toString("utf8", 0, end), bytes }
  }

  async *block(length: number): AsyncGenerator<Buffer> {
    let left = length
    while (left > 0) {
      if (this.rest.length === 0) await this.more()
      const bytes = this.rest.subarray(0, left)
      this.rest = this.rest.subarray(bytes.length)
      left -= bytes.length
      this.hash.update(bytes)
      this.rows += countRows(bytes)
      yield bytes
    }
  }

  async isAtEnd(): Promise<boolean> {
    return this.rest.length === 0 && (await this.next()).done === true
  }
}

async function* rowsOf(file: Unpacked, length: string): AsyncGenerator<ArchivePart> {
  if (!/^\d{1,12}$/.test(length)) throw damaged("a line of it cannot be read")
  for await (const bytes of file.block(Number(length))) yield { type: "rows", bytes }
}

const checkedEnd = async (file: Unpacked, json: string): Promise<ArchivePart> => {
  const { rows, sha256 } = decodeLine(End, json)
  if (sha256 !== file.hash.digest("hex")) throw damaged("its checksum is another one")
  if (rows !== file.rows || !(await file.isAtEnd())) throw damaged("it has more than it names")
  return { type: "end", rows }
}

/** The parts of an archive in their order; fails where it is damaged, at the latest with its last line. */
export async function* readArchive(path: string): AsyncGenerator<ArchivePart> {
  const file = new Unpacked(path)
  const first = await file.line()
  if (`${first.text}\n` !== magic) throw notOurs
  file.hash.update(first.bytes)
  while (true) {
    const { text, bytes } = await file.line()
    const [, kind, rest = ""] = /^(\w+) (.*)$/.exec(text) ?? []
    if (kind === "end") {
      yield await checkedEnd(file, rest)
      return
    }
    file.hash.update(bytes)
    if (kind === "rows") yield* rowsOf(file, rest)
    else if (kind === "header") yield { type: "header", header: decodeLine(Header, rest) }
    else if (kind === "table") yield { type: "table", table: decodeLine(ArchivedTable, rest) }
    else throw damaged("a line of it cannot be read")
  }
}
