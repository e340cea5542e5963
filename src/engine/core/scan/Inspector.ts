import { prepareGrammars } from "../../languages/tree/Grammar.ts"
import { ParserCrashed } from "../../languages/tree/Parser.ts"
import type { Range } from "../../languages/tree/Range.ts"
import { hiddenRanges, hiderOf } from "../../secrets/hiddenRanges.ts"
import { redactSecrets } from "../../secrets/redact.ts"
import type { FileRole } from "../files/FileRole.ts"
import type { FileTerms } from "../files/FileTerms.ts"
import { decodeText, isBinary, MAX_FILE_BYTES } from "../files/fileText.ts"
import type { Language } from "../files/Language.ts"
import { SourceFile } from "../files/SourceFile.ts"
import { withSuggestedDiffs } from "../fix/suggestedDiffs.ts"
import { CREDENTIALS } from "../settings/ruleNames.ts"
import { type IgnoreComment, ignoreComments } from "../silencing/ignoreComments.ts"
import { type AuditTool, type Match, ruleOf } from "../tool/AuditTool.ts"
import { applies, isCompiled } from "../tool/applies.ts"
import { withoutYielding } from "../tool/yieldsTo.ts"
import { type LocatedFinding, locate, type ToolMatch } from "./LocatedFinding.ts"

export interface FileInput {
  readonly path: string
  readonly blob: string
  readonly bytes: Uint8Array
  readonly terms: FileTerms
}

export interface ToolFailure {
  readonly tool: string
  readonly path: string
  readonly message: string
}

/** Facts that a file leaves for cross-file passes, as JSON text; secrets are not in it. */
export interface FactsText {
  /** The tools that returned the very same. */
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
  readonly located: ReadonlyArray<LocatedFinding>
  readonly facts: ReadonlyArray<FactsText>
  readonly failures: ReadonlyArray<ToolFailure>
  /** Comments that accept what rules match; they may be about matches of cross-file passes. */
  readonly ignores: ReadonlyArray<IgnoreComment>
  /** Tools that apply to the file. */
  readonly ran: ReadonlyArray<string>
  /** Ranges no output may show, for what cross-file passes report later. */
  readonly secrets: ReadonlyArray<Range>
}

const MAX_MATCHES_PER_TOOL_AND_FILE = 1_000

/** A file, and what cross-file passes matched in it. */
export interface MatchedFile extends FileInput {
  readonly matches: ReadonlyArray<ToolMatch>
  /** Ranges that inspection found no output may show. */
  readonly secrets: ReadonlyArray<Range>
}

export interface LocatedFile {
  readonly path: string
  readonly located: ReadonlyArray<LocatedFinding>
  readonly failures: ReadonlyArray<ToolFailure>
}

/** Texts of files are not kept, so a file that a cross-file pass matched is read again. */
export const locateMatches = async (
  tools: ReadonlyArray<AuditTool>,
  { matches, secrets, path, blob, bytes, terms }: MatchedFile,
  salt: string
): Promise<LocatedFile> => {
  const file = new SourceFile({ path, blob, text: decodeText(bytes), terms })
  await prepareGrammars([file.language])
  const inside = matches.filter(({ match }) => isInside(file, match))
  const flagged = inside.flatMap(({ match }) => match.redact ?? [])
  const hidden = hiddenRanges(file, [...secrets, ...flagged])
  const located = locate(file, tools, inside, hidden, salt)
  return {
    path,
    located: await withSuggestedDiffs(located, { file, matches: inside, secrets: hidden }),
    failures: matches
      .filter(({ match }) => !isInside(file, match))
      .map(({ tool }) => ({ tool, path, message: "matched a range outside of the file" }))
  }
}

const isInside = (file: SourceFile, { start, end }: Match): boolean =>
  start >= 0 && start <= end && end <= file.text.length

/** Runs tools over one file at a time. It keeps nothing between files except loaded grammars. */
export class Inspector {
  private readonly tools: ReadonlyArray<AuditTool>
  private readonly salt: string

  constructor(tools: ReadonlyArray<AuditTool>, salt: string) {
    this.tools = tools
    this.salt = salt
  }

  async inspect(input: FileInput): Promise<FileOutcome> {
    if (isBinary(input.bytes)) {
      return { ...nothing(input.path), bytes: input.bytes.length, skipped: "binary" }
    }
    const { path, blob, terms } = input
    const file = new SourceFile({ path, blob, text: decodeText(input.bytes), terms })
    const isLarge = input.bytes.length > MAX_FILE_BYTES
    const tools = this.tools.filter(
      (tool) =>
        tool.inspect !== undefined &&
        (terms.configured?.isExcluded !== true || tool.id === CREDENTIALS) &&
        (!isLarge || tool.readsLockfiles === true) &&
        applies(tool, file)
    )
    if (tools.length > 0 && !isLarge) await prepareGrammars([file.language])
    const run = runTools(file, tools)
    const outcome = this.outcomeOf(file, run)
    const located = await withSuggestedDiffs(outcome.located, { file, ...run, secrets: outcome.secrets })
    // A large lock file is data: counted as lines it would be most of the repository.
    return { ...outcome, located, lines: isLarge ? 0 : outcome.lines, bytes: input.bytes.length }
  }

