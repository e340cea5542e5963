import { availableParallelism } from "node:os"
import type { AdvisoryUse } from "../../dependencies/advisories/Advisory.ts"
import type { Range } from "../../languages/tree/Range.ts"
import { SecretNames } from "../../secrets/secretNames.ts"
import { digestOf } from "../cache/digest.ts"
import { ruleSetHash } from "../cache/ruleSet.ts"
import { ScanCache } from "../cache/ScanCache.ts"
import { decodeText } from "../files/fileText.ts"
import { Inventory } from "../files/Inventory.ts"
import { selected } from "../files/selection.ts"
import { openPool, type Pool, type StuckReason } from "../process/Pool.ts"
import type { Batch, BatchOutcome } from "../process/scanProtocol.ts"
import type { TreeEntry, TreeSource } from "../source/TreeSource.ts"
import { compareText } from "../text/compareText.ts"
import type { AuditTool, FileDescription, ToolDescription } from "../tool/AuditTool.ts"
import { isManifest } from "../tool/AuditTool.ts"
import { withoutSuggestions } from "../tool/suggestions.ts"
import { type Claim, type Concluded, claimOf, claimsByPath, type FileCheck, pathGone, type Verdict } from "./claims.ts"
import type { Conclusions, ProjectData } from "./concludeTools.ts"
import { assemble } from "./findings.ts"
import type { FileInput, FileOutcome, FilePlaced, FlaggedFile, ToolHit } from "./Inspector.ts"
import { PlacedHits } from "./PlacedHits.ts"
import { ProjectFacts } from "./ProjectFacts.ts"
import type { Finding, ScanResult } from "./ScanResult.ts"
import { ToolRuns } from "./ToolRuns.ts"

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
  /** Also what is merely a suggestion. Default false. */
  readonly suggestions?: boolean
  /** Folder in which one scan of this repository leaves what the next one need not find out again. */
  readonly cache?: string
  /** Leaves the cache as it is, unless nothing in it is of use. */
  readonly spareCache?: boolean
  /** Files whose findings no cap of a rule hides. */
  readonly focus?: ReadonlyArray<string>
  /** Folder of imported advisories. Default: the built-in list alone. */
  readonly advisories?: string
  /** Told how many files have to be analysed, before any thread starts. */
  readonly beforeReading?: (files: number) => void
  readonly onStage?: (stage: ScanStage) => void
  readonly onProgress?: (progress: ScanProgress) => void
  /** Other tools than the catalogue's; a module when they have to run in threads. For tests of the engine. */
  readonly tools?: ReadonlyArray<AuditTool>
  readonly toolsModule?: string
  readonly stuckAfterMs?: number
}

const MAX_WORKERS = 4
const BATCH_FILES = 48
const BATCH_BYTES = 512 * 1024
const MAX_MANIFEST_BYTES = 256 * 1024
const MAX_FAILURES = 50
const DEFAULT_SALT = "assay"

/** Tools given as functions cannot cross threads. */
const toolsInThread = ({ tools, toolsModule, suggestions }: ScanOptions): ReadonlyArray<AuditTool> | null =>
  tools === undefined || toolsModule !== undefined ? null : suggestions === true ? tools : withoutSuggestions(tools)

