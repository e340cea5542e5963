import type { Kind, Priority } from "../../../schema/Observation.ts"
import { prepareGrammars } from "../../languages/tree/Grammar.ts"
import { ParserCrashed } from "../../languages/tree/Parser.ts"
import type { Range } from "../../languages/tree/Range.ts"
import { hiddenRanges, hiderOf, sliceRedacted } from "../../secrets/hiddenRanges.ts"
import { redactSecrets } from "../../secrets/redact.ts"
import type { FileRole } from "../files/FileRole.ts"
import { decodeText, isBinary } from "../files/fileText.ts"
import type { Language } from "../files/Language.ts"
import { MAX_FILE_BYTES, SourceFile } from "../files/SourceFile.ts"
import { type Anchor, anchorOf } from "../identity/Fingerprint.ts"
import { type AuditTool, type Match, type Rule, ruleOf } from "../tool/AuditTool.ts"
import { kindAt, priorityIn } from "../tool/roles.ts"

/** A hit with all that needs the file's text already taken from it. Plain data: it crosses threads. */
export interface Placed {
  readonly tool: string
  readonly rule: string
  readonly path: string
  readonly kind: Kind
  readonly priority: Priority
  readonly confidence: number
  readonly start: number
  readonly end: number
  readonly lineStart: number
  readonly lineEnd: number
  readonly symbol: string | null
  readonly title: string
  readonly message: string
  readonly steps: ReadonlyArray<{ readonly path: string; readonly line: number | null; readonly note: string }>
  readonly snippet: string
  readonly suggestedChange: string | null
  readonly identifiers: ReadonlyArray<string>
  readonly anchor: Anchor
}

export interface FileInput {
  readonly path: string
  readonly blob: string
  readonly bytes: Uint8Array
}

export interface ToolFailure {
  readonly tool: string
  readonly path: string
  readonly message: string
}

/** What tools want to know of a file when they conclude, as JSON text; secrets are not in it. */
export interface FactsText {
  /** Those that gave the very same. */
  readonly tools: ReadonlyArray<string>
  readonly json: string | Buffer
}

export interface FileOutcome {
  readonly path: string
  readonly language: Language
  readonly role: FileRole
  readonly lines: number
  readonly bytes: number
  /** Why the file was not read at all, or why only text rules saw it. */
  readonly skipped: string | null
  readonly placed: ReadonlyArray<Placed>
  readonly facts: ReadonlyArray<FactsText>
  readonly failures: ReadonlyArray<ToolFailure>
  /** Tools that had something to do here. */
  readonly ran: ReadonlyArray<string>
  /** Ranges no output may show, for rules that conclude later. */
  readonly secrets: ReadonlyArray<Range>
  /** A clock had a part in it: another time may find more. */
  readonly cutShort: boolean
}

const MAX_HITS_PER_TOOL_AND_FILE = 200
/** Wall time after which no further tool is started on a file. */
const FILE_BUDGET_MS = 5_000
const SNIPPET_LINES = 12
const SNIPPET_LINE_LENGTH = 240

export interface RawHit {
  readonly tool: AuditTool
  readonly hit: Match
}

/** The same with the tool named, to cross threads. */
export interface ToolHit {
  readonly tool: string
  readonly hit: Match
}

export const rawHits = (tools: ReadonlyArray<AuditTool>, hits: ReadonlyArray<ToolHit>): ReadonlyArray<RawHit> =>
  hits.flatMap(({ tool: id, hit }) => {
    const tool = tools.find((one) => one.id === id)
    return tool === undefined ? [] : [{ tool, hit }]
  })

/** A file and what rules over all files say about it. */
export interface FlaggedFile extends FileInput {
  readonly hits: ReadonlyArray<ToolHit>
  /** Ranges that inspection found no output may show. */
  readonly secrets: ReadonlyArray<Range>
}

export interface FilePlaced {
  readonly path: string
  readonly placed: ReadonlyArray<Placed>
  readonly failures: ReadonlyArray<ToolFailure>
}