  private outcomeOf(file: SourceFile, run: ToolsRun): FileOutcome {
    const { matches: all, facts, failures, ran, isCut } = run
    const matches = withoutYielding(this.tools, all, (offset) => file.line(offset))
    const flagged = all.flatMap(({ match }) => match.redact ?? [])
    // Nothing is reported about a file without matches and facts.
    const secrets = matches.length + facts.size === 0 ? [] : hiddenRanges(file, flagged)
    const redact = secrets.length === 0 ? null : hiderOf(file.text, secrets)
    return {
      path: file.path,
      language: file.language,
      role: file.role,
      lines: file.lineCount,
      bytes: 0,
      skipped: whatWasCut(file, isCut),
      located: locate(file, this.tools, matches, secrets, this.salt),
      facts: [...facts].map(([fact, tools]) => ({ tools, json: factsJson(fact, redact) })),
      failures,
      ignores: ignoresIn(file, redact),
      ran,
      secrets
    }
  }
}

const whatWasCut = (file: SourceFile, isCut: boolean): string | null => {
  if (file.parseSkipped !== null) return "not_parsed"
  if (isCut) return "match_limit"
  return file.role === "source" && isCompiled(file) ? "compiled" : null
}

const ignoresIn = (file: SourceFile, redact: ((text: string) => string) | null): ReadonlyArray<IgnoreComment> => {
  const comments = file.memo(ignoreComments, ignoreComments)
  if (comments.length === 0) return comments
  // Without a match no one has looked for secrets, and reasons are shown.
  const hide = redact ?? hiderOf(file.text, hiddenRanges(file, []))
  return comments.map((one) => ({
    ...one,
    rules: one.rules.map(hide),
    reason: one.reason === null ? null : hide(one.reason)
  }))
}

interface ToolsRun {
  readonly matches: ReadonlyArray<ToolMatch>
  readonly facts: ReadonlyMap<unknown, ReadonlyArray<string>>
  readonly failures: ReadonlyArray<ToolFailure>
  readonly ran: ReadonlyArray<string>
  /** A tool matched more often than is kept of one file. */
  readonly isCut: boolean
}

/** A tool that fails loses its matches in this file, and the others go on. */
const runTools = (file: SourceFile, tools: ReadonlyArray<AuditTool>): ToolsRun => {
  const matches: Array<ToolMatch> = []
  const facts = new Map<unknown, Array<string>>()
  const failures: Array<ToolFailure> = []
  const ran: Array<string> = []
  let isCut = false
  for (const tool of tools) {
    ran.push(tool.id)
    const run = inspectWith(tool, file, MAX_MATCHES_PER_TOOL_AND_FILE)
    if (run.error !== null) failures.push({ tool: tool.id, path: file.path, message: run.error })
    isCut ||= run.isCut
    for (const match of run.matches) matches.push({ tool: tool.id, match })
    if (run.facts !== null) facts.set(run.facts, [...(facts.get(run.facts) ?? []), tool.id])
  }
  return { matches, facts, failures, ran, isCut }
}

interface ToolRun {
  readonly matches: ReadonlyArray<Match>
  readonly facts: unknown
  readonly error: string | null
  readonly isCut: boolean
}

/** One tool over one file, for the first `max` matches. */
export const inspectWith = (tool: AuditTool, file: SourceFile, max: number): ToolRun => {
  const matches: Array<Match> = []
  let isCut = false
  try {
    const facts = tool.inspect?.(file, (match) => {
      if (matches.length < max) matches.push(checked(file, tool, match))
      else isCut = true
    })
    return { matches, facts: facts ?? null, error: null, isCut }
  } catch (error) {
    if (error instanceof ParserCrashed) throw error
    return { matches: [], facts: null, error: messageOf(error), isCut: false }
  }
}

const checked = (file: SourceFile, tool: AuditTool, match: Match): Match => {
  ruleOf(tool, match.rule)
  if (isInside(file, match)) return match
  const { start, end } = match
  throw new RangeError(`${tool.id}.${match.rule} matched ${start}..${end} of ${file.text.length} characters`)
}

/** Facts cross threads and scans as text, so that those of an unchanged file are as good as new ones. */
export const factsJson = (facts: unknown, redact: ((text: string) => string) | null): string =>
  JSON.stringify(redact === null ? facts : withoutSecrets(facts, redact))

const withoutSecrets = (value: unknown, redact: (text: string) => string): unknown => {
  if (typeof value === "string") return redact(value)
  if (value === null || typeof value !== "object") return value
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, redact))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [redact(key), withoutSecrets(item, redact)]))
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
  located: [],
  facts: [],
  failures: [],
  ignores: [],
  ran: [],
  secrets: []
})
