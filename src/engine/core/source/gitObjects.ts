import { Buffer } from "node:buffer"
import type { ChildProcessWithoutNullStreams } from "node:child_process"
import { once } from "node:events"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { digestOf } from "../cache/digest.ts"
import { gitHistory } from "./gitHistory.ts"
import { pathText } from "./gitPath.ts"
import { finished, gitLine, gitRecords, startBatch } from "./readGit.ts"
import {
  defaultSourceLimits,
  type Listing,
  SourceError,
  type SourceLimits,
  type TreeContent,
  type TreeEntry,
  type TreeSource
} from "./TreeSource.ts"

/** The tree of one commit, read from objects: no checkout, no settings of the repository, no network. */
export const gitObjects = (gitDir: string, commit: string, limits: Partial<SourceLimits> = {}): TreeSource => {
  const bounds = { ...defaultSourceLimits, ...limits }
  const running = new Set<ChildProcessWithoutNullStreams>()
  let listing: Promise<Listing> | undefined
  const listed = () => {
    listing ??= listTree(gitDir, commit, bounds)
    return listing
  }
  return {
    isImmutable: true,
    list: async () => (await listed()).entries,
    skipped: async () => (await listed()).skipped,
    read: (entries) => readBlobs(gitDir, entries, running),
    history: async (storeFor) => {
      if (!objectId.test(commit)) return null
      const key = storeFor === undefined ? null : await conditionsOf(gitDir, (await listed()).entries)
      const location = { gitDir, attributesOf: commit }
      return gitHistory(location, commit, key === null ? {} : { store: storeFor!(key) })
    },
    close: async () => {
      for (const child of running) child.kill("SIGKILL")
    }
  }
}

const objectId = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/

/** What decides how git compares the files of a commit, besides the commit; null where it is in several folders. */
const conditionsOf = async (gitDir: string, entries: ReadonlyArray<TreeEntry>): Promise<string | null> => {
  const textOf = (name: string) => readFile(join(gitDir, name), "utf8").catch(() => null)
  // A further working tree of a repository has a folder of its own, which names the one with its settings.
  if ((await textOf("commondir")) !== null) return null
  const attributes = entries.filter(({ path }) => /(?:^|\/)\.gitattributes$/.test(path))
  const files = attributes.map(({ path, blob }) => [path, blob])
  // A digest, because settings may hold the credentials of a remote.
  return digestOf(JSON.stringify([await textOf("config"), await textOf("info/attributes"), files]))
}

const listTree = async (gitDir: string, commit: string, limits: SourceLimits): Promise<Listing> => {
  const known = objectId.test(commit)
    ? await gitLine({ gitDir }, ["rev-parse", "--verify", "-q", `${commit}^{tree}`])
    : null
  if (known === null) throw new SourceError("unknown_commit", `The repository has no commit ${printable(commit)}.`)
  const listing: Listing = { entries: [], skipped: [] }
  // --full-tree: the current directory must not narrow the list.
  for await (const record of gitRecords({ gitDir }, ["ls-tree", "-r", "-z", "-l", "--full-tree", known])) {
    addRecord(listing, record, limits)
    if (listing.entries.length + listing.skipped.length > limits.maxFiles) {
      throw new SourceError("too_many_files", `The repository has more than ${limits.maxFiles} files.`)
    }
  }
  return listing
}

const printable = (commit: string) => (commit.length <= 64 ? JSON.stringify(commit) : "of that name")

// git rejects such names; a tree written by hand can contain them, and later code must not have to consider them.
const unsafe = /(?:^|\/)(?:\.{0,2}|\.git)(?:\/|$)/i

