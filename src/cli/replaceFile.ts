import { randomUUID } from "node:crypto"
import { lstat, open, readFile, rename, rm } from "node:fs/promises"
import { dirname, join } from "node:path"
import { Sources } from "../engine/index.ts"

/** The file's own path, once it is known that neither it nor a folder on the way is a symbolic link. */
const ownPath = async (root: string, path: string): Promise<Buffer> => {
  const parts = Sources.pathBytes(path).toString("latin1").split("/")
  if (parts.some((part) => part === "" || part === "." || part === ".."))
    throw new Error(`${path} is not below ${root}.`)
  let at = Buffer.from(root)
  for (const [i, part] of parts.entries()) {
    at = Buffer.concat([at, Buffer.from("/"), Buffer.from(part, "latin1")])
    const status = await lstat(at)
    const isExpected = i === parts.length - 1 ? status.isFile() : status.isDirectory()
    if (!isExpected) throw new Error(`${path} is not a file below ${root}, or runs through a symbolic link.`)
  }
  return at
}

/** Bytes of a file of a working tree. */
export const readOwnFile = async (root: string, path: string): Promise<Buffer> => readFile(await ownPath(root, path))

/** Puts new bytes in the place of a file at once, with its mode: it is never seen half written. */
export const replaceFile = async (root: string, path: string, bytes: Uint8Array): Promise<void> => {
  const target = await ownPath(root, path)
  const { mode } = await lstat(target)
  const draft = join(dirname(target.toString("latin1")), `.assay-${randomUUID()}.tmp`)
  const draftPath = Buffer.from(draft, "latin1")
  try {
    const handle = await open(draftPath, "wx", mode & 0o777)
    try {
      await handle.writeFile(bytes)
      await handle.chmod(mode & 0o777)
    } finally {
      await handle.close()
    }
    await rename(draftPath, target)
  } catch (error) {
    await rm(draftPath, { force: true })
    throw error
  }
}