const openCache = (options: ScanOptions, salt: string): ScanCache | null => {
  if (options.cache === undefined) return null
  const { suite, suggestions, toolsModule } = options
  const tools = options.tools?.map(({ id, version, rules }) => [id, version, rules])
  const name = suggestions === true ? `${suite}-suggestions` : suite
  return new ScanCache(options.cache, name, ruleSetHash({ salt, tools: [name, tools, toolsModule] }))
}

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
  private readonly pool: Pool
  private readonly cache: ScanCache | null
  private tools: ReadonlyArray<ToolDescription> = []
  private advisories: AdvisoryUse | null = null
  private readonly inventory = new Inventory()
  private readonly placed = new PlacedHits()
  private readonly facts = new ProjectFacts()
  private readonly runs = new ToolRuns()
  private readonly stuckConcluding: Array<readonly [place: number, reason: StuckReason]> = []
  private readonly concluded = new Map<string, Array<ToolHit>>()
  private readonly secrets = new Map<string, ReadonlyArray<Range>>()
  private readonly summaries: Array<FileDescription> = []
  private readonly manifests = new Map<string, string>()
  private readonly verdicts = new Map<string, Verdict>()
  private readonly entries = new Map<string, TreeEntry>()
  /** What files held when they were inspected: those of a working tree may have been edited since they were listed. */
  private readonly blobs = new Map<string, string>()
  /** Of what is told of files now, for the next scan. */
  private readonly digests = new Map<string, string>()
  private batchId = 0
  private done = 0
  private total = 0
  private reused = 0
  private peakRss = 0
  private stage: ScanStage = "inventory"

  constructor(source: TreeSource, options: ScanOptions) {
    this.source = source
    this.options = options
    const salt = options.salt ?? DEFAULT_SALT
    this.cache = openCache(options, salt)
    const cores = Math.min(availableParallelism(), MAX_WORKERS)
    this.pool = openPool({
      size: Math.max(1, Math.min(options.workers ?? cores, 16)),
      suite: options.suite,
      suggestions: options.suggestions === true,
      toolsModule: options.toolsModule ?? null,
      inThread: toolsInThread(options),
      salt,
      onOutcome: (outcome, batch) => this.receive(outcome, batch),
      onStuck: (batch, place, reason) => this.giveUp(batch, place, reason),
      ...(options.stuckAfterMs === undefined ? {} : { stuckAfterMs: options.stuckAfterMs })
    })
  }

  async run(): Promise<ScanResult> {
    const started = performance.now()
    const cpu = process.cpuUsage()
    this.enter("inventory", 0)
    const entries = await selected(this.source, this.inventory)
    for (const entry of entries) this.entries.set(entry.path, entry)
    const names = new SecretNames([...this.entries.keys(), ...this.inventory.skippedPaths()])
    if (this.options.spareCache !== true || this.cache?.isOfUse === false) this.cache?.begin(names.secrets)
    this.enter("scan", entries.length)
    await this.inspect(entries)
    await this.conclude()
    const { findings, suppressed, alsoPresent } = assemble(
      this.tools,
      this.placed.all(),
      new Set(names.originals(this.options.focus ?? []))
    )
    const checked = await this.verify(findings)
    this.cache?.finish()
    const used = process.cpuUsage(cpu)
    this.noteMemory()
    return names.in({
      findings: checked,
      inventory: this.inventory.summary(),
      skipped: this.inventory.skippedFiles(),
      skipped_counts: this.inventory.skippedCounts(),
      tools: this.tools.map((tool) => this.runs.outcomeOf(tool)),
      tool_failures: this.runs.failures.slice(0, MAX_FAILURES),
      suppressed,
      also_present: alsoPresent,
      watched: this.inventory.fatesOf(
        names.originals(this.options.watch ?? []),
        new Set(this.summaries.map(({ path }) => path))
      ),
      dropped_by_verification: findings.length - checked.length,
      ...(this.advisories === null ? {} : { advisories: this.advisories }),
      suggestions: this.options.suggestions === true,
      reused_files: this.reused,
      cpu_seconds: (used.user + used.system) / 1e6,
      wall_ms: Math.round(performance.now() - started),
      peak_rss_bytes: this.peakRss
    })
  }

  async close(): Promise<void> {
    this.cache?.abandon()
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

  /** Reads files and hands them to the threads by the batch, each with what is to be done with it. */
  private async submit<F extends FileInput>(
    entries: ReadonlyArray<TreeEntry>,
    fileOf: (input: FileInput) => F,
    batchOf: (id: number, files: ReadonlyArray<F>) => Batch
  ): Promise<void> {
    let files: Array<F> = []
    let bytes = 0
    const flush = async () => {
      if (files.length === 0) return
      const batch = batchOf(this.batchId++, files)
      files = []
      bytes = 0
      await this.pool.submit(batch)
    }
    for await (const { entry, bytes: content } of this.source.read(entries)) {
      files.push(fileOf({ path: entry.path, blob: entry.blob, bytes: content }))
      bytes += content.length
      if (files.length >= BATCH_FILES || bytes >= BATCH_BYTES) await flush()
    }
    await flush()
    await this.pool.drain()
  }

  private async inspect(entries: ReadonlyArray<TreeEntry>): Promise<void> {
    const changed: Array<TreeEntry> = []
    for (const entry of entries) {
      const known = this.cache?.outcome(entry.path, entry.blob) ?? null
      if (known === null) changed.push(entry)
      else {
        this.reused++
        this.take(known, entry.blob)
      }
    }
    this.done = this.reused
    this.report()
    this.options.beforeReading?.(changed.length)
    const noting = (input: FileInput): FileInput => {
      this.noteManifest(input)
      return input
    }
    await this.submit(changed, noting, (id, files) => ({ type: "inspect", id, files }))
  }

  private noteManifest({ path, bytes }: FileInput): void {
    if (isManifest(path) && bytes.length <= MAX_MANIFEST_BYTES) this.manifests.set(path, decodeText(bytes))
  }

  private receive(outcome: BatchOutcome, batch: Batch): void {
    if (outcome.conclusions !== null) this.takeConclusions(outcome.conclusions)
    if (batch.type === "conclude") return
    const blobs = new Map(batch.files.map(({ path, blob }) => [path, blob]))
    for (const file of outcome.outcomes) this.take(file, blobs.get(file.path)!)
    for (const file of outcome.placed) this.takePlaced(file)
    for (const { path, verdicts } of outcome.verdicts) this.takeVerdicts(path, verdicts)
    if (batch.type !== "place") this.done += batch.files.length
    this.report()
  }

  private giveUp(batch: Batch, place: number, reason: StuckReason): void {
    if (batch.type === "conclude") this.stuckConcluding.push([place, reason])
    else this.inventory.skip(batch.files[place]!.path, reason)
  }

  private take(file: FileOutcome, blob: string): void {
    if (!file.cutShort) this.cache?.keepOutcome(blob, file)
    this.blobs.set(file.path, blob)
    if (file.skipped !== null) this.inventory.skip(file.path, file.skipped)
    if (file.skipped === "binary") return
    this.inventory.count(file)
    this.summaries.push({ path: file.path, language: file.language, role: file.role })
    this.placed.add(file.placed)
    this.runs.add(file)
    this.facts.add(file.path, file.facts)
    if (file.secrets.length > 0) this.secrets.set(file.path, file.secrets)
  }

  private takePlaced({ path, placed, failures }: FilePlaced): void {
    if (failures.length === 0) this.cache?.keepPlaced(path, this.digests.get(path)!, placed)
    this.placed.add(placed)
    this.runs.fail(...failures)
  }

  private takeVerdicts(path: string, verdicts: ReadonlyArray<Verdict>): void {
    const isCertain = verdicts.every(({ evidence }) => evidence.detection_query.status !== "inconclusive")
    if (isCertain) this.cache?.keepVerdicts(path, this.digests.get(path)!, verdicts)
    for (const verdict of verdicts) this.verdicts.set(verdict.key, verdict)
  }

  /** Rules over all files. */
  private async conclude(): Promise<void> {
    await this.pool.submit({ type: "conclude", id: this.batchId++, project: await this.project(), without: new Set() })
    await this.pool.drain()
    await this.placeConcluded()
  }

  private takeConclusions({ tools, hits, finished, errors, advisories }: Conclusions): void {
    this.tools = tools
    this.advisories = advisories
    const stuck = this.stuckConcluding.map(([place, reason]) => [tools[place]!.id, reason] as const)
    this.runs.conclude(finished, [...errors, ...stuck])
    for (const [path, hit] of hits) {
      const known = this.concluded.get(path)
      if (known === undefined) this.concluded.set(path, [hit])
      else known.push(hit)
    }
  }

  private async placeConcluded(): Promise<void> {
    const scanned = new Set(this.summaries.map(({ path }) => path))
    const flagged: Array<TreeEntry> = []
    for (const path of [...this.concluded.keys()].sort()) {
      const hits = this.concluded.get(path)!
      if (!scanned.has(path)) {
        this.runs.fail({ tool: hits[0]!.tool, path, message: "flagged a file that was not scanned" })
        continue
      }
      const digest = digestOf(JSON.stringify(hits))
      this.digests.set(path, digest)
      const known = this.cache?.placed(path, this.blobs.get(path)!, digest) ?? null
      if (known === null) flagged.push(this.entries.get(path)!)
      else this.takePlaced({ path, placed: known, failures: [] })
    }
    const fileOf = (input: FileInput): FlaggedFile => ({
      ...input,
      hits: this.concluded.get(input.path)!,
      secrets: this.secrets.get(input.path) ?? []
    })
    await this.submit(flagged, fileOf, (id, files) => ({ type: "place", id, files }))
  }

  private async project(): Promise<ProjectData> {
    const unread = [...this.entries.values()].filter(
      ({ path, size }) => isManifest(path) && size <= MAX_MANIFEST_BYTES && !this.manifests.has(path)
    )
    for await (const { entry, bytes } of this.source.read(unread)) this.noteManifest({ ...entry, bytes })
    return {
      files: this.summaries.sort((a, b) => compareText(a.path, b.path)),
      paths: [...this.entries.keys()],
      unread: [...this.inventory.skippedPaths()].sort(compareText),
      manifests: this.manifests,
      advisories: this.options.advisories ?? null,
      // Only tools of the full suite ask for it.
      history: this.options.suite === "full" ? ((await this.source.history?.()) ?? null) : null,
      facts: this.facts.columns()
    }
  }

  private async verify(findings: ReadonlyArray<Finding>): Promise<ReadonlyArray<Finding>> {
    const claims = claimsByPath(findings)
    const grounds = new Map([...claims].map(([path, made]) => [path, this.concludedOn(path, made)]))
    const doubted: Array<TreeEntry> = []
    for (const path of [...claims.keys()].sort()) {
      const entry = this.entries.get(path)
      if (entry === undefined) continue
      const digest = digestOf(JSON.stringify([claims.get(path), grounds.get(path)]))
      this.digests.set(path, digest)
      const known = this.cache?.verdicts(path, this.blobs.get(path) ?? "", digest) ?? null
      if (known === null) doubted.push(entry)
      else this.takeVerdicts(path, known)
    }
    this.enter("verify", doubted.length)
    const fileOf = (input: FileInput): FileCheck => ({
      ...input,
      claims: claims.get(input.path)!,
      concluded: grounds.get(input.path)!
    })
    await this.submit(doubted, fileOf, (id, files) => ({ type: "verify", id, stage: "verify", files }))
    return findings.flatMap((finding) => {
      const verdict = this.verdicts.get(finding.signatures.located) ?? pathGone(claimOf(finding), "verify")
      return verdict.stands ? [{ ...finding, evidence: verdict.evidence }] : []
    })
  }

  /** What the rules over all files that these claims are of have said about this one. */
  private concludedOn(path: string, claims: ReadonlyArray<Claim>): Concluded {
    const claimed = new Set(claims.map(({ rule }) => rule.slice(0, rule.indexOf("."))))
    const tools = this.runs.finished.filter((id) => claimed.has(id))
    return {
      tools,
      hits: (this.concluded.get(path) ?? []).filter(({ tool }) => claimed.has(tool)),
      facts: this.facts.digests(path, tools)
    }
  }
}
