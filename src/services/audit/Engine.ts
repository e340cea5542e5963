import { availableParallelism } from "node:os"
import type { AuditTool, FileFacts, FileSummary, Hit, Project } from "./AuditTool.ts"
import { isManifest } from "./AuditTool.ts"
import type { Advisories } from "./advisories/Advisory.ts"
import { openAdvisories } from "./advisories/openAdvisories.ts"
import { prepareGrammars } from "./analysis/Grammar.ts"
import { isLockfile, MAX_LOCKFILE_BYTES } from "./analysis/lockfiles/names.ts"
import type { Range } from "./analysis/Range.ts"
import { roleOf } from "./FileRole.ts"
import { assemble } from "./findings.ts"
import { hiddenRanges } from "./hiddenRanges.ts"
import { decodeText, type FileInput, messageOf, place, type ToolFailure } from "./Inspector.ts"
import { Inventory } from "./Inventory.ts"
import { languageOf } from "./Language.ts"
import { PlacedHits } from "./PlacedHits.ts"
import { openPool, type Pool } from "./Pool.ts"
import type { Finding, ScanResult, ToolOutcome } from "./ScanResult.ts"
import { MAX_FILE_BYTES, SourceFile } from "./SourceFile.ts"
import type { Batch, BatchOutcome } from "./scanProtocol.ts"
import { SecretNames } from "./secretNames.ts"
import type { TreeEntry, TreeSource } from "./source/TreeSource.ts"
import { tools as catalogue } from "./tools/index.ts"
import { type Claim, pathGone, type Verdict } from "./verification.ts"

export type Suite = "standard" | "full"
export type ScanStage = "inventory" | "scan" | "verify"

export interface ScanProgress {
  readonly stage: ScanStage
  readonly done: number
  readonly total: number
  readonly lines: number
}

export interface ScanOptions {
  readonly suite: Suite
  /** Default: as many as there are processors, at most 4. */
  readonly workers?: number
  readonly salt?: string
  /** Files whose fate the result must tell: those of observations that are open. */
  readonly watch?: ReadonlyArray<string>
  /** Default: the built-in list. */
  readonly advisories?: Advisories
  readonly onStage?: (stage: ScanStage) => void
  readonly onProgress?: (progress: ScanProgress) => void
  /** Other tools than the catalogue's; a module when they have to run in threads. For tests of the engine. */
  readonly tools?: ReadonlyArray<AuditTool>
  readonly toolsModule?: string
  readonly stuckAfterMs?: number
}

const MAX_FILES = 100_000
const MAX_WORKERS = 4
const BATCH_FILES = 48
const BATCH_BYTES = 512 * 1024
const MAX_MANIFEST_BYTES = 256 * 1024
const MAX_FAILURES = 50
const DEFAULT_SALT = "assay"

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const toolsOf = (suite: Suite): ReadonlyArray<AuditTool> =>
  catalogue.filter((tool) => suite === "full" || tool.suite === "standard")

/** Audit a tree. The findings depend on the tree and the tools only: not on time, order or the number of workers. */
export const scan = async (source: TreeSource, options: ScanOptions): Promise<ScanResult> => {
  const run = new Scan(source, options)
  try {
    return await run.run()
  } finally {
    await run.close()
  }
}

class Scan {
  private readonly source: TreeSource
  private readonly options: ScanOptions
  private readonly tools: ReadonlyArray<AuditTool>
  private readonly pool: Pool
  private readonly advisories: Advisories
  private readonly inventory = new Inventory()
  private readonly placed = new PlacedHits()
  private readonly facts = new Map<string, Array<FileFacts>>()
  private readonly failures: Array<ToolFailure> = []
  private readonly ranOn = new Map<string, number>()
  private readonly concludeErrors = new Map<string, string>()
  private readonly secrets = new Map<string, ReadonlyArray<Range>>()
  private readonly summaries: Array<FileSummary> = []
  private readonly manifests = new Map<string, string>()
  private readonly verdicts = new Map<string, Verdict>()
  private readonly entries = new Map<string, TreeEntry>()
  private batchId = 0
  private done = 0
  private total = 0
  private peakRss = 0
  private stage: ScanStage = "inventory"

  constructor(source: TreeSource, options: ScanOptions) {
    this.source = source
    this.options = options
    this.tools = options.tools ?? toolsOf(options.suite)
    this.advisories = options.advisories ?? openAdvisories(null)
    const cores = Math.min(availableParallelism(), MAX_WORKERS)
    this.pool = openPool({
      size: Math.max(1, Math.min(options.workers ?? cores, 16)),
      tools: this.tools,
      toolsModule: options.toolsModule ?? null,
      inThread: options.tools !== undefined && options.toolsModule === undefined,
      salt: options.salt ?? DEFAULT_SALT,
      onOutcome: (outcome, batch) => this.receive(outcome, batch),
      onStuck: ({ path, reason }) => this.inventory.skip(path, reason),
      ...(options.stuckAfterMs === undefined ? {} : { stuckAfterMs: options.stuckAfterMs })
    })
  }

