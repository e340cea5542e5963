import type { AdvisoryUse } from "../../dependencies/advisories/Advisory.ts"
import { openAdvisories } from "../../dependencies/advisories/openAdvisories.ts"
import { SharedTextReader, type SharedTexts } from "../text/TextStore.ts"
import type { AuditTool, FileDescription, FileSummary, Project, ToolDescription } from "../tool/AuditTool.ts"
import type { ChangeHistory } from "../tool/ChangeHistory.ts"
import type { ScanTools } from "../tool/scanTools.ts"
import { messageOf } from "./Inspector.ts"
import type { ToolMatch } from "./LocatedFinding.ts"

/** All that cross-file passes know, as it crosses to a thread. */
export interface CrossFileInput {
  /** Ordered by path. */
  readonly files: ReadonlyArray<FileDescription>
  /** Selected, and not inspected. */
  readonly others: ReadonlyArray<string>
  /** Left out of the scan. */
  readonly unread: ReadonlyArray<string>
  readonly manifests: ReadonlyMap<string, string>
  /** Folder of imported advisories. */
  readonly advisories: string | null
  readonly history: ChangeHistory | null
  readonly facts: SharedFacts
}

/** Facts of all tools, in memory that threads share: of many files a copy for each thread would be too much. */
export interface SharedFacts {
  readonly byTool: ReadonlyMap<string, FactsColumn>
  readonly texts: SharedTexts
}

/** A tool's facts: indexes of files in the order of their paths, each with the key of its JSON text. */
export interface FactsColumn {
  readonly files: Int32Array
  readonly texts: Int32Array
  /** The same number for columns that have texts in common. */
  readonly family: number
}

export interface CrossFileResult {
  /** Of the suite, whether they run or not. */
  readonly suite: ReadonlyArray<ToolDescription>
  /** Those that run. */
  readonly tools: ReadonlyArray<ToolDescription>
  readonly matches: ReadonlyArray<readonly [path: string, match: ToolMatch]>
  /** Tools whose cross-file pass finished. */
  readonly finished: ReadonlyArray<string>
  readonly errors: ReadonlyArray<readonly [tool: string, message: string]>
  /** Null when no tool reads lock files. */
  readonly advisories: AdvisoryUse | null
}

/** Passes that run beside others, each part in a thread of its own. */
export interface Part {
  readonly index: number
  readonly of: number
}

export interface CrossFileRun {
  readonly input: CrossFileInput
  readonly part: Part
  /** Indexes of tools whose pass did not finish before. */
  readonly without: ReadonlySet<number>
}

/**
 * Columns are parsed one after the other, and the last is kept: tools that share one follow each other, and columns that have
 * texts in common.
 */
class ParsedColumn {
  private readonly files: CrossFileInput["files"]
  private readonly texts: SharedTextReader
  private column: FactsColumn | undefined
  private facts: ReadonlyArray<FileSummary> = []

  constructor({ files, facts }: CrossFileInput) {
    this.files = files
    this.texts = new SharedTextReader(facts.texts)
  }

  of(column: FactsColumn | undefined): ReadonlyArray<FileSummary> {
    if (column === undefined) return []
    if (column !== this.column) {
      const known = this.parsedOf(column)
      // What else the column before held must be free while this one is parsed.
      this.facts = []
      this.facts = Array.from(column.files, (file, i) => known[i] ?? this.summary(file, column.texts[i]!))
    }
    this.column = column
    return this.facts
  }

  /** What this column has in common with the one before, by index; both are in the order of files. */
  private parsedOf({ files, texts, family }: FactsColumn): ReadonlyArray<FileSummary | undefined> {
    const { column: before, facts } = this
    if (before?.family !== family) return []
    let at = 0
    return Array.from(files, (file, i) => {
      while (at < before.files.length && before.files[at]! < file) at++
      return before.texts[at] === texts[i] ? facts[at] : undefined
    })
  }

