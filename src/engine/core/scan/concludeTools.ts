import type { AdvisoryUse } from "../../dependencies/advisories/Advisory.ts"
import { openAdvisories } from "../../dependencies/advisories/openAdvisories.ts"
import type { AuditTool, FileDescription, FileSummary, Match, Project, ToolDescription } from "../tool/AuditTool.ts"
import type { ChangeHistory } from "../tool/ChangeHistory.ts"
import { messageOf, type ToolHit } from "./Inspector.ts"

/** All that rules over all files know, as it crosses to a thread. */
export interface ProjectData {
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

export interface Conclusions {
  readonly tools: ReadonlyArray<ToolDescription>
  readonly hits: ReadonlyArray<readonly [path: string, hit: ToolHit]>
  /** Tools whose rules over all files came to an end. */
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

const projectOf = (data: ProjectData): Project => {
  const paths = new Set(data.paths)
  return {
    files: data.files,
    has: (path) => paths.has(path),
    unread: data.unread,
    manifest: (path) => data.manifests.get(path) ?? null,
    advisories: openAdvisories(data.advisories),
    history: data.history
  }
}

/** Rules over all files, tool by tool. `without` are places in the list of tools; `note` is told where we are. */
export const concludeTools = (
  tools: ReadonlyArray<AuditTool>,
  data: ProjectData,
  without: ReadonlySet<number>,
  note: (tool: number) => void
): Conclusions => {
  const project = projectOf(data)
  const hits: Array<readonly [path: string, hit: ToolHit]> = []
  const finished: Array<string> = []
  const errors: Array<readonly [tool: string, message: string]> = []
  const columns = new ParsedColumn()
  const inOrder = [...tools.entries()].filter(([i, tool]) => tool.finish !== undefined && !without.has(i))
  const columnOf = ([, tool]: (typeof inOrder)[number]) => data.facts.get(tool.id)
  const places = [...new Set(inOrder.map(columnOf))]
  inOrder.sort((a, b) => places.indexOf(columnOf(a)) - places.indexOf(columnOf(b)))
  for (const [i, tool] of inOrder) {
    note(i)
    const before = hits.length
    const emit = (path: string, hit: Match) => hits.push([path, { tool: tool.id, hit }])
    try {
      tool.finish?.(columns.of(data.facts.get(tool.id)), project, emit)
      finished.push(tool.id)
    } catch (error) {
      hits.length = before
      errors.push([tool.id, messageOf(error)])
    }
  }
  const advisories = tools.some(({ readsLockfiles }) => readsLockfiles) ? project.advisories.use() : null
  return { tools: tools.map(described), hits, finished, errors, advisories }
}

const described = ({ appliesTo, inspect, finish, mentions, ...description }: AuditTool): ToolDescription => description
