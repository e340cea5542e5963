import { createHash } from "node:crypto"
import { closeSync, fstatSync, openSync, readSync } from "node:fs"
import { join } from "node:path"
import type { Ecosystem } from "../lockfiles/LockedPackage.ts"
import type { Advisory, AdvisorySource } from "./Advisory.ts"

/**
 * Advisories of one ecosystem: one block of JSON per package, then an index of 18 bytes per package (digest of the name,
 * offset, length), sorted by digest, then the header, then the trailer. A scan reads the index and the blocks of the
 * packages it meets.
 */
export interface Header {
  readonly format: 1
  readonly source: AdvisorySource
  readonly packages: number
  readonly index_offset: number
}

export const KEY_BYTES = 8
export const ENTRY_BYTES = KEY_BYTES + 6 + 4
export const MAGIC = "ASSAYADV"
/** Header's length and the magic word. */
export const TRAILER_BYTES = 4 + MAGIC.length
const MAX_HEADER_BYTES = 64 * 1024
const MAX_BLOCK_BYTES = 64 * 1024 * 1024

export const keyOf = (name: string): Buffer => createHash("sha256").update(name).digest().subarray(0, KEY_BYTES)

/** Where imports write and audits read. */
export const advisoriesFolder = (dataDir: string): string => join(dataDir, "advisories")

export const advisoryPath = (folder: string, ecosystem: Ecosystem): string => join(folder, `${ecosystem}.advisories`)

export interface AdvisoryFile {
  readonly source: AdvisorySource
  readonly packages: number
  readonly advisoriesOf: (name: string) => ReadonlyArray<Advisory>
  /** Every block, for an import that adds to it. */
  readonly blocks: () => Iterable<readonly [name: string, advisories: ReadonlyArray<Advisory>]>
}

/** Null when there is none; one that cannot be read is as good as none. */
export const openAdvisoryFile = (folder: string, ecosystem: Ecosystem): AdvisoryFile | null => {
  try {
    return readAdvisoryFile(advisoryPath(folder, ecosystem))
  } catch {
    return null
  }
}

export const readAdvisoryFile = (path: string): AdvisoryFile => {
  const { header, index } = reading(path, (read, size) => {
    const trailer = read(size - TRAILER_BYTES, TRAILER_BYTES)
    const length = trailer.readUInt32BE(0)
    if (trailer.toString("latin1", 4) !== MAGIC || length > MAX_HEADER_BYTES) throw new Error("no advisory file")
    const header = JSON.parse(read(size - TRAILER_BYTES - length, length).toString("utf8")) as Header
    if (header.format !== 1) throw new Error("an advisory file of another version")
    const end = size - TRAILER_BYTES - length
    const index = read(header.index_offset, end - header.index_offset)
    if (index.length !== header.packages * ENTRY_BYTES) throw new Error("a broken advisory file")
    return { header, index }
  })
  const blockAt = (entry: number) => {
    const at = entry * ENTRY_BYTES + KEY_BYTES
    const [offset, length] = [index.readUIntBE(at, 6), index.readUInt32BE(at + 6)]
    if (length > MAX_BLOCK_BYTES) throw new Error("a block beyond the limit")
    const block = reading(path, (read) => read(offset, length))
    return JSON.parse(block.toString("utf8")) as readonly [string, ReadonlyArray<Advisory>]
  }
  return {
    source: header.source,
    packages: header.packages,
    advisoriesOf: (name) => {
      const entry = find(index, keyOf(name))
      if (entry < 0) return []
      const [stored, advisories] = blockAt(entry)
      return stored === name ? advisories : []
    },
    *blocks() {
      for (let entry = 0; entry < index.length / ENTRY_BYTES; entry++) yield blockAt(entry)
    }
  }
}

const find = (index: Buffer, key: Buffer): number => {
  let low = 0
  let high = index.length / ENTRY_BYTES - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const order = key.compare(index, middle * ENTRY_BYTES, middle * ENTRY_BYTES + KEY_BYTES)
    if (order === 0) return middle
    if (order < 0) high = middle - 1
    else low = middle + 1
  }
  return -1
}

type Read = (offset: number, length: number) => Buffer

const reading = <A>(path: string, use: (read: Read, size: number) => A): A => {
  const fd = openSync(path, "r")
  try {
    const { size } = fstatSync(fd)
    const read: Read = (offset, length) => {
      if (!(offset >= 0 && length >= 0 && offset + length <= size)) throw new Error("a broken advisory file")
      const buffer = Buffer.allocUnsafe(length)
      for (let done = 0; done < length; ) {
        const bytes = readSync(fd, buffer, done, length - done, offset + done)
        if (bytes === 0) throw new Error("a broken advisory file")
        done += bytes
      }
      return buffer
    }
    return use(read, size)
  } finally {
    closeSync(fd)
  }
}