  private summary(file: number, text: number): FileSummary {
    return { path: this.files[file]!.path, facts: JSON.parse(this.texts.get(text)) }
  }
}

const projectOf = ({ files, others, unread, manifests, advisories, history }: CrossFileInput): Project => {
  const known = new Set(others)
  for (const { path } of files) known.add(path)
  return {
    files,
    has: (path) => known.has(path),
    unread,
    manifest: (path) => manifests.get(path) ?? null,
    advisories: openAdvisories(advisories),
    history
  }
}

/** The cross-file passes of a part, tool by tool; `note` gets the index of the tool that runs. */
export const runCrossFilePasses = (
  { suite, running }: ScanTools,
  { input, part, without }: CrossFileRun,
  note: (tool: number) => void
): CrossFileResult => {
  const project = projectOf(input)
  const matches: Array<readonly [path: string, match: ToolMatch]> = []
  const finished: Array<string> = []
  const errors: Array<readonly [tool: string, message: string]> = []
  const columns = new ParsedColumn(input)
  const own = inPart(byColumn(running, input.facts.byTool), input.facts.byTool, part)
  for (const [index, tool] of own) {
    if (without.has(index)) continue
    note(index)
    const reported = matches.length
    try {
      tool.finish?.(columns.of(input.facts.byTool.get(tool.id)), project, (path, match) =>
        matches.push([path, { tool: tool.id, match }])
      )
      finished.push(tool.id)
    } catch (error) {
      matches.length = reported
      errors.push([tool.id, messageOf(error)])
    }
  }
  const advisories = own.some(([, { readsLockfiles }]) => readsLockfiles === true) ? project.advisories.use() : null
  return { suite: suite.map(described), tools: running.map(described), matches, finished, errors, advisories }
}

/** Tools with a cross-file pass, those that share a column of facts one after the other, and families of columns. */
const byColumn = (tools: ReadonlyArray<AuditTool>, facts: SharedFacts["byTool"]) => {
  const indexed = [...tools.entries()].filter(([, { finish }]) => finish !== undefined)
  const columns = [...new Set(indexed.map(([, { id }]) => facts.get(id)))]
  const families = [...new Set(columns.map((column) => column?.family))]
  const rank = (column: FactsColumn | undefined) => families.indexOf(column?.family)
  return indexed
    .map((one) => ({ one, column: facts.get(one[1].id) }))
    .sort((a, b) => rank(a.column) - rank(b.column) || columns.indexOf(a.column) - columns.indexOf(b.column))
    .map(({ one }) => one)
}

type Indexed = readonly [index: number, tool: AuditTool]

/** Tools of a family of columns stay together; those with most files are dealt out first, each to the emptiest part. */
const inPart = (tools: ReadonlyArray<Indexed>, facts: SharedFacts["byTool"], { index, of }: Part) => {
  const groups = new Map<number | undefined, Array<Indexed>>()
  for (const one of tools) {
    const family = facts.get(one[1].id)?.family
    const known = groups.get(family)
    if (known === undefined) groups.set(family, [one])
    else known.push(one)
  }
  const loads = Array.from({ length: of }, () => 0)
  const weightOf = (members: ReadonlyArray<Indexed>) => {
    const columns = members.map(([, { id }]) => facts.get(id)?.files.length ?? 0)
    return columns.reduce((sum, files) => sum + files, 1 + Math.max(...columns))
  }
  const dealt = [...groups.values()]
    .map((members) => ({ members, weight: weightOf(members) }))
    .sort((a, b) => b.weight - a.weight || a.members[0]![0] - b.members[0]![0])
    .filter(({ weight }) => {
      const least = loads.indexOf(Math.min(...loads))
      loads[least]! += weight
      return least === index
    })
  return dealt.flatMap(({ members }) => members)
}

const described = ({ appliesTo, inspect, finish, mentions, ...description }: AuditTool): ToolDescription => description
