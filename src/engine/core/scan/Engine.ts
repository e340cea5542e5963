import { availableParallelism } from "node:os"
import type { AdvisoryUse } from "../../dependencies/advisories/Advisory.ts"
import { RedactedPaths } from "../../secrets/RedactedPaths.ts"
import { ruleSetHash } from "../cache/ruleSet.ts"
import { ScanCache } from "../cache/ScanCache.ts"
import { termsKey } from "../files/FileTerms.ts"
import { Inventory } from "../files/Inventory.ts"
import { selected } from "../files/selection.ts"
import { TreeTerms } from "../files/TreeTerms.ts"
import { openPool, type Pool, type StuckReason } from "../process/Pool.ts"
import type { Batch, BatchOutcome } from "../process/scanProtocol.ts"
import { baselineOf, inBaseline, silencedByBaseline } from "../silencing/Baseline.ts"
import { namesCredentials } from "../silencing/ignoreComments.ts"
import { SilenceReport } from "../silencing/SilenceReport.ts"
import { Silencing } from "../silencing/Silencing.ts"
import type { TreeEntry, TreeSource } from "../source/TreeSource.ts"
import { compareText } from "../text/compareText.ts"
import type { AuditTool, ToolDescription } from "../tool/AuditTool.ts"
import type { ChangeHistory } from "../tool/ChangeHistory.ts"
import { withoutSuggestions } from "../tool/suggestions.ts"
import { Batches } from "./Batches.ts"
import { CrossFileMatches } from "./CrossFileMatches.ts"
import type { CrossFileResult } from "./crossFilePass.ts"
import { type Citation, type CrossFileEvidence, toolOf } from "./evidence.ts"
import { assemble } from "./findings.ts"
import type { FileInput, FileOutcome, LocatedFile, MatchedFile } from "./Inspector.ts"
import { LocatedFindings } from "./LocatedFindings.ts"
import { Progress } from "./Progress.ts"
import { ProjectFacts } from "./ProjectFacts.ts"
import { ScannedFiles } from "./ScannedFiles.ts"
import type { ScanOptions } from "./ScanOptions.ts"
import type { ScanResult } from "./ScanResult.ts"
import { ToolRuns } from "./ToolRuns.ts"
import { UnruledLanguages } from "./unruledLanguages.ts"
import { Verification } from "./Verification.ts"