/** Texts of files are not kept, so a file flagged in the end is read again. */
export const placeConcluded = async (
  tools: ReadonlyArray<AuditTool>,
  { hits, secrets, path, blob, bytes }: FlaggedFile,
  salt: string
): Promise<FilePlaced> => {
  const file = new SourceFile({ path, blob, text: decodeText(bytes) })
  await prepareGrammars([file.language])
  const isInside = ({ start, end }: Match) => start >= 0 && start <= end && end <= file.text.length
  const all = rawHits(tools, hits)
  const inside = all.filter(({ hit }) => isInside(hit))
  const flagged = inside.flatMap(({ hit }) => hit.redact ?? [])
  return {
    path,
    placed: place(file, inside, hiddenRanges(file, [...secrets, ...flagged]), salt),
    failures: all
      .filter(({ hit }) => !isInside(hit))
      .map(({ tool }) => ({ tool: tool.id, path, message: "flagged a range outside of the file" }))
  }
}

/** Runs tools over one file at a time. It keeps nothing between files except loaded grammars. */
export class Inspector {
  private readonly tools: ReadonlyArray<AuditTool>
  private readonly salt: string

  constructor(tools: ReadonlyArray<AuditTool>, salt: string) {
    this.tools = tools
    this.salt = salt
  }

  async inspect(input: FileInput, only?: ReadonlySet<string>): Promise<FileOutcome> {
    if (isBinary(input.bytes)) {
      return { ...nothing(input.path), bytes: input.bytes.length, skipped: "binary" }
    }
    const file = new SourceFile({ path: input.path, blob: input.blob, text: decodeText(input.bytes) })
    const isLarge = input.bytes.length > MAX_FILE_BYTES
    const tools = this.tools.filter(
      (tool) =>
        tool.inspect !== undefined &&
        (!isLarge || tool.readsLockfiles === true) &&
        (only === undefined || only.has(tool.id)) &&
        tool.appliesTo(file) &&
        (tool.mentions === undefined || tool.mentions.test(file.text))
    )
    if (tools.length > 0 && !isLarge) await prepareGrammars([file.language])
    const outcome = this.run(file, tools)
    // A large lock file is data: counted as lines it would be most of the repository.
    return { ...outcome, lines: isLarge ? 0 : outcome.lines, bytes: input.bytes.length }
  }

  private run(file: SourceFile, tools: ReadonlyArray<AuditTool>): FileOutcome {
    const started = performance.now()
    const hits: Array<RawHit> = []
    const facts = new Map<unknown, Array<string>>()
    const failures: Array<ToolFailure> = []
    const ran: Array<string> = []
    let skipped: string | null = null
    for (const tool of tools) {
      if (performance.now() - started > FILE_BUDGET_MS) {
        skipped = "time_budget"
        break
      }
      ran.push(tool.id)
      const before = hits.length
      try {
        const fact = tool.inspect?.(file, (hit) => {
          if (hits.length - before < MAX_HITS_PER_TOOL_AND_FILE) hits.push({ tool, hit: checked(file, tool, hit) })
        })
        if (fact !== undefined && fact !== null) facts.set(fact, [...(facts.get(fact) ?? []), tool.id])
      } catch (error) {
        if (error instanceof ParserCrashed) throw error
        hits.length = before
        failures.push({ tool: tool.id, path: file.path, message: messageOf(error) })
      }
    }
    // Nothing is told about a file without hits and facts.
    const flagged = hits.flatMap(({ hit }) => hit.redact ?? [])
    const secrets = hits.length + facts.size === 0 ? [] : hiddenRanges(file, flagged)
    const hide = hiderOf(file.text, secrets)
    return {
      path: file.path,
      language: file.language,
      role: file.role,
      lines: file.lineCount,
      bytes: 0,
      skipped: skipped ?? (file.parseSkipped === null ? null : "not_parsed"),
      placed: place(file, hits, secrets, this.salt),
      facts: [...facts].map(([fact, tools]) => ({
        tools,
        json: factsJson(fact, secrets.length === 0 ? null : hide)
      })),
      failures,
      ran,
      secrets,
      cutShort: skipped !== null || file.parseTimedOut
    }
  }
}

/** Facts cross threads and scans as text, so that those of an unchanged file are as good as new ones. */
export const factsJson = (facts: unknown, hide: ((text: string) => string) | null): string =>
  JSON.stringify(hide === null ? facts : withoutSecrets(facts, hide))

const withoutSecrets = (value: unknown, hide: (text: string) => string): unknown => {
  if (typeof value === "string") return hide(value)
  if (value === null || typeof value !== "object") return value
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, hide))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [hide(key), withoutSecrets(item, hide)]))
}

export const messageOf = (error: unknown): string =>
  redactSecrets((error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, 300))

