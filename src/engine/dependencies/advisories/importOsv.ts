import { chmodSync, mkdirSync } from "node:fs"
import { basename } from "node:path"
import type { Ecosystem } from "../lockfiles/LockedPackage.ts"
import type { AdvisorySource } from "./Advisory.ts"
import { openAdvisoryFile } from "./AdvisoryFile.ts"
import { AdvisoryWriter } from "./AdvisoryWriter.ts"
import { readOsv } from "./osv.ts"
import { DumpError, type DumpItem, readDump } from "./osvDump.ts"

export interface ImportOptions {
  readonly paths: ReadonlyArray<string>
  readonly folder: string
  /** Keep what was imported before; otherwise an ecosystem that the dump has records of its own for is replaced. */
  readonly add: boolean
  readonly importedAt: string
  /** The dump is the mirror's whole list of one ecosystem: it replaces that one alone, and only if it is whole. */
  readonly whole?: { readonly ecosystem: Ecosystem; readonly source: string }
  readonly onProgress?: (records: number) => void
}

export interface ImportReport {
  readonly records: number
  /** What was passed over, by reason. */
  readonly skipped: Readonly<Record<string, number>>
  readonly written: ReadonlyArray<AdvisorySource>
}

const PROGRESS_EVERY = 1_000
/** Of a whole dump: a published one has none, and a few must not keep all others out. */
const MAX_BROKEN_SHARE = 0.01

/** Reads OSV dumps and puts what they say of our ecosystems where scans find it. A broken record ends nothing. */
export const importOsv = async (options: ImportOptions): Promise<ImportReport> => {
  mkdirSync(options.folder, { recursive: true, mode: 0o700 })
  // Published data, which scans may read under an account of their own; the folders above stay as they are.
  chmodSync(options.folder, 0o755)
  const run = new Import(options)
  try {
    for (const path of options.paths) for await (const item of readDump(path)) run.take(item)
    return await run.finish()
  } finally {
    run.discard()
  }
}

class Import {
  private readonly options: ImportOptions
  private readonly writers = new Map<Ecosystem, AdvisoryWriter>()
  private readonly skipped = new Map<string, number>()
  /** Ecosystems with records that name no other: the dump is theirs, not only one that mentions them. */
  private readonly own = new Set<Ecosystem>()
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
    const [first] = outcome.entries
    if (outcome.entries.every(({ ecosystem }) => ecosystem === first!.ecosystem)) this.own.add(first!.ecosystem)
    for (const { ecosystem, name, advisory } of outcome.entries) {
      if (this.options.whole !== undefined && ecosystem !== this.options.whole.ecosystem) continue
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
    return writer
  }

  async finish(): Promise<ImportReport> {
    if (this.options.whole !== undefined) this.checkWhole(this.options.whole.ecosystem)
    const source = this.options.whole?.source ?? this.options.paths.map((path) => basename(path)).join(", ")
    const written: Array<AdvisorySource> = []
    for (const writer of this.writers.values()) {
      const isReplaced = this.options.whole !== undefined || (!this.options.add && this.own.has(writer.ecosystem))
      const earlier = isReplaced ? null : this.keepEarlier(writer)
      // A dump that only mentions an ecosystem is not where its advisories are from.
      const from = this.options.add ? null : earlier
      written.push(await writer.finish(from?.source ?? source, from?.imported_at ?? this.options.importedAt))
    }
    // All are written before the first takes effect, so that an import that fails changes nothing.
    for (const writer of this.writers.values()) writer.publish()
    written.sort((a, b) => (a.ecosystem! < b.ecosystem! ? -1 : 1))
    return { records: this.records, skipped: Object.fromEntries([...this.skipped].sort()), written }
  }

  /** Advisories that were imported before and that the dump does not have. */
  private keepEarlier(writer: AdvisoryWriter): AdvisorySource | null {
    const earlier = openAdvisoryFile(this.options.folder, writer.ecosystem)
    if (earlier === null) return null
    if (earlier.source.newest > writer.newest) writer.newest = earlier.source.newest
    for (const [name, advisories] of earlier.blocks()) {
      for (const advisory of advisories) writer.addEarlier(name, advisory)
    }
    return earlier.source
  }

  private checkWhole(ecosystem: Ecosystem): void {
    const count = (...reasons: ReadonlyArray<string>) =>
      reasons.reduce((sum, reason) => sum + (this.skipped.get(reason) ?? 0), 0)
    const damaged = count("unreadable", "unsafe_name")
    if (damaged > 0) throw new DumpError(`${damaged} of its files are damaged.`)
    const broken = count("broken", "not JSON", "too_large")
    if (broken > MAX_BROKEN_SHARE * this.records) throw new DumpError(`${broken} of its records are no OSV advisories.`)
    if (!this.writers.has(ecosystem)) throw new DumpError(`It has no advisory for ${ecosystem}.`)
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
