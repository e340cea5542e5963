import type { AdvisoryUse } from "../../dependencies/advisories/Advisory.ts"
import { openAdvisories } from "../../dependencies/advisories/openAdvisories.ts"
import type { AuditTool, FileDescription, FileSummary, Project, ToolDescription } from "../tool/AuditTool.ts"
import type { ChangeHistory } from "../tool/ChangeHistory.ts"
import { messageOf } from "./Inspector.ts"
import type { ToolMatch } from "./LocatedFinding.ts"

/** All that cross-file passes know, as it crosses to a thread. */
export interface CrossFileInput {
  /** Ordered by path. */
  readonly files: ReadonlyArray<FileDescription>
  /** Also of files that were not inspected. */
  readonly paths: ReadonlyArray<string>
  /** Left out of the scan. */
  readonly unread: ReadonlyArray<string>
  readonly manifests: ReadonlyMap<string, string>
  /** Folder of imported advisories. */
  readonly advisories: string | null
  readonly history: ChangeHistory | null
  readonly facts: ReadonlyMap<string, FactsColumn>
}

/** A tool's facts of all files, ordered by path; the texts are JSON arrays, each of some of them. */
export interface FactsColumn {
  readonly paths: ReadonlyArray<string>
  readonly texts: ReadonlyArray<string>
}

export interface CrossFileResult {
  readonly tools: ReadonlyArray<ToolDescription>
  readonly matches: ReadonlyArray<readonly [path: string, match: ToolMatch]>
  /** Tools whose cross-file pass finished. */
  readonly finished: ReadonlyArray<string>
  readonly errors: ReadonlyArray<readonly [tool: string, message: string]>
  /** Null when no tool reads lock files. */
  readonly advisories: AdvisoryUse | null
}

/** Columns are parsed one after the other, and the last is kept: tools that share one follow each other. */
class ParsedColumn {
  private column: FactsColumn | undefined
  private facts: ReadonlyArray<FileSummary> = []

  of(column: FactsColumn | undefined): ReadonlyArray<FileSummary> {
    if (column === undefined) return []
    if (column !== this.column) this.facts = parsed(column)
    this.column = column
    return this.facts
  }
}

const parsed = (column: FactsColumn): ReadonlyArray<FileSummary> => {
  const facts = column.texts.flatMap((text) => JSON.parse(text) as ReadonlyArray<unknown>)
  return column.paths.map((path, i) => ({ path, facts: facts[i] }))
}

const projectOf = ({ files, paths, unread, manifests, advisories, history }: CrossFileInput): Project => {
  const known = new Set(paths)
  return {
    files,
    has: (path) => known.has(path),
    unread,
    manifest: (path) => manifests.get(path) ?? null,
    advisories: openAdvisories(advisories),
    history
  }
}

/**
 * The cross-file passes, tool by tool. `without` are indexes of tools whose pass did not finish before; `note` gets the
 * index of the tool that runs.
 */
export const runCrossFilePasses = (
  tools: ReadonlyArray<AuditTool>,
  input: CrossFileInput,
  without: ReadonlySet<number>,
  note: (tool: number) => void
): CrossFileResult => {
  const project = projectOf(input)
  const matches: Array<readonly [path: string, match: ToolMatch]> = []
  const finished: Array<string> = []
  const errors: Array<readonly [tool: string, message: string]> = []
  const columns = new ParsedColumn()
  for (const [index, tool] of byColumn(tools, input.facts)) {
    if (without.has(index)) continue
    note(index)
    const reported = matches.length
    try {
      tool.finish?.(columns.of(input.facts.get(tool.id)), project, (path, match) =>
        matches.push([path, { tool: tool.id, match }])
      )
      finished.push(tool.id)
    } catch (error) {
      matches.length = reported
      errors.push([tool.id, messageOf(error)])
    }
  }
  const advisories = tools.some(({ readsLockfiles }) => readsLockfiles) ? project.advisories.use() : null
  return { tools: tools.map(described), matches, finished, errors, advisories }
}

/** Tools with a cross-file pass, those that share a column of facts one after the other. */
const byColumn = (tools: ReadonlyArray<AuditTool>, facts: CrossFileInput["facts"]) => {
  const indexed = [...tools.entries()].filter(([, { finish }]) => finish !== undefined)
  const columns = [...new Set(indexed.map(([, { id }]) => facts.get(id)))]
  return indexed.sort(([, a], [, b]) => columns.indexOf(facts.get(a.id)) - columns.indexOf(facts.get(b.id)))
}

const described = ({ appliesTo, inspect, finish, mentions, ...description }: AuditTool): ToolDescription => description
