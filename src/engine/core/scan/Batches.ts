import type { TreeTerms } from "../files/TreeTerms.ts"
import type { Pool } from "../process/Pool.ts"
import type { Batch } from "../process/scanProtocol.ts"
import type { TreeEntry, TreeSource } from "../source/TreeSource.ts"
import type { FileInput } from "./Inspector.ts"

const MAX_FILES = 48
const MAX_BYTES = 512 * 1024

/** Reads files and hands them to the threads in batches. */
export class Batches {
  private readonly source: Pick<TreeSource, "read">
  private readonly pool: Pool
  private nextId = 0

  constructor(source: Pick<TreeSource, "read">, pool: Pool) {
    this.source = source
    this.pool = pool
  }

  /** Batches without files; one alone gets the memory of all threads. Resolves when they are done. */
  async run(batches: ReadonlyArray<(id: number) => Batch>): Promise<void> {
    if (batches.length === 1) await this.pool.shrink()
    for (const batchOf of batches) await this.pool.submit(batchOf(this.nextId++))
    await this.pool.drain()
  }

  /** Each file as `fileOf` prepares it, or without it where that is null; resolves when all are done. */
  async runFiles<File extends FileInput>(
    entries: ReadonlyArray<TreeEntry>,
    terms: TreeTerms,
    fileOf: (input: FileInput) => File | null,
    batchOf: (id: number, files: ReadonlyArray<File>) => Batch
  ): Promise<void> {
    let files: Array<File> = []
    let bytes = 0
    const flush = async () => {
      if (files.length === 0) return
      const batch = batchOf(this.nextId++, files)
      files = []
      bytes = 0
      await this.pool.submit(batch)
    }
    for await (const { entry, bytes: content } of this.source.read(entries)) {
      const file = fileOf({ path: entry.path, blob: entry.blob, bytes: content, terms: terms.of(entry.path) })
      if (file === null) continue
      files.push(file)
      bytes += content.length
      if (files.length >= MAX_FILES || bytes >= MAX_BYTES) await flush()
    }
    await flush()
    await this.pool.drain()
  }
}
