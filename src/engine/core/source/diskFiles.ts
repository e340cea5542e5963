import { Buffer } from "node:buffer"
import { createHash } from "node:crypto"
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from "node:fs"
import { setImmediate } from "node:timers/promises"
import { pathBytes, pathText } from "./gitPath.ts"
import {
  type Listing,
  type SkipReason,
  SourceError,
  type SourceLimits,
  type TreeContent,
  type TreeEntry
} from "./TreeSource.ts"

/** A folder whose files are read from disk. */
export interface DiskFolder {
  readonly path: Buffer
  /** Of the names that contents get: git's. */
  readonly algorithm: "sha1" | "sha256"
}

const yieldEvery = 256

/** Files by name, relative to the folder; a name that comes twice counts once. */
export const listOnDisk = async (
  folder: DiskFolder,
  names: AsyncIterable<Buffer>,
  limits: SourceLimits
): Promise<Listing> => {
  const listing: Listing = { entries: [], skipped: [] }
  const parents = new Parents(folder.path)
  const seen = new Set<string>()
  for await (const name of names) {
    const { path, escaped } = pathText(name)
    if (seen.has(path)) continue
    seen.add(path)
    if (seen.size > limits.maxFiles) {
      throw new SourceError("too_many_files", `The folder has more than ${limits.maxFiles} files.`)
    }
    const file = hashFile(folder, parents, name, limits.maxFileBytes)
    if (typeof file === "string") listing.skipped.push({ path: path.replace(/\/$/, ""), reason: file })
    else listing.entries.push({ path, escaped, ...file })
    if (seen.size % yieldEvery === 0) await setImmediate()
  }
  return listing
}

/** Contents of listed files as they are now; what has vanished is left out. */
export const readOnDisk = function* (
  folder: DiskFolder,
  entries: Iterable<TreeEntry>,
  maxFileBytes: number
): Generator<TreeContent> {
  const parents = new Parents(folder.path)
  for (const entry of entries) {
    const content = reread(folder, parents, entry, maxFileBytes)
    if (content !== undefined) yield content
  }
}

const slash = Buffer.from("/")

/** Remembers which folders are real ones: a tracked path can run through a folder that is now a symlink elsewhere. */
class Parents {
  private readonly root: Buffer
  private readonly known = new Map<string, SkipReason | undefined>()

  constructor(root: Buffer) {
    this.root = root
  }

  /** Why a file cannot be reached through its folders, if so. */
  skipReason(name: Buffer): SkipReason | undefined {
    const end = name.lastIndexOf(0x2f)
    if (end === -1) return undefined
    const parent = name.subarray(0, end)
    const key = parent.toString("latin1")
    if (!this.known.has(key)) this.known.set(key, this.skipReason(parent) ?? this.look(parent))
    return this.known.get(key)
  }

  absolute(name: Buffer): Buffer {
    return Buffer.concat([this.root, slash, name])
  }

  private look(folder: Buffer): SkipReason | undefined {
    if (folder.toString("latin1", folder.lastIndexOf(0x2f) + 1) === "..") return "unsafe_name"
    const status = statusOf(this.absolute(folder))
    if (status === undefined) return "missing"
    return status.isDirectory() ? undefined : status.isSymbolicLink() ? "symlink" : "missing"
  }
}

const statusOf = (path: Buffer): Stats | undefined => {
  try {
    return lstatSync(path)
  } catch {
    return undefined
  }
}

const skipReason = (parents: Parents, name: Buffer, maxBytes: number): SkipReason | undefined => {
  const unreachable = parents.skipReason(name)
  if (unreachable !== undefined) return unreachable
  const status = statusOf(parents.absolute(name))
  if (status === undefined) return "missing"
  if (status.isSymbolicLink()) return "symlink"
  if (status.isDirectory()) return "submodule"
  if (!status.isFile()) return "special_file"
  return status.size > maxBytes ? "too_large" : undefined
}

interface OpenFile {
  readonly descriptor: number
  readonly size: number
  readonly mode: string
}

const opening = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

const withFile = <A>(path: Buffer, maxBytes: number, use: (file: OpenFile) => A): A | undefined => {
  let descriptor: number | undefined
  try {
    descriptor = openSync(path, opening)
    const status = fstatSync(descriptor)
    if (!status.isFile() || status.size > maxBytes) return undefined
    return use({ descriptor, size: status.size, mode: (status.mode & 0o100) === 0 ? "100644" : "100755" })
  } catch {
    return undefined
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

const window = Buffer.allocUnsafe(256 * 1024)

const hashFile = (
  folder: DiskFolder,
  parents: Parents,
  name: Buffer,
  maxBytes: number
): { blob: string; size: number; mode: string } | SkipReason => {
  const skipped = skipReason(parents, name, maxBytes)
  if (skipped !== undefined) return skipped
  const hashed = withFile(parents.absolute(name), maxBytes, (file) => {
    const hash = createHash(folder.algorithm).update(`blob ${file.size}\0`)
    let left = file.size
    while (left > 0) {
      const got = readSync(file.descriptor, window, 0, Math.min(left, window.length), null)
      if (got === 0) return undefined
      hash.update(window.subarray(0, got))
      left -= got
    }
    return { blob: hash.digest("hex"), size: file.size, mode: file.mode }
  })
  return hashed ?? "unreadable"
}

const reread = (folder: DiskFolder, parents: Parents, entry: TreeEntry, maxBytes: number): TreeContent | undefined => {
  const name = pathBytes(entry.path)
  if (skipReason(parents, name, maxBytes) !== undefined) return undefined
  const read = withFile(parents.absolute(name), maxBytes, (file) => {
    const bytes = Buffer.allocUnsafe(file.size)
    let filled = 0
    while (filled < file.size) {
      const got = readSync(file.descriptor, bytes, filled, file.size - filled, null)
      if (got === 0) return undefined
      filled += got
    }
    return bytes
  })
  if (read === undefined) return undefined
  // A file edited since the list is reported as what it is now: bytes and identity always belong together.
  const blob = createHash(folder.algorithm).update(`blob ${read.length}\0`).update(read).digest("hex")
  return { entry: blob === entry.blob ? entry : { ...entry, blob, size: read.length }, bytes: read }
}