const nothing = (path: string): FileOutcome => ({
  path,
  language: "text",
  role: "source",
  lines: 0,
  bytes: 0,
  skipped: null,
  placed: [],
  facts: [],
  failures: [],
  ran: [],
  secrets: [],
  cutShort: false
})

const checked = (file: SourceFile, tool: AuditTool, hit: Match): Match => {
  ruleOf(tool, hit.rule)
  if (!(hit.start >= 0 && hit.start <= hit.end && hit.end <= file.text.length)) {
    throw new RangeError(`${tool.id}.${hit.rule} flagged ${hit.start}..${hit.end} of ${file.text.length} characters`)
  }
  return hit
}

const byPlace = (a: RawHit, b: RawHit): number =>
  a.hit.start - b.hit.start ||
  a.hit.end - b.hit.end ||
  compare(a.tool.id, b.tool.id) ||
  compare(a.hit.rule, b.hit.rule) ||
  compare(a.hit.message, b.hit.message)

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Hits to data, in document order, by the rules of roles and confidence; a hit told twice is kept once. */
export const place = (
  file: SourceFile,
  hits: ReadonlyArray<RawHit>,
  secrets: ReadonlyArray<Range>,
  salt: string
): ReadonlyArray<Placed> => {
  const hide = hiderOf(file.text, secrets)
  const seen = new Set<string>()
  return [...hits].sort(byPlace).flatMap(({ tool, hit }): ReadonlyArray<Placed> => {
    const rule = ruleOf(tool, hit.rule)
    const key = `${tool.id}.${hit.rule} ${hit.start} ${hit.end}`
    const verdict = verdictOf(file, tool, rule, hit)
    if (verdict === null || seen.has(key)) return []
    seen.add(key)
    const symbol = file.symbolAt(hit.start)
    return [
      {
        tool: tool.id,
        rule: hit.rule,
        path: file.path,
        ...verdict,
        start: hit.start,
        end: hit.end,
        lineStart: file.line(hit.start),
        lineEnd: file.line(Math.max(hit.start, hit.end - 1)),
        symbol: symbol === null ? null : hide(symbol),
        title: hide(hit.title ?? rule.title),
        message: hide(hit.message),
        steps: (hit.steps ?? []).map((step) => ({
          path: step.path ?? file.path,
          line: step.path === undefined || step.path === file.path ? file.line(step.start) : null,
          note: hide(step.note)
        })),
        snippet: snippetOf(file, hit, secrets),
        suggestedChange: hit.suggestedChange === undefined ? null : hide(hit.suggestedChange),
        identifiers: (hit.identifiers ?? []).filter((name) => hide(name) === name),
        anchor: anchorOf(file, [hit.start, hit.end], secrets, salt)
      }
    ]
  })
}

const verdictOf = (file: SourceFile, tool: AuditTool, rule: Rule, hit: Match) => {
  const priority = priorityIn(file.role, rule, hit.priority ?? rule.priority ?? tool.priority)
  const confidence = hit.confidence ?? rule.confidence
  const kind = kindAt(confidence, rule.kind ?? tool.kind)
  return priority === null || kind === null ? null : { kind, priority, confidence }
}

const snippetOf = (file: SourceFile, hit: Match, secrets: ReadonlyArray<Range>): string => {
  const first = file.line(hit.start)
  const last = file.line(Math.max(hit.start, hit.end - 1))
  const spare = Math.max(0, SNIPPET_LINES - (last - first + 1))
  const context = Math.min(2, Math.floor(spare / 2))
  const from = Math.max(1, first - context)
  const to = Math.min(file.lineCount, last + context, from + SNIPPET_LINES - 1)
  const lines: Array<string> = []
  for (let line = from; line <= to; line++) lines.push(shownLine(file, line, line === first ? hit.start : -1, secrets))
  return lines.join("\n")
}

/** A long line is cut, around the flagged place when it is on this line. */
const shownLine = (file: SourceFile, line: number, focus: number, secrets: ReadonlyArray<Range>): string => {
  const start = file.lineStarts[line - 1]!
  const end = start + file.lineText(line).length
  if (end - start <= SNIPPET_LINE_LENGTH) return sliceRedacted(file.text, start, end, secrets)
  const from = focus < 0 ? start : Math.max(start, Math.min(focus - 80, end - SNIPPET_LINE_LENGTH))
  const to = Math.min(end, from + SNIPPET_LINE_LENGTH)
  const shown = sliceRedacted(file.text, from, to, secrets)
  return `${from > start ? "..." : ""}${shown}${to < end ? "..." : ""}`
}