  async run(): Promise<ScanResult> {
    const started = performance.now()
    const cpu = process.cpuUsage()
    this.enter("inventory", 0)
    const entries = await this.choose()
    this.enter("scan", entries.length)
    await this.inspect(entries)
    await this.conclude()
    const { findings, suppressed, alsoPresent } = assemble(this.tools, this.placed.all())
    const checked = await this.verify(findings)
    const used = process.cpuUsage(cpu)
    this.noteMemory()
    const names = new SecretNames([...this.entries.keys(), ...this.inventory.skippedPaths()])
    return names.in({
      findings: checked,
      inventory: this.inventory.summary(),
      skipped: this.inventory.skippedFiles(),
      skipped_counts: this.inventory.skippedCounts(),
      tools: this.tools.map((tool) => this.outcomeOf(tool)),
      tool_failures: [...this.failures]
        .sort((a, b) => compare(a.tool, b.tool) || compare(a.path, b.path))
        .slice(0, MAX_FAILURES),
      suppressed,
      also_present: alsoPresent,
      watched: this.inventory.fatesOf(
        names.originals(this.options.watch ?? []),
        new Set(this.summaries.map(({ path }) => path))
      ),
      dropped_by_verification: findings.length - checked.length,
      ...(this.tools.some(({ readsLockfiles }) => readsLockfiles) ? { advisories: this.advisories.use() } : {}),
      cpu_seconds: (used.user + used.system) / 1e6,
      wall_ms: Math.round(performance.now() - started),
      peak_rss_bytes: this.peakRss
    })
  }

  async close(): Promise<void> {
    await this.pool.close()
  }

  private enter(stage: ScanStage, total: number): void {
    this.stage = stage
    this.done = 0
    this.total = total
    this.options.onStage?.(stage)
    this.report()
  }

  private report(): void {
    this.noteMemory()
    this.options.onProgress?.({ stage: this.stage, done: this.done, total: this.total, lines: this.inventory.lines })
  }

  private noteMemory(): void {
    this.peakRss = Math.max(this.peakRss, process.memoryUsage.rss())
  }

  /** What is read at all: sizes are known beforehand, so a huge file costs nothing. */
  private async choose(): Promise<ReadonlyArray<TreeEntry>> {
    const listed = [...(await this.source.list())].sort((a, b) => compare(a.path, b.path))
    for (const { path, reason } of await this.source.skipped()) this.inventory.skip(path, reason)
    const chosen: Array<TreeEntry> = []
    for (const entry of listed) {
      const reason = chosen.length >= MAX_FILES ? "file_limit" : unreadReason(entry)
      if (reason === null) {
        chosen.push(entry)
        this.entries.set(entry.path, entry)
      } else this.inventory.skip(entry.path, reason)
    }
    return chosen
  }

  private async inspect(entries: ReadonlyArray<TreeEntry>): Promise<void> {
    let files: Array<FileInput> = []
    let bytes = 0
    const flush = async () => {
      if (files.length === 0) return
      const batch: Batch = { type: "inspect", id: this.batchId++, files }
      files = []
      bytes = 0
      await this.pool.submit(batch)
    }
    for await (const { entry, bytes: content } of this.source.read(entries)) {
      if (isManifest(entry.path) && content.length <= MAX_MANIFEST_BYTES) {
        this.manifests.set(entry.path, decodeText(content))
      }
      files.push({ path: entry.path, blob: entry.blob, bytes: content })
      bytes += content.length
      if (files.length >= BATCH_FILES || bytes >= BATCH_BYTES) await flush()
    }
    await flush()
    await this.pool.drain()
  }

  private receive(outcome: BatchOutcome, batch: Batch): void {
    for (const verdict of outcome.verdicts) this.verdicts.set(verdict.key, verdict)
    for (const file of outcome.outcomes) {
      if (file.skipped !== null) this.inventory.skip(file.path, file.skipped)
      if (file.skipped === "binary") continue
      this.inventory.count(file)
      this.summaries.push({ path: file.path, language: file.language, role: file.role })
      this.placed.add(file.placed)
      this.failures.push(...file.failures)
      for (const id of file.ran) this.ranOn.set(id, (this.ranOn.get(id) ?? 0) + 1)
      for (const { tool, facts } of file.facts) {
        const known = this.facts.get(tool)
        if (known === undefined) this.facts.set(tool, [{ path: file.path, facts }])
        else known.push({ path: file.path, facts })
      }
      if (file.secrets.length > 0) this.secrets.set(file.path, file.secrets)
    }
    this.done += batch.files.length
    this.report()
  }

