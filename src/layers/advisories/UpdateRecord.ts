import { randomUUID } from "node:crypto"
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Either, Schema } from "effect"

/** What was imported of one ecosystem, and from where. */
const ImportedDump = Schema.Struct({
  url: Schema.String,
  etag: Schema.NullOr(Schema.String),
  last_modified: Schema.NullOr(Schema.String),
  imported_at: Schema.String,
  /** Version of the reader that imported it: a newer one may take more from the same dump. */
  reader: Schema.Number,
  checked_at: Schema.String
})

/** What the last update came to, kept beside the advisories for the timer, `assay doctor` and metrics. */
export const UpdateRecord = Schema.Struct({
  /** Null before the first update. */
  ended_at: Schema.NullOr(Schema.String),
  failures: Schema.Record({ key: Schema.String, value: Schema.String }),
  dumps: Schema.Record({ key: Schema.String, value: ImportedDump })
})
export type UpdateRecord = typeof UpdateRecord.Type

const nothing: UpdateRecord = { ended_at: null, failures: {}, dumps: {} }

const pathIn = (folder: string) => join(folder, "updates.json")

const decode = Schema.decodeUnknownEither(Schema.parseJson(UpdateRecord))

/** A record that cannot be read costs one download of what is there already. */
export const readUpdateRecord = (folder: string): UpdateRecord => {
  try {
    return Either.getOrElse(decode(readFileSync(pathIn(folder), "utf8")), () => nothing)
  } catch {
    return nothing
  }
}

export const writeUpdateRecord = (folder: string, record: UpdateRecord): void => {
  const draft = join(folder, `updates.${randomUUID()}.tmp`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  try {
    writeFileSync(draft, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o644 })
    renameSync(draft, pathIn(folder))
  } finally {
    rmSync(draft, { force: true })
  }
}