// "<mode> <type> <object> <size, padded>\t<path>"
const addRecord = (listing: Listing, record: Buffer, limits: SourceLimits): void => {
  const tab = record.indexOf(9)
  const [mode = "", , blob = "", length = ""] = record.toString("latin1", 0, tab).split(/ +/)
  const { path, escaped } = pathText(record.subarray(tab + 1))
  if (unsafe.test(path)) listing.skipped.push({ path, reason: "unsafe_name" })
  else if (mode === "120000") listing.skipped.push({ path, reason: "symlink" })
  else if (mode === "160000") listing.skipped.push({ path, reason: "submodule" })
  else if (!/^\d+$/.test(length)) listing.skipped.push({ path, reason: "missing" })
  else if (Number(length) > limits.maxFileBytes) listing.skipped.push({ path, reason: "too_large" })
  // Old tools wrote 100664; git itself reads any regular file's mode as one of two.
  else if (mode.startsWith("100")) {
    const executable = (Number.parseInt(mode, 8) & 0o100) !== 0
    listing.entries.push({ path, escaped, blob, size: Number(length), mode: executable ? "100755" : "100644" })
  } else listing.skipped.push({ path, reason: "special_file" })
}

async function* readBlobs(
  gitDir: string,
  entries: Iterable<TreeEntry>,
  running: Set<ChildProcessWithoutNullStreams>
): AsyncGenerator<TreeContent> {
  const requested = [...entries]
  if (requested.length === 0) return
  const child = startBatch(gitDir)
  running.add(child)
  const end = finished(child)
  end.catch(() => {})
  const asking = ask(child, requested)
  try {
    const reader = new ChunkReader(child.stdout)
    for (const entry of requested) {
      const header = await reader.line()
      if (header === undefined) {
        await end
        throw new SourceError("git_failed", "git stopped before it had read every file.")
      }
      if (header.endsWith(" missing")) continue
      const size = Number(header.slice(header.lastIndexOf(" ") + 1))
      // The caller chose by the size in the list; an object of another size is not the one listed.
      if (size !== entry.size) throw new SourceError("git_failed", "The repository's objects are damaged.")
      const bytes = await reader.take(size)
      await reader.take(1)
      yield { entry, bytes }
    }
    await asking
    await end
  } finally {
    running.delete(child)
    child.kill("SIGKILL")
  }
}

const requestsPerWrite = 512

const ask = async (child: ChildProcessWithoutNullStreams, entries: ReadonlyArray<TreeEntry>): Promise<void> => {
  const gone = new Promise<void>((resolve) => child.once("close", () => resolve()))
  // A child that dies closes the pipe under us; its exit code is the error.
  child.stdin.on("error", () => {})
  for (let at = 0; at < entries.length && child.stdin.writable; at += requestsPerWrite) {
    const lines = entries.slice(at, at + requestsPerWrite).map((entry) => `${entry.blob}\n`)
    if (!child.stdin.write(lines.join(""))) await Promise.race([once(child.stdin, "drain").catch(() => {}), gone])
  }
  child.stdin.end()
}

/** Cuts a byte stream into lines and blocks of known length, holding no more than one block and one chunk. */
class ChunkReader {
  private readonly chunks: AsyncIterator<Buffer>
  private current: Buffer = Buffer.alloc(0)

  constructor(stream: AsyncIterable<Buffer>) {
    this.chunks = stream[Symbol.asyncIterator]()
  }

  async line(): Promise<string | undefined> {
    for (let at = this.current.indexOf(10); ; at = this.current.indexOf(10)) {
      if (at !== -1) {
        const line = this.current.toString("latin1", 0, at)
        this.current = this.current.subarray(at + 1)
        return line
      }
      const next = await this.chunks.next()
      if (next.done) return undefined
      this.current = this.current.length === 0 ? next.value : Buffer.concat([this.current, next.value])
    }
  }

  async take(length: number): Promise<Buffer> {
    if (this.current.length >= length) {
      const block = this.current.subarray(0, length)
      this.current = this.current.subarray(length)
      return block
    }
    const block = Buffer.allocUnsafe(length)
    let filled = this.current.copy(block)
    while (filled < length) {
      const next = await this.chunks.next()
      if (next.done) throw new SourceError("git_failed", "git stopped in the middle of a file.")
      const used = next.value.copy(block, filled)
      filled += used
      this.current = next.value.subarray(used)
    }
    return block
  }
}
