import { Buffer } from "node:buffer"
import { opendir, realpath, stat } from "node:fs/promises"
import { type DiskFolder, listOnDisk, readOnDisk } from "./diskFiles.ts"
import { defaultSourceLimits, type Listing, SourceError, type SourceLimits, type TreeSource } from "./TreeSource.ts"

/** Folders of version control and of installed packages: no one's source, and often more files than all others. */
const passedOver = new Set([".git", ".hg", ".svn", "node_modules", ".venv", "__pycache__"])

/** All files under a folder as they are on disk now, whether git knows them or not. */
export const plainFolder = (root: string, limits: Partial<SourceLimits> = {}): TreeSource => {
  const bounds = { ...defaultSourceLimits, ...limits }
  let listing: Promise<Listing> | undefined
  const listed = () => {
    listing ??= folderOf(root).then((folder) => listOnDisk(folder, namesUnder(folder.path, Buffer.alloc(0)), bounds))
    return listing
  }
  return {
    isImmutable: false,
    list: async () => (await listed()).entries,
    skipped: async () => (await listed()).skipped,
    read: async function* (entries) {
      yield* readOnDisk(await folderOf(root), entries, bounds.maxFileBytes)
    },
    close: async () => {}
  }
}

const folderOf = async (root: string): Promise<DiskFolder> => {
  const path = await realpath(root).catch(() => {
    throw new SourceError("not_found", `There is no folder ${root}.`)
  })
  if (!(await stat(path)).isDirectory()) throw new SourceError("not_found", `${root} is not a folder.`)
  return { path: Buffer.from(path), algorithm: "sha1" }
}

const slash = Buffer.from("/")

/** Names in an order that depends on them only; symbolic links are names, and never followed. */
const namesUnder = async function* (root: Buffer, prefix: Buffer): AsyncGenerator<Buffer> {
  const entries: Array<{ readonly name: Buffer; readonly isFolder: boolean }> = []
  try {
    // Bytes in latin1 are the same bytes again: names need not be UTF-8.
    const folder = await opendir(Buffer.concat([root, slash, prefix]), { encoding: "latin1" as BufferEncoding })
    for await (const entry of folder)
      entries.push({ name: Buffer.from(entry.name, "latin1"), isFolder: entry.isDirectory() })
  } catch {
    return
  }
  entries.sort((a, b) => a.name.compare(b.name))
  for (const { name, isFolder } of entries) {
    const path = Buffer.concat([prefix, name])
    if (!isFolder) yield path
    else if (!passedOver.has(name.toString("latin1"))) yield* namesUnder(root, Buffer.concat([path, slash]))
  }
}
