import { randomUUID } from "node:crypto"
import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
  writevSync
} from "node:fs"
import { dirname, join } from "node:path"
import { crc32 } from "node:zlib"

/** A range of the file's bytes. */
export type Slice = readonly [offset: number, length: number]

const MAGIC = Buffer.from("assay records 2\n")
/** Where the index is, its length, and the checksum of all before the checksum. */
const CHECKSUM_AT = 8 + 8
const MAGIC_AT = CHECKSUM_AT + 4
const FOOTER_BYTES = MAGIC_AT + MAGIC.length
const FLUSH_BYTES = 1024 * 1024
/** A writer that died leaves its file behind; no scan takes this long. */
const STALE_AFTER_MS = 3_600_000

const temporary = /\.[0-9a-f-]{36}\.tmp$/

/**
 * Bytes with an index and a checksum at the end. It appears under its name whole or not at all, so that readers and other
 * writers are never in the way.
 */
export class RecordWriter {
  private readonly path: string
  private readonly draft: string
  private readonly maxBytes: number
  private checksum = 0
  private readonly waiting: Array<Buffer> = []
  private waitingBytes = 0
  private descriptor: number | null
  private offset = 0

  constructor(path: string, maxBytes: number) {
    this.path = path
    this.draft = `${path}.${randomUUID()}.tmp`
    this.maxBytes = maxBytes
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    removeStale(dirname(path))
    this.descriptor = openSync(this.draft, "wx", 0o600)
    this.append(MAGIC)
  }

  /** False when it grew beyond its limit or could not be written: nothing will come of it. */
  get isOpen(): boolean {
    return this.descriptor !== null
  }

  /** Whether so many bytes more leave it below its limit. */
  hasRoom(bytes: number): boolean {
    return this.offset + bytes <= this.maxBytes
  }

  put(bytes: Buffer | string): Slice {
    const buffer = typeof bytes === "string" ? Buffer.from(bytes) : bytes
    const at = this.offset
    this.append(buffer)
    return [at, buffer.length]
  }

  finish(index: string): void {
    const [indexAt, indexLength] = this.put(index)
    const footer = Buffer.alloc(FOOTER_BYTES)
    footer.writeDoubleLE(indexAt, 0)
    footer.writeDoubleLE(indexLength, 8)
    this.flush()
    if (this.descriptor === null) return
    footer.writeUInt32LE(crc32(footer.subarray(0, CHECKSUM_AT), this.checksum), CHECKSUM_AT)
    MAGIC.copy(footer, MAGIC_AT)
    try {
      writeSync(this.descriptor, footer)
      closeSync(this.descriptor)
      this.descriptor = null
      renameSync(this.draft, this.path)
    } catch {
      this.abandon()
    }
  }

  abandon(): void {
    if (this.descriptor !== null) closeSync(this.descriptor)
    this.descriptor = null
    this.waiting.length = 0
    rmSync(this.draft, { force: true })
  }

  private append(buffer: Buffer): void {
    if (this.descriptor === null) return
    this.offset += buffer.length
    if (this.offset > this.maxBytes) {
      this.abandon()
      return
    }
    this.waiting.push(buffer)
    this.waitingBytes += buffer.length
    if (this.waitingBytes >= FLUSH_BYTES) this.flush()
  }

  private flush(): void {
    if (this.descriptor === null) return
    const buffers = this.waiting.splice(0)
    this.waitingBytes = 0
    for (const buffer of buffers) this.checksum = crc32(buffer, this.checksum)
    try {
      writeAll(this.descriptor, buffers)
    } catch {
      this.abandon()
    }
  }
}

/** As many buffers as one system call may take. */
const BUFFERS_AT_ONCE = 512

/** Writes them as they lie, without copying them together first. */
const writeAll = (descriptor: number, buffers: ReadonlyArray<Buffer>): void => {
  for (let from = 0; from < buffers.length; from += BUFFERS_AT_ONCE) {
    const group = buffers.slice(from, from + BUFFERS_AT_ONCE)
    const bytes = group.reduce((sum, { length }) => sum + length, 0)
    let written = writevSync(descriptor, group)
    // A disk that is nearly full takes less than it is given.
    if (written < bytes)
      for (const rest = Buffer.concat(group); written < bytes; ) written += writeSync(descriptor, rest, written)
  }
}

const removeStale = (folder: string): void => {
  for (const name of readdirSync(folder)) {
    if (!temporary.test(name)) continue
    const status = statSync(join(folder, name), { throwIfNoEntry: false })
    if (status !== undefined && Date.now() - status.mtimeMs > STALE_AFTER_MS)
      rmSync(join(folder, name), { force: true })
  }
}

/** A file in memory that threads can share: what is read from it need not be copied for them. */
const sharedBytesOf = (path: string): Buffer => {
  const descriptor = openSync(path, "r")
  try {
    const bytes = Buffer.from(new SharedArrayBuffer(fstatSync(descriptor).size))
    let read = 0
    for (let at = 0; at < bytes.length; at += read) {
      read = readSync(descriptor, bytes, at, bytes.length - at, at)
      if (read === 0) throw new RangeError("The file has become shorter.")
    }
    return bytes
  } finally {
    closeSync(descriptor)
  }
}

export class RecordReader {
  private readonly bytes: Buffer
  readonly index: string

  private constructor(bytes: Buffer, index: Slice) {
    this.bytes = bytes
    this.index = this.text(index)
  }

  /** Null when there is no such file, or what is there was not written whole by `RecordWriter`. */
  static open(path: string, maxBytes: number): RecordReader | null {
    try {
      const status = statSync(path)
      if (!status.isFile() || status.size > maxBytes + FOOTER_BYTES || status.size < FOOTER_BYTES) return null
      const bytes = sharedBytesOf(path)
      const footer = bytes.length - FOOTER_BYTES
      if (!bytes.subarray(footer + MAGIC_AT).equals(MAGIC)) return null
      if (crc32(bytes.subarray(0, footer + CHECKSUM_AT)) !== bytes.readUInt32LE(footer + CHECKSUM_AT)) return null
      return new RecordReader(bytes, [bytes.readDoubleLE(footer), bytes.readDoubleLE(footer + 8)])
    } catch {
      return null
    }
  }

  text([offset, length]: Slice): string {
    return this.bytes.toString("utf8", offset, offset + length)
  }

  raw([offset, length]: Slice): Buffer {
    return this.bytes.subarray(offset, offset + length)
  }
}
