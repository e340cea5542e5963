import { Buffer } from "node:buffer"
import { realpath } from "node:fs/promises"
import { type DiskFolder, listOnDisk, readOnDisk } from "./diskFiles.ts"
import { gitHistory } from "./gitHistory.ts"
import { locate } from "./locate.ts"
import { gitLine, gitRecords } from "./readGit.ts"
import { defaultSourceLimits, type Listing, SourceError, type SourceLimits, type TreeSource } from "./TreeSource.ts"

/** The files under `root` that git tracks or does not ignore, as they are on disk now. */
export const workingTree = (root: string, limits: Partial<SourceLimits> = {}): TreeSource => {
  const bounds = { ...defaultSourceLimits, ...limits }
  let opened: Promise<Opened> | undefined
  let listing: Promise<Listing> | undefined
  const open = () => {
    opened ??= openFolder(root)
    return opened
  }
  const listed = () => {
    listing ??= open().then((folder) => listOnDisk(folder, trackedNames(folder), bounds))
    return listing
  }
  return {
    isImmutable: false,
    list: async () => (await listed()).entries,
    skipped: async () => (await listed()).skipped,
    read: async function* (entries) {
      yield* readOnDisk(await open(), entries, bounds.maxFileBytes)
    },
    history: async () => {
      const { gitDir, root: top, cwd } = await open()
      return gitHistory({ gitDir, workTree: top, cwd }, "HEAD", { isPart: cwd !== top })
    },
    close: async () => {}
  }
}

interface Opened extends DiskFolder {
  readonly cwd: string
  readonly root: string
  readonly gitDir: string
}

const openFolder = async (root: string): Promise<Opened> => {
  const found = await locate(root)
  if (found === null) throw new SourceError("not_a_repository", `${root} is not in a git repository.`)
  if (found.kind === "bare") {
    throw new SourceError("bare_repository", `${root} is a bare repository: it has no files on disk to read.`)
  }
  const cwd = await realpath(root)
  const format = await gitLine({ gitDir: found.gitDir, cwd }, ["rev-parse", "--show-object-format"])
  if (format === null) throw new SourceError("not_a_repository", `${root} holds a .git that git cannot read.`)
  const algorithm = format === "sha256" ? "sha256" : "sha1"
  return { path: Buffer.from(cwd), cwd, root: found.root, gitDir: found.gitDir, algorithm }
}

const trackedNames = (folder: Opened): AsyncIterable<Buffer> =>
  // An unmerged file is tracked several times.
  gitRecords({ gitDir: folder.gitDir, workTree: folder.root, cwd: folder.cwd }, [
    "ls-files",
    "-z",
    "-c",
    "-o",
    "--exclude-standard",
    "--deduplicate"
  ])
