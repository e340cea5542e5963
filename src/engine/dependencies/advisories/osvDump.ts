import { closeSync, openSync, readSync } from "node:fs"
import { opendir, readFile, stat } from "node:fs/promises"
import { join } from "node:path"
import { crc32, inflateRawSync } from "node:zlib"
import { type Entry, fromFdPromise, validateFileName, type ZipFile } from "yauzl"

/** A text that should be OSV, or why it is none. */
export type DumpItem = { readonly text: string } | { readonly skipped: "unsafe_name" | "too_large" | "unreadable" }

export class DumpError extends Error {
  override readonly name = "DumpError"
}

/** The largest real records have a few hundred kilobytes. */
const MAX_RECORD_BYTES = 8 * 1024 * 1024
const MAX_LOOSE_BYTES = 256 * 1024 * 1024
const MAX_ENTRIES = 2_000_000
const MAX_TOTAL_BYTES = 16 * 1024 * 1024 * 1024
const MAX_FOLDERS_DEEP = 8

/** Records of an OSV dump: a zip of JSON files, a JSON file, or a folder of either. Nothing is unpacked to disk. */
export async function* readDump(path: string): AsyncGenerator<DumpItem> {
  const found = await stat(path).catch(() => null)
  if (found === null) throw new DumpError(`${path} does not exist.`)
  if (found.isDirectory()) yield* readFolder(path, 0)
  else if (/\.zip$/i.test(path)) yield* readZip(path)
  else if (/\.json$/i.test(path)) yield* readLoose(path, found.size)
  else throw new DumpError(`${path} is neither a .zip, a .json nor a folder.`)
}

async function* readFolder(path: string, depth: number): AsyncGenerator<DumpItem> {
  for await (const child of await opendir(path)) {
    const at = join(path, child.name)
    if (child.isDirectory() && depth < MAX_FOLDERS_DEEP) yield* readFolder(at, depth + 1)
    else if (child.isFile() && /\.zip$/i.test(child.name)) yield* readZip(at)
    else if (child.isFile() && /\.json$/i.test(child.name)) yield* readLoose(at, (await stat(at)).size)
  }
}

async function* readLoose(path: string, size: number): AsyncGenerator<DumpItem> {
  if (size > MAX_LOOSE_BYTES) yield { skipped: "too_large" }
  else yield { text: await readFile(path, "utf8") }
}

const opened = async (path: string, fd: number): Promise<ZipFile> => {
  try {
    // Names are looked at here: one bad name must not end the import of all others.
    return await fromFdPromise(fd, { lazyEntries: true, autoClose: false, decodeStrings: false })
  } catch (error) {
    throw new DumpError(`${path} is not a zip file: ${error instanceof Error ? error.message : error}`)
  }
}

async function* readZip(path: string): AsyncGenerator<DumpItem> {
  const fd = openSync(path, "r")
  let entries = 0
  let bytes = 0
  try {
    const zip = await opened(path, fd)
    for await (const entry of zip.eachEntry()) {
      if (++entries > MAX_ENTRIES) throw new DumpError(`${path} has more than ${MAX_ENTRIES} entries.`)
      const item = await readEntry(zip, fd, entry)
      if (item === null) continue
      if ("text" in item) bytes += item.text.length
      if (bytes > MAX_TOTAL_BYTES) throw new DumpError(`${path} unpacks to more than ${MAX_TOTAL_BYTES} bytes.`)
      yield item
    }
  } catch (error) {
    if (error instanceof DumpError) throw error
    throw new DumpError(`${path} is damaged: ${error instanceof Error ? error.message : error}`)
  } finally {
    closeSync(fd)
  }
}

/** Null for what is no record at all: folders, and other files. */
const readEntry = async (zip: ZipFile, fd: number, entry: Entry): Promise<DumpItem | null> => {
  // With `decodeStrings: false` it is bytes, which the type does not say.
  const name = (entry.fileName as unknown as Buffer).toString("utf8")
  if (name.endsWith("/")) return null
  if (validateFileName(name) !== null || name.includes("\\")) return { skipped: "unsafe_name" }
  if (!/\.json$/i.test(name)) return null
  if (Math.max(entry.uncompressedSize, entry.compressedSize) > MAX_RECORD_BYTES) return { skipped: "too_large" }
  try {
    const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true })
    return { text: unpacked(entry, readAt(fd, fileDataStart, entry.compressedSize)) }
  } catch {
    return { skipped: "unreadable" }
  }
}

const STORED = 0
const DEFLATED = 8

/** At once, not as a stream: records are small and there are hundreds of thousands. The stated size may be a lie. */
const unpacked = (entry: Entry, bytes: Buffer): string => {
  const { compressionMethod, generalPurposeBitFlag } = entry
  const isEncrypted = (generalPurposeBitFlag & 1) !== 0
  if (isEncrypted || (compressionMethod !== STORED && compressionMethod !== DEFLATED)) throw new Error("not readable")
  const content = compressionMethod === STORED ? bytes : inflateRawSync(bytes, { maxOutputLength: MAX_RECORD_BYTES })
  if (crc32(content) !== entry.crc32) throw new Error("its checksum differs")
  return content.toString("utf8")
}

const readAt = (fd: number, offset: number, length: number): Buffer => {
  const buffer = Buffer.allocUnsafe(length)
  for (let done = 0; done < length; ) {
    const bytes = readSync(fd, buffer, done, length - done, offset + done)
    if (bytes === 0) throw new Error("the file ends too early")
    done += bytes
  }
  return buffer
}