  /** Rules over all files. What they flag is read again, since texts are not kept. */
  private async conclude(): Promise<void> {
    const project = this.project()
    const hits: Array<{ readonly tool: AuditTool; readonly path: string; readonly hit: Hit }> = []
    for (const tool of this.tools) {
      if (tool.conclude === undefined) continue
      const facts = (this.facts.get(tool.id) ?? []).sort((a, b) => compare(a.path, b.path))
      const before = hits.length
      try {
        tool.conclude(facts, project, (path, hit) => hits.push({ tool, path, hit }))
      } catch (error) {
        hits.length = before
        this.concludeErrors.set(tool.id, messageOf(error))
      }
    }
    const byPath = new Map<string, Array<{ readonly tool: AuditTool; readonly hit: Hit }>>()
    for (const { path, ...rest } of hits) byPath.set(path, [...(byPath.get(path) ?? []), rest])
    const scanned = new Set(this.summaries.map(({ path }) => path))
    for (const [path, [first]] of byPath) {
      if (scanned.has(path)) continue
      this.failures.push({ tool: first!.tool.id, path, message: "flagged a file that was not scanned" })
    }
    const entries = [...byPath.keys()]
      .filter((path) => scanned.has(path))
      .sort()
      .map((path) => this.entries.get(path)!)
    for await (const { entry, bytes } of this.source.read(entries)) {
      const file = new SourceFile({ path: entry.path, blob: entry.blob, text: decodeText(bytes) })
      await prepareGrammars([file.language])
      const inFile = byPath.get(entry.path)!.filter(({ tool, hit }) => this.isInside(file, tool, hit))
      const secrets = hiddenRanges(file.text, this.secrets.get(entry.path) ?? [])
      this.placed.add(place(file, inFile, secrets, this.options.salt ?? DEFAULT_SALT))
    }
  }

  private isInside(file: SourceFile, tool: AuditTool, hit: Hit): boolean {
    const inside = hit.start >= 0 && hit.start <= hit.end && hit.end <= file.text.length
    if (!inside) this.failures.push({ tool: tool.id, path: file.path, message: "flagged a range outside of the file" })
    return inside
  }

  private project(): Project {
    const files = this.summaries.sort((a, b) => compare(a.path, b.path))
    const paths = new Set(this.entries.keys())
    return {
      files,
      has: (path) => paths.has(path),
      manifest: (path) => this.manifests.get(path) ?? null,
      advisories: this.advisories
    }
  }

  private async verify(findings: ReadonlyArray<Finding>): Promise<ReadonlyArray<Finding>> {
    const claims = new Map<string, Array<Claim>>()
    for (const finding of findings) {
      const path = finding.locations[0].file_path
      claims.set(path, [...(claims.get(path) ?? []), claimOf(finding)])
    }
    const entries = [...claims.keys()].sort().flatMap((path) => this.entries.get(path) ?? [])
    this.enter("verify", entries.length)
    let files: Array<FileInput> = []
    const flush = async () => {
      if (files.length === 0) return
      const batchClaims = files.map((file) => claims.get(file.path)!)
      await this.pool.submit({ type: "verify", id: this.batchId++, stage: "verify", files, claims: batchClaims })
      files = []
    }
    for await (const { entry, bytes } of this.source.read(entries)) {
      files.push({ path: entry.path, blob: entry.blob, bytes })
      if (files.length >= BATCH_FILES) await flush()
    }
    await flush()
    await this.pool.drain()
    return findings.flatMap((finding) => {
      const verdict = this.verdicts.get(finding.signatures.located) ?? pathGone(claimOf(finding), "verify")
      return verdict.stands ? [{ ...finding, evidence: verdict.evidence }] : []
    })
  }

  private outcomeOf(tool: AuditTool): ToolOutcome {
    const failed = this.failures.filter((failure) => failure.tool === tool.id)
    const concludeError = this.concludeErrors.get(tool.id)
    const base = { id: tool.id, version: tool.version }
    if (concludeError !== undefined) return { ...base, status: "failed", error: concludeError }
    if (failed.length === 0) return { ...base, status: "completed" }
    const first = [...failed].sort((a, b) => compare(a.path, b.path))[0]!
    const ran = this.ranOn.get(tool.id) ?? 0
    const error = `${failed.length} of ${ran} files, first ${first.path}: ${first.message}`
    return { ...base, status: failed.length >= ran ? "failed" : "degraded", error }
  }
}

const claimOf = (finding: Finding): Claim => ({
  key: finding.signatures.located,
  rule: finding.rule_id,
  symbol: finding.locations[0].symbol,
  anchor: finding.anchor,
  lineStart: finding.locations[0].line_start,
  lineEnd: finding.locations[0].line_end,
  identifiers: finding.identifiers
})

const binaryName =
  /\.(?:png|jpe?g|gif|bmp|ico|webp|avif|tiff?|psd|pdf|zip|gz|tgz|bz2|xz|zst|7z|rar|jar|war|class|exe|dll|so|dylib|a|o|obj|lib|wasm|woff2?|ttf|otf|eot|mp[34]|m4a|ogg|wav|flac|avi|mov|mkv|webm|pyc|pyo|bin|dat|db|sqlite3?|parquet|npy|npz|onnx|pb|h5|pkl|iso|dmg|deb|rpm|apk|ipa|nupkg|snap)$/i

/** Other people's code is not this repository's to mend, and a checked-in dependency folder can be most of a tree. */
const unreadReason = ({ path, size }: TreeEntry): string | null => {
  if (size > (isLockfile(path) ? MAX_LOCKFILE_BYTES : MAX_FILE_BYTES)) return "too_large"
  if (binaryName.test(path) && languageOf(path) === "text") return "binary"
  return roleOf(path) === "vendored" ? "vendored" : null
}
