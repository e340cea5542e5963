import { randomBytes } from "node:crypto"
import { closeSync, fsyncSync, openSync, readSync, renameSync, rmSync, writeSync } from "node:fs"
import { setImmediate } from "node:timers/promises"
import type { Ecosystem } from "../lockfiles/LockedPackage.ts"
import type { Advisory, AdvisorySource } from "./Advisory.ts"
import { advisoryPath, ENTRY_BYTES, type Header, KEY_BYTES, keyOf, MAGIC, TRAILER_BYTES } from "./AdvisoryFile.ts"

const FLUSH_BYTES = 1024 * 1024
const PACKAGES_PER_TURN = 500

/** Appends to a file through a buffer and knows where it is. */
class Appending {
  readonly fd: number
  offset = 0
  private pending: Array<Buffer> = []
  private pendingBytes = 0

  constructor(path: string) {
    this.fd = openSync(path, "wx+", 0o644)
  }

  append(bytes: Buffer): void {
    this.pending.push(bytes)
    this.pendingBytes += bytes.length
    this.offset += bytes.length
    if (this.pendingBytes >= FLUSH_BYTES) this.flush()
  }

  flush(): void {
    const bytes = Buffer.concat(this.pending)
    for (let done = 0; done < bytes.length; ) done += writeSync(this.fd, bytes, done)
    this.pending = []
    this.pendingBytes = 0
  }

  read(offset: number, length: number): Buffer {
    const buffer = Buffer.allocUnsafe(length)
    for (let done = 0; done < length; ) {
      const bytes = readSync(this.fd, buffer, done, length - done, offset + done)
      if (bytes === 0) throw new Error("The file of advisories became shorter while it was written.")
      done += bytes
    }
    return buffer
  }
}

/**
 * Writes the advisories of one ecosystem. Records go to a file as they come and only their places are kept, so that an
 * import of any size needs little memory; `finish` gathers them by package, and `publish` replaces the old file at once.
 */
export class AdvisoryWriter {
  readonly ecosystem: Ecosystem
  /** Newest `modified` of a record. */
  newest = ""
  private readonly target: string
  private readonly temporary: string
  private readonly records: Appending
  /** Offset and length in pairs. */
  private readonly places = new Map<string, Array<number>>()
  private readonly ids = new Set<string>()

  constructor(folder: string, ecosystem: Ecosystem) {
    this.ecosystem = ecosystem
    this.target = advisoryPath(folder, ecosystem)
    this.temporary = `${this.target}.${randomBytes(6).toString("hex")}.tmp`
    this.records = new Appending(`${this.temporary}.records`)
  }

  add(name: string, advisory: Advisory): void {
    const place = this.append(advisory)
    const places = this.places.get(name)
    if (places === undefined) this.places.set(name, place)
    else places.push(...place)
  }

  /** Adds what was there before: a record of the same id that was added already is the newer one. */
  addEarlier(name: string, advisory: Advisory): void {
    const place = this.append(advisory)
    const places = this.places.get(name)
    if (places === undefined) this.places.set(name, place)
    else places.unshift(...place)
  }

  private append(advisory: Advisory): [offset: number, length: number] {
    const bytes = Buffer.from(JSON.stringify(advisory))
    const offset = this.records.offset
    this.records.append(bytes)
    this.ids.add(advisory.id)
    return [offset, bytes.length]
  }

  /** Writes the file beside the one that is in use; `publish` puts it in its place. */
  async finish(source: string, importedAt: string): Promise<AdvisorySource> {
    this.records.flush()
    const out = new Appending(this.temporary)
    try {
      const entries: Array<Buffer> = []
      for (const [name, places] of this.places) {
        const block = this.blockOf(name, places)
        const entry = Buffer.alloc(ENTRY_BYTES)
        keyOf(name).copy(entry)
        entry.writeUIntBE(out.offset, KEY_BYTES, 6)
        entry.writeUInt32BE(block.length, KEY_BYTES + 6)
        out.append(block)
        entries.push(entry)
        // A service that imports has requests to serve meanwhile.
        if (entries.length % PACKAGES_PER_TURN === 0) await setImmediate()
      }
      const described: AdvisorySource = {
        source,
        ecosystem: this.ecosystem,
        imported_at: importedAt,
        newest: this.newest,
        advisories: this.ids.size
      }
      const header: Header = { format: 1, source: described, packages: entries.length, index_offset: out.offset }
      for (const entry of entries.sort(Buffer.compare)) out.append(entry)
      const text = Buffer.from(JSON.stringify(header))
      const trailer = Buffer.alloc(TRAILER_BYTES, MAGIC, "latin1")
      trailer.writeUInt32BE(text.length, 0)
      trailer.write(MAGIC, 4, "latin1")
      out.append(text)
      out.append(trailer)
      out.flush()
      fsyncSync(out.fd)
      return described
    } finally {
      closeSync(out.fd)
    }
  }

  publish(): void {
    renameSync(this.temporary, this.target)
  }

  /** Removes what is left of it, whatever happened. */
  discard(): void {
    closeSync(this.records.fd)
    rmSync(`${this.temporary}.records`, { force: true })
    rmSync(this.temporary, { force: true })
  }

  /** The last record of an id is the one that counts: an addition comes after what it adds to. */
  private blockOf(name: string, places: ReadonlyArray<number>): Buffer {
    const byId = new Map<string, Advisory>()
    for (let i = 0; i < places.length; i += 2) {
      const advisory = JSON.parse(this.records.read(places[i]!, places[i + 1]!).toString("utf8")) as Advisory
      byId.set(advisory.id, advisory)
    }
    return Buffer.from(JSON.stringify([name, [...byId.values()]]))
  }
}
