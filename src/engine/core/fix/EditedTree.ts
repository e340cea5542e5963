import { createHash } from "node:crypto"
import type { SkippedEntry, TreeContent, TreeEntry, TreeSource } from "../source/TreeSource.ts"

/** A tree with some files as fixes leave them: later fixes see the earlier ones. */
export class EditedTree implements TreeSource {
  readonly isImmutable = false
  private readonly source: TreeSource
  private readonly edited = new Map<string, Uint8Array>()

  constructor(source: TreeSource) {
    this.source = source
  }

  put(path: string, bytes: Uint8Array): void {
    this.edited.set(path, bytes)
  }

  async list(): Promise<ReadonlyArray<TreeEntry>> {
    return (await this.source.list()).map((entry) => this.current(entry))
  }

  skipped(): Promise<ReadonlyArray<SkippedEntry>> {
    return this.source.skipped()
  }

  async *read(entries: Iterable<TreeEntry>): AsyncIterable<TreeContent> {
    const requested = [...entries]
    for (const entry of requested) {
      const bytes = this.edited.get(entry.path)
      if (bytes !== undefined) yield { entry, bytes }
    }
    yield* this.source.read(requested.filter(({ path }) => !this.edited.has(path)))
  }

  close(): Promise<void> {
    return this.source.close()
  }

  private current(entry: TreeEntry): TreeEntry {
    const bytes = this.edited.get(entry.path)
    if (bytes === undefined) return entry
    return { ...entry, size: bytes.length, blob: createHash("sha1").update(bytes).digest("hex") }
  }
}
