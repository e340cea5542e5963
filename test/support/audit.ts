import { createHash } from "node:crypto"
import { SourceFile } from "../../src/engine/core/files/SourceFile.ts"
import type { TreeSource } from "../../src/engine/core/source/TreeSource.ts"
import {
  type AuditTool,
  type FileSummary,
  isManifest,
  type Match,
  type Project,
  type Rule,
  ruleOf
} from "../../src/engine/core/tool/AuditTool.ts"
import type { ChangeHistory } from "../../src/engine/core/tool/ChangeHistory.ts"
import { priorityIn } from "../../src/engine/core/tool/roles.ts"
import { openAdvisories } from "../../src/engine/dependencies/advisories/openAdvisories.ts"
import { prepareGrammars } from "../../src/engine/languages/tree/Grammar.ts"

export interface LocatedMatch extends Match {
  readonly path: string
  /** Line of `start`, from 1. */
  readonly line: number
}

export const sourceFile = async (path: string, text: string): Promise<SourceFile> => {
  const file = new SourceFile({ path, text })
  await prepareGrammars([file.language])
  return file
}

type SourceFiles = ReadonlyMap<string, SourceFile>

/** Files of one project, which are parsed once however many tools inspect them. */
export const sourceFiles = async (texts: Readonly<Record<string, string>>): Promise<SourceFiles> => {
  const files = new Map<string, SourceFile>()
  for (const path of Object.keys(texts).sort()) files.set(path, await sourceFile(path, texts[path]!))
  return files
}

/** Run a tool over texts as one project, with the engine's role rules but without its grouping and caps. */
export const inspectProject = async (
  tool: AuditTool,
  texts: Readonly<Record<string, string>>,
  history: ChangeHistory | null = null
): Promise<ReadonlyArray<LocatedMatch>> => inspectFiles(tool, await sourceFiles(texts), history)

/** The same over files that were read before. */
export const inspectFiles = (
  tool: AuditTool,
  files: SourceFiles,
  history: ChangeHistory | null
): ReadonlyArray<LocatedMatch> => {
  const matches: Array<LocatedMatch> = []
  const facts: Array<FileSummary> = []
  const emitAt = (path: string, match: Match): void => {
    const file = files.get(path)
    if (file === undefined) throw new Error(`${tool.id} reported a match in ${path}, which is not in the project.`)
    if (!(match.start >= 0 && match.start <= match.end && match.end <= file.text.length)) {
      throw new Error(`${tool.id} reported a range outside of ${path}: ${match.start}..${match.end}.`)
    }
    const rule = ruleOf(tool, match.rule)
    if (priorityIn(file.role, rule, rule.priority ?? tool.priority) === null) return
    matches.push({ ...match, path, line: file.line(match.start) })
  }
  for (const [path, file] of files) {
    if (!tool.appliesTo({ path, language: file.language, role: file.role })) continue
    const fact = tool.inspect?.(file, (match) => emitAt(path, match))
    if (fact !== undefined && fact !== null) facts.push({ path, facts: JSON.parse(JSON.stringify(fact)) })
  }
  tool.finish?.(facts, projectOf(files, history), emitAt)
  return matches
}

const projectOf = (files: SourceFiles, history: ChangeHistory | null): Project => ({
  files: [...files.values()].map(({ path, language, role }) => ({ path, language, role })),
  has: (path) => files.has(path),
  unread: [],
  manifest: (path) => (isManifest(path) ? (files.get(path)?.text ?? null) : null),
  advisories: openAdvisories(null),
  history
})

/** Matches of one tool in one text. */
export const inspectText = (tool: AuditTool, path: string, text: string): Promise<ReadonlyArray<LocatedMatch>> =>
  inspectProject(tool, { [path]: text })

/** A tree of texts, for scans that need no disk. */
export const treeOf = (texts: Readonly<Record<string, string | Uint8Array>>): TreeSource => {
  const contents = Object.entries(texts).map(([path, content]) => {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content
    const blob = createHash("sha1").update(bytes).digest("hex")
    return { entry: { path, escaped: false, blob, size: bytes.length, mode: "100644" }, bytes }
  })
  const byPath = new Map(contents.map((content) => [content.entry.path, content]))
  return {
    isImmutable: false,
    list: async () => contents.map(({ entry }) => entry),
    skipped: async () => [],
    async *read(entries) {
      for (const { path } of entries) {
        const content = byPath.get(path)
        if (content !== undefined) yield content
      }
    },
    close: async () => undefined
  }
}

/** A tool with one rule, for tests of the engine: flags every match of a pattern. */
export const patternTool = (
  pattern: RegExp,
  overrides: {
    readonly tool?: Partial<AuditTool>
    readonly ruleId?: string
    readonly rule?: Partial<Rule>
    readonly match?: Partial<Match>
  } = {}
): AuditTool => ({
  id: "pattern",
  suite: "standard",
  kind: "finding",
  domain: "code_quality",
  category: "correctness",
  priority: "P1",
  version: 1,
  rules: {
    [overrides.ruleId ?? "match"]: {
      languages: ["text"],
      title: "The pattern occurs",
      description: "It should not.",
      example: null,
      cwe: [],
      confidence: 0.9,
      effort: "small",
      risk: "low",
      ...overrides.rule
    }
  },
  appliesTo: () => true,
  inspect: (file, emit) => {
    for (const match of file.text.matchAll(new RegExp(pattern, "g"))) {
      const end = match.index + match[0].length
      emit({ rule: "match", start: match.index, end, message: `\`${match[0]}\` occurs.`, ...overrides.match })
    }
    return undefined
  },
  ...overrides.tool
})
