import type { Range } from "../../languages/tree/Range.ts"
import { decodeText } from "../files/fileText.ts"
import type { TreeEntry, TreeSource } from "../source/TreeSource.ts"
import { compareText } from "../text/compareText.ts"
import { type FileDescription, isManifest } from "../tool/AuditTool.ts"
import type { CrossFileInput } from "./crossFilePass.ts"
import type { FileInput, FileOutcome } from "./Inspector.ts"

const MAX_MANIFEST_BYTES = 256 * 1024

/** What is known of the files of a scan: all that were selected, and those that were inspected so far. */
export class ScannedFiles {
  private readonly entries = new Map<string, TreeEntry>()
  private readonly descriptions = new Map<string, FileDescription>()
  /** What files held when they were inspected: those of a working tree may have been edited since they were listed. */
  private readonly blobs = new Map<string, string>()
  private readonly secrets = new Map<string, ReadonlyArray<Range>>()
  private readonly manifests = new Map<string, string>()

  select(entries: ReadonlyArray<TreeEntry>): void {
    for (const entry of entries) this.entries.set(entry.path, entry)
  }

  get paths(): ReadonlyArray<string> {
    return [...this.entries.keys()]
  }

  get inspected(): ReadonlySet<string> {
    return new Set(this.descriptions.keys())
  }

  entry(path: string): TreeEntry | undefined {
    return this.entries.get(path)
  }

  blob(path: string): string | undefined {
    return this.blobs.get(path)
  }

  /** Ranges that inspection found no output may show. */
  secretsOf(path: string): ReadonlyArray<Range> {
    return this.secrets.get(path) ?? []
  }

  add({ path, language, role, secrets }: FileOutcome, blob: string): void {
    this.descriptions.set(path, { path, language, role })
    this.blobs.set(path, blob)
    if (secrets.length > 0) this.secrets.set(path, secrets)
  }

  /** Keeps the text of a small configuration file for the cross-file passes. */
  keepManifest({ path, bytes }: Pick<FileInput, "path" | "bytes">): void {
    if (isManifest(path) && bytes.length <= MAX_MANIFEST_BYTES) this.manifests.set(path, decodeText(bytes))
  }

  /** What cross-file passes know of the files. Manifests of unchanged files were not read in this scan, so they are now. */
  async project(source: TreeSource): Promise<Pick<CrossFileInput, "files" | "others" | "manifests">> {
    const unread = [...this.entries.values()].filter(
      ({ path, size }) => isManifest(path) && size <= MAX_MANIFEST_BYTES && !this.manifests.has(path)
    )
    for await (const { entry, bytes } of source.read(unread)) this.keepManifest({ path: entry.path, bytes })
    return {
      files: [...this.descriptions.values()].sort((a, b) => compareText(a.path, b.path)),
      others: this.paths.filter((path) => !this.descriptions.has(path)),
      manifests: this.manifests
    }
  }
}
