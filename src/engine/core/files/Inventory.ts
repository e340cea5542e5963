import type { FileOutcome } from "../scan/Inspector.ts"
import type { ScanResult } from "../scan/ScanResult.ts"
import { compareText } from "../text/compareText.ts"

const MAX_LISTED_SKIPS = 1_000

interface Share {
  files: number
  lines: number
  bytes: number
}

/** What the repository consists of, and what was left out of the scan. */
export class Inventory {
  lines = 0
  private readonly shares = new Map<string, Share>()
  private readonly skips: Array<{ readonly path: string; readonly reason: string }> = []
  private readonly counts = new Map<string, number>()

  count({ language, lines, bytes }: Pick<FileOutcome, "language" | "lines" | "bytes">): void {
    const share = this.shares.get(language) ?? { files: 0, lines: 0, bytes: 0 }
    share.files++
    share.lines += lines
    share.bytes += bytes
    this.lines += lines
    this.shares.set(language, share)
  }

  skip(path: string, reason: string): void {
    this.skips.push({ path, reason })
    this.counts.set(reason, (this.counts.get(reason) ?? 0) + 1)
  }

  summary(): ScanResult["inventory"] {
    const languages = [...this.shares]
      .map(([language, share]) => ({ language, ...share }))
      .sort((a, b) => b.bytes - a.bytes || compareText(a.language, b.language))
    const sum = (key: keyof Share) => languages.reduce((total, share) => total + share[key], 0)
    return { files: sum("files"), lines: sum("lines"), bytes: sum("bytes"), languages }
  }

  /** Status of each of the files: one that is neither read nor left out is not in the tree. */
  statusesOf(paths: ReadonlyArray<string>, read: ReadonlySet<string>): ScanResult["watched"] {
    const skipped = new Set(this.skips.map(({ path }) => path))
    const statusOf = (path: string) => (skipped.has(path) ? "skipped" : read.has(path) ? "inspected" : "absent")
    return Object.fromEntries([...paths].sort().map((path) => [path, statusOf(path)]))
  }

  skippedPaths(): ReadonlyArray<string> {
    return this.skips.map(({ path }) => path)
  }

  skippedFiles(): ScanResult["skipped"] {
    return [...this.skips].sort((a, b) => compareText(a.path, b.path)).slice(0, MAX_LISTED_SKIPS)
  }

  skippedCounts(): ScanResult["skipped_counts"] {
    return Object.fromEntries([...this.counts].sort(([a], [b]) => compareText(a, b)))
  }
}
