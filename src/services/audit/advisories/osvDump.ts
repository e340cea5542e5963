import { opendir, readFile, stat } from "node:fs/promises"
import { join } from "node:path"
import type { Readable } from "node:stream"
import { type Entry, openPromise, validateFileName, type ZipFile } from "yauzl"

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

const opened = async (path: string): Promise<ZipFile> => {
  try {
    // Names are looked at here: one bad name must not end the import of all others.
    return await openPromise(path, { lazyEntries: true, autoClose: false, decodeStrings: false })
  } catch (error) {
    throw new DumpError(`${path} is not a zip file: ${error instanceof Error ? error.message : error}`)
  }
}

async function* readZip(path: string): AsyncGenerator<DumpItem> {
  const zip = await opened(path)
  let entries = 0
  let bytes = 0
  try {
    for await (const entry of zip.eachEntry()) {
      if (++entries > MAX_ENTRIES) throw new DumpError(`${path} has more than ${MAX_ENTRIES} entries.`)
      const item = await readEntry(zip, entry)
      if (item === null) continue
      if ("text" in item) bytes += item.text.length
      if (bytes > MAX_TOTAL_BYTES) throw new DumpError(`${path} unpacks to more than ${MAX_TOTAL_BYTES} bytes.`)
      yield item
    }
  } catch (error) {
    if (error instanceof DumpError) throw error
    throw new DumpError(`${path} is damaged: ${error instanceof Error ? error.message : error}`)
  } finally {
    zip.close()
  }
}

/** Null for what is no record at all: folders, and other files. */
const readEntry = async (zip: ZipFile, entry: Entry): Promise<DumpItem | null> => {
  const name = Buffer.from(entry.fileName as unknown as Uint8Array).toString("utf8")
  if (name.endsWith("/")) return null
  if (validateFileName(name) !== null || name.includes("\\")) return { skipped: "unsafe_name" }
  if (!/\.json$/i.test(name)) return null
  if (entry.uncompressedSize > MAX_RECORD_BYTES) return { skipped: "too_large" }
  try {
    return { text: await textOf(await zip.openReadStreamPromise(entry)) }
  } catch {
    return { skipped: "unreadable" }
  }
}

/** The size that the directory states may be a lie; what comes out is counted. */
const textOf = async (stream: Readable): Promise<string> => {
  const chunks: Array<Buffer> = []
  let bytes = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_RECORD_BYTES) throw new Error("too large")
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString("utf8")
}