const MAX_WORKERS = 4
const MAX_FAILURES = 50
const DEFAULT_SALT = "assay"

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
  private readonly batches: Batches
  private readonly cache: ScanCache | null
  private readonly verification: Verification
  private readonly inventory = new Inventory()
  private readonly progress: Progress
  private readonly files = new ScannedFiles()
  private readonly located = new LocatedFindings()
  private readonly facts = new ProjectFacts()
  private readonly matches = new CrossFileMatches()
  private readonly runs = new ToolRuns()
  private readonly unruled = new UnruledLanguages()
  private readonly silences = new SilenceReport()
  private readonly stuckPasses: Array<readonly [tool: number, reason: StuckReason]> = []
  /** What each part of the cross-file passes reported. */
  private readonly passes: Array<CrossFileResult> = []
  /** Of the suite, whether they run or not. */
  private suite: ReadonlyArray<ToolDescription> = []
  /** Those that run. */
  private tools: ReadonlyArray<ToolDescription> = []
  private terms = new TreeTerms([])
  private advisories: AdvisoryUse | null = null
  private reused = 0

  constructor(source: TreeSource, options: ScanOptions) {
    this.source = source
    this.options = options
    this.progress = new Progress(options, () => this.inventory.lines)
    const salt = options.salt ?? DEFAULT_SALT
    this.cache = openCache(options, salt)
    this.pool = openPool({
      worker: {
        suite: options.suite,
        suggestions: options.suggestions === true,
        only: options.only ?? null,
        salt,
        toolsModule: options.toolsModule ?? null
      },
      size: poolSize(options.workers),
      inThread: toolsInThread(options),
      onOutcome: (outcome, batch) => this.receive(outcome, batch),
      onStuck: (batch, index, reason) => this.giveUp(batch, index, reason),
      ...(options.stuckAfterCpuMs === undefined ? {} : { stuckAfterCpuMs: options.stuckAfterCpuMs })
    })
    this.batches = new Batches(source, this.pool)
    this.verification = new Verification({
      source,
      files: this.files,
      crossFile: (path, citations) => this.crossFileEvidence(path, citations),
      rerunRules: options.rerunRules === true
    })
  }

  async run(): Promise<ScanResult> {
    const started = performance.now()
    const cpu = process.cpuUsage()
    this.progress.enter("inventory", 0)
    const { entries, terms } = await selected(this.source, this.inventory, this.options.rulesOn)
    this.terms = terms
    this.files.select(entries)
    // Before the compiler is tuned: with other settings V8 does not take the code that was made at the build.
    if (partsFor(entries.length) > 1) this.pool.prepare()
    const paths = new RedactedPaths([...this.files.paths, ...this.inventory.skippedPaths()])
    if (!this.sparesCache()) this.cache?.begin(paths.secrets)
    this.progress.enter("scan", entries.length)
    // Reading it takes git a while, in which files are inspected.
    const history = this.history()
    history.catch(() => undefined)
    await this.inspect(entries)
    await this.runCrossFilePasses(await history)
    await this.locateMatches()
    const focus = new Set(paths.resolve(this.options.focus ?? []))
    const silencing = new Silencing(terms, this.options.rulesOff ?? [])
    // The cache knows what all tools of the suite located.
    const ran = new Set(this.tools.map(({ id }) => id))
    const located = silencing.applied(this.located.all().filter(({ tool }) => ran.has(tool)))
    const { findings, suppressed, alsoPresent } = assemble(this.tools, located, focus)
    const { suite, suggestions = false } = this.options
    const unknown = suite === "full" ? silencing.unknownNames(this.suite, suggestions) : []
    const warnings = [...terms.settings.warnings, ...unknown]
    const known = inBaseline(findings, baselineOf(this.options.baseline ?? []))
    const reported = findings.filter((finding) => !known.has(finding))
    const confirmed = await this.verification.confirmed(reported, this.batches, terms, this.progress)
    this.cache?.finish()
    const used = process.cpuUsage(cpu)
    return paths.redactIn({
      findings: confirmed,
      ...this.summary(),
      suppressed,
      also_present: alsoPresent,
      watched: this.inventory.statusesOf(paths.resolve(this.options.watch ?? []), this.files.inspected),
      dropped_by_verification: reported.length - confirmed.length,
      ...this.silences.summary(located, [...known].map(silencedByBaseline), warnings, this.tools),
      languages_without_rules: this.unruled.summary(this.suite),
      cpu_seconds: (used.user + used.system) / 1e6,
      wall_ms: Math.round(performance.now() - started),
      peak_rss_bytes: this.progress.peakRssBytes()
    })
  }

  async close(): Promise<void> {
    this.cache?.abandon()
    await this.pool.close()
  }

  /** What a scan by some tools finds out must not replace what one by all of them did. */
  private sparesCache(): boolean {
    const { spareCache, only } = this.options
    return (spareCache === true || only !== undefined) && this.cache?.isOfUse === true
  }

  /** What was scanned, and by which tools. */
  private summary() {
    return {
      inventory: this.inventory.summary(),
      skipped: this.inventory.skippedFiles(),
      skipped_counts: this.inventory.skippedCounts(),
      left_out: this.inventory.summaryOfLeftOut(),
      tools: this.tools.map((tool) => this.runs.outcomeOf(tool)),
      tool_failures: this.runs.failuresOf(this.tools).slice(0, MAX_FAILURES),
      ...(this.advisories === null ? {} : { advisories: this.advisories }),
      suggestions: this.options.suggestions === true,
      reused_files: this.reused
    }
  }

  private async inspect(entries: ReadonlyArray<TreeEntry>): Promise<void> {
    const changed: Array<TreeEntry> = []
    for (const entry of entries) {
      const known = this.cache?.outcome(entry.path, this.cacheKey(entry.path, entry.blob)) ?? null
      if (known === null) changed.push(entry)
      else {
        this.reused++
        this.cache?.keepKnown(entry.path, this.cacheKey(entry.path, entry.blob))
        this.take(known, entry.blob)
      }
    }
    this.progress.advance(this.reused)
    this.options.beforeReading?.(changed.length)
    const keepingManifests = (input: FileInput): FileInput => {
      this.files.keepManifest(input)
      return input
    }
    await this.batches.runFiles(changed, this.terms, keepingManifests, (id, files) => ({ type: "inspect", id, files }))
  }

  /** Only tools of the full suite use it. */
  private async history(): Promise<ChangeHistory | null> {
    if (this.options.suite !== "full" || this.source.history === undefined) return null
    const { cache } = this
    return this.source.history(cache === null ? undefined : (key) => cache.commitStore(key))
  }

  private async runCrossFilePasses(history: ChangeHistory | null): Promise<void> {
    const project = await this.files.project(this.source)
    const input = {
      ...project,
      unread: [...this.inventory.skippedPaths()].sort(compareText),
      advisories: this.options.advisories ?? null,
      history,
      facts: this.facts.shared(project.files)
    }
    const of = partsFor(project.files.length)
    await this.batches.run(
      Array.from(
        { length: of },
        (_, index) => (id: number) => ({ type: "finish", id, input, part: { index, of }, without: new Set() }) as const
      )
    )
    this.takePasses()
  }

  /** Reads the files again that cross-file passes matched, but for those that the cache knows. */
  private async locateMatches(): Promise<void> {
    const { inspected } = this.files
    const matched: Array<TreeEntry> = []
    for (const path of this.matches.paths) {
      if (!inspected.has(path)) {
        this.runs.fail({ tool: this.matches.of(path)[0]!.tool, path, message: "matched a file that was not scanned" })
        continue
      }
      const known =
        this.cache?.located(path, this.cacheKey(path, this.files.blob(path)!), this.matches.digest(path)) ?? null
      if (known === null) matched.push(this.files.entry(path)!)
      else this.takeLocated({ path, located: known, failures: [] })
    }
    const fileOf = (input: FileInput): MatchedFile => ({
      ...input,
      matches: this.matches.of(input.path),
      secrets: this.files.secretsOf(input.path)
    })
    await this.batches.runFiles(matched, this.terms, fileOf, (id, files) => ({ type: "locate", id, files }))
  }

  private receive(outcome: BatchOutcome, batch: Batch): void {
    switch (outcome.type) {
      case "inspect":
        this.takeInspected(outcome.files, batch)
        break
      case "locate":
        for (const file of outcome.files) this.takeLocated(file)
        this.progress.advance(0)
        break
      case "rerun":
        for (const { checks } of outcome.files) this.verification.add(checks)
        this.progress.advance(outcome.files.length)
        break
      case "finish":
        this.passes[outcome.part.index] = outcome.result
    }
  }

  /** The same content is inspected another way where the file has another role. */
  private cacheKey(path: string, blob: string): string {
    return `${blob} ${termsKey(this.terms.of(path))}`
  }

  private giveUp(batch: Batch, index: number, reason: StuckReason): void {
    if (batch.type === "finish") this.stuckPasses.push([index, reason])
    else this.inventory.skip(batch.files[index]!.path, reason)
  }

  private takeInspected(outcomes: ReadonlyArray<FileOutcome>, batch: Batch): void {
    const inputs = batch.type === "inspect" ? batch.files : []
    const blobs = new Map(inputs.map(({ path, blob }) => [path, blob]))
    for (const outcome of outcomes) {
      const blob = blobs.get(outcome.path)!
      this.cache?.keepOutcome(this.cacheKey(outcome.path, blob), outcome)
      this.take(outcome, blob)
    }
    this.progress.advance(outcomes.length)
  }

  private take(file: FileOutcome, blob: string): void {
    const isExcluded = this.terms.of(file.path).configured?.isExcluded === true
    const reason = file.skipped ?? (isExcluded ? "configuration" : null)
    if (reason !== null) this.inventory.skip(file.path, reason)
    if (file.skipped === "binary") return
    this.unruled.count(file)
    this.silences.add(file.path, isExcluded ? file.ignores.filter(namesCredentials) : file.ignores)
    this.inventory.count(file)
    this.files.add(file, blob)
    this.located.add(file.located)
    this.runs.add(file)
    this.facts.add(file.path, file.facts)
  }

  private takeLocated({ path, located, failures }: LocatedFile): void {
    if (failures.length === 0) this.cache?.keepLocated(path, this.matches.digest(path), located)
    this.located.add(located)
    this.runs.fail(...failures)
  }

  /** In the order of the parts, whichever was done first. */
  private takePasses(): void {
    const { passes } = this
    this.suite = passes[0]?.suite ?? []
    this.tools = passes[0]?.tools ?? []
    this.advisories = passes.find(({ advisories }) => advisories !== null)?.advisories ?? null
    const stuck = this.stuckPasses.map(([index, reason]) => [this.tools[index]!.id, reason] as const)
    this.runs.finish(
      passes.flatMap(({ finished }) => finished),
      [...passes.flatMap(({ errors }) => errors), ...stuck]
    )
    for (const { matches } of passes) this.matches.add(matches)
  }

  private crossFileEvidence(path: string, citations: ReadonlyArray<Citation>): CrossFileEvidence {
    const cited = new Set(citations.map(toolOf))
    const finished = this.runs.finished.filter((id) => cited.has(id))
    return {
      finished,
      matches: this.matches.of(path).filter(({ tool }) => cited.has(tool)),
      facts: this.facts.digests(path, finished)
    }
  }
}

