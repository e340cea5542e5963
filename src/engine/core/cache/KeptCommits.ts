import { Buffer } from "node:buffer"
import { secretsInPath } from "../../secrets/RedactedPaths.ts"
import type { CommitStore } from "../source/TreeSource.ts"
import type { RecordReader, RecordWriter, Slice } from "./RecordFile.ts"

/** A repository's newest commits take a few hundred bytes each; more than this is left for git to read again. */
const MAX_BYTES = 16 * 1024 * 1024

/** As the index of a cache names them. */
export interface CommitsEntry {
  /** What the changes depend on, besides the commit. */
  readonly key: string
  readonly commits: ReadonlyArray<readonly [commit: string, ...Slice]>
}

/**
 * Changes of commits, from the cache that is read to the one that is written. A commit that names a file with a secret is left
 * out.
 */
export class KeptCommits implements CommitStore {
  private readonly key: string
  private readonly reader: RecordReader | null
  private readonly writer: RecordWriter | null
  private readonly known: ReadonlyMap<string, Slice>
  private readonly kept: Array<readonly [commit: string, ...Slice]> = []
  private room = MAX_BYTES

  constructor(key: string, known: CommitsEntry | null, reader: RecordReader | null, writer: RecordWriter | null) {
    this.key = key
    this.reader = reader
    this.writer = writer
    this.known = new Map(
      known?.key === key ? known.commits.map(([commit, at, length]) => [commit, [at, length]] as const) : []
    )
  }

  readonly changes = (commit: string): Uint8Array | null => {
    const slice = this.known.get(commit)
    return slice === undefined || this.reader === null ? null : this.reader.raw(slice)
  }

  readonly keep = (commit: string, changes: Uint8Array): void => {
    const { writer } = this
    const bytes = Buffer.from(changes.buffer, changes.byteOffset, changes.byteLength)
    if (writer?.isOpen !== true || bytes.length > this.room || !writer.hasRoom(bytes.length)) return
    if (!this.known.has(commit) && secretsInPath(bytes.toString("utf8")).length > 0) return
    this.room -= bytes.length
    this.kept.push([commit, ...writer.put(bytes)])
  }

  get entry(): CommitsEntry {
    return { key: this.key, commits: this.kept }
  }
}
