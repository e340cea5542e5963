import { mkdirSync } from "node:fs"
import { basename } from "node:path"
import type { Ecosystem } from "../lockfiles/LockedPackage.ts"
import type { AdvisorySource } from "./Advisory.ts"
import { openAdvisoryFile } from "./AdvisoryFile.ts"
import { AdvisoryWriter } from "./AdvisoryWriter.ts"
import { readOsv } from "./osv.ts"
import { type DumpItem, readDump } from "./osvDump.ts"

export interface ImportOptions {
  readonly paths: ReadonlyArray<string>
  readonly folder: string
  /** Keep what was imported before; otherwise an ecosystem that the dump has is replaced. */
  readonly add: boolean
  readonly importedAt: string
  readonly onProgress?: (records: number) => void
}

export interface ImportReport {
  readonly records: number
  /** What was passed over, by reason. */
  readonly skipped: Readonly<Record<string, number>>
  readonly written: ReadonlyArray<AdvisorySource>
}

const PROGRESS_EVERY = 1_000

/** Reads OSV dumps and puts what they say of our ecosystems where scans find it. A broken record ends nothing. */
export const importOsv = async (options: ImportOptions): Promise<ImportReport> => {
  mkdirSync(options.folder, { recursive: true, mode: 0o700 })
  const run = new Import(options)
  try {
    for (const path of options.paths) for await (const item of readDump(path)) run.take(item)
    return run.finish()
  } finally {
    run.discard()
  }
}

class Import {
  private readonly options: ImportOptions
  private readonly writers = new Map<Ecosystem, AdvisoryWriter>()
  private readonly skipped = new Map<string, number>()
  private records = 0

  constructor(options: ImportOptions) {
    this.options = options
  }

  take(item: DumpItem): void {
    if ("skipped" in item) return this.skip(item.skipped)
    let value: unknown
    try {
      value = JSON.parse(item.text)
    } catch {
      return this.skip("not JSON")
    }
    for (const record of recordsOf(value)) this.record(record)
  }

  private record(value: unknown): void {
    const outcome = readOsv(value)
    if (typeof outcome === "string") return this.skip(outcome)
    this.records++
    if (this.records % PROGRESS_EVERY === 0) this.options.onProgress?.(this.records)
    for (const { ecosystem, name, advisory } of outcome.entries) {
      const writer = this.writer(ecosystem)
      writer.add(name, advisory)
      if (outcome.modified > writer.newest) writer.newest = outcome.modified
    }
  }

  private skip(reason: string): void {
    this.skipped.set(reason, (this.skipped.get(reason) ?? 0) + 1)
  }

  private writer(ecosystem: Ecosystem): AdvisoryWriter {
    const known = this.writers.get(ecosystem)
    if (known !== undefined) return known
    const writer = new AdvisoryWriter(this.options.folder, ecosystem)
    this.writers.set(ecosystem, writer)
    const before = this.options.add ? openAdvisoryFile(this.options.folder, ecosystem) : null
    if (before === null) return writer
    writer.newest = before.source.newest
    for (const [name, advisories] of before.blocks()) for (const advisory of advisories) writer.add(name, advisory)
    return writer
  }

  finish(): ImportReport {
    const source = this.options.paths.map((path) => basename(path)).join(", ")
    const written = [...this.writers.values()]
      .map((writer) => writer.finish(source, this.options.importedAt))
      .sort((a, b) => (a.ecosystem! < b.ecosystem! ? -1 : 1))
    return { records: this.records, skipped: Object.fromEntries([...this.skipped].sort()), written }
  }

  discard(): void {
    for (const writer of this.writers.values()) writer.discard()
  }
}

/** One record, a list of them, or the answer of OSV's own query. */
const recordsOf = (value: unknown): ReadonlyArray<unknown> => {
  if (Array.isArray(value)) return value
  const vulns = (value as { readonly vulns?: unknown } | null)?.vulns
  return Array.isArray(vulns) ? vulns : [value]
}