/**
 * Parts in which cross-file passes run beside each other: by the number of files, never by that of threads. Few files are
 * done before a second thread is warm, and the facts of very many leave room for one column at a time.
 */
const partsFor = (files: number): number => (files < 500 || files > 50_000 ? 1 : 3)

const poolSize = (workers: number | undefined): number =>
  Math.max(1, Math.min(workers ?? Math.min(availableParallelism(), MAX_WORKERS), 16))

/** Tools given as functions cannot cross threads. */
const toolsInThread = ({ tools, toolsModule, suggestions }: ScanOptions): ReadonlyArray<AuditTool> | null =>
  tools === undefined || toolsModule !== undefined ? null : suggestions === true ? tools : withoutSuggestions(tools)

const openCache = (options: ScanOptions, salt: string): ScanCache | null => {
  if (options.cache === undefined) return null
  const { suite, suggestions, only, toolsModule } = options
  const tools = options.tools?.map(({ id, version, rules }) => [id, version, rules])
  const name = suggestions === true ? `${suite}-suggestions` : suite
  const whole = new ScanCache(options.cache, name, ruleSetHash({ salt, tools: [name, tools, toolsModule] }))
  if (only === undefined || whole.isOfUse) return whole
  const part = `${name}-only`
  return new ScanCache(options.cache, part, ruleSetHash({ salt, tools: [part, [...only].sort(), tools, toolsModule] }))
}
