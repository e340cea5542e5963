import type { Location } from "../../../schema/Observation.ts"
import type { Range } from "../../languages/tree/Range.ts"
import { hiderOf } from "../../secrets/hiddenRanges.ts"
import type { SourceFile } from "../files/SourceFile.ts"
import { type Anchor, anchorOf, namedAnchor } from "../identity/Fingerprint.ts"
import { CREDENTIALS, meansRule } from "../settings/ruleNames.ts"
import type { Silence } from "../silencing/Silenced.ts"
import { silenceOf } from "../silencing/silenceOf.ts"
import { compareText } from "../text/compareText.ts"
import { type AuditTool, type Match, type MatchCheck, type Rule, ruleOf } from "../tool/AuditTool.ts"
import { type Assessment, assess, inUncertainFile } from "../tool/assessment.ts"
import { nounOf } from "./noun.ts"
import type { Finding, Region } from "./ScanResult.ts"
import { snippetLine, snippetOf } from "./snippet.ts"

/** A match with its tool, to cross threads. */
export interface ToolMatch {
  readonly tool: string
  readonly match: Match
}

type OfFinding =
  | "tool"
  | "rule_id"
  | "kind"
  | "priority"
  | "confidence"
  | "title"
  | "steps"
  | "snippet"
  | "suggested_change"
  | "suggested_diff"
  | "identifiers"

/** A match with everything that needs the file's text already taken from it. Plain data: it crosses threads and scans. */
export interface LocatedFinding extends Location, Pick<Finding, OfFinding> {
  /** Offsets are UTF-16, into the file's text. */
  readonly start: number
  readonly end: number
  readonly message: string
  /** The thing at fault, by which titles of one rule differ; null where no short text names it. */
  readonly noun: string | null
  readonly checks: ReadonlyArray<MatchCheck>
  readonly priority_reason: string
  readonly region: Region
  /** Of a finding whose locations are in several files. */
  readonly subject?: string
  /** Identifiers that the file does not contain: checked here, while its text is at hand. */
  readonly missing_identifiers: ReadonlyArray<string>
  readonly anchor: Anchor
  /** See `Identity`. */
  readonly identified_as?: string
  /** Why it is not reported. */
  readonly silence?: Silence
}

/** Matches to data, in document order, by the rules of roles and confidence; duplicates are kept once. */
export const locate = (
  file: SourceFile,
  tools: ReadonlyArray<AuditTool>,
  matches: ReadonlyArray<ToolMatch>,
  secrets: ReadonlyArray<Range>,
  salt: string
): ReadonlyArray<LocatedFinding> => {
  const redact = hiderOf(file.text, secrets)
  const seen = new Set<string>()
  return [...matches].sort(inDocumentOrder).flatMap(({ tool: id, match }): ReadonlyArray<LocatedFinding> => {
    const tool = tools.find((one) => one.id === id)
    if (tool === undefined) return []
    const rule = ruleOf(tool, match.rule)
    const key = `${id}.${match.rule} ${match.start} ${match.end}`
    const assessment = assessedIn(file, tool, rule, match)
    if (assessment === null || seen.has(key)) return []
    seen.add(key)
    const location = locationOf(file, match, redact)
    const lines = [location.line_start, location.line_end] as const
    const silence = silenceOf(file, tool, `${id}.${match.rule}`, rule, lines)
    return [
      {
        tool: id,
        rule_id: `${id}.${match.rule}`,
        ...assessment,
        ...location,
        ...textsOf(file, rule, match, redact),
        ...identifiedAs(id, rule),
        ...(match.subject === undefined ? {} : { subject: redact(match.subject) }),
        ...(silence === null ? {} : { silence: { ...silence, reason: redact(silence.reason) } }),
        region: regionOf(file, match),
        snippet: snippetOf(file, [match.start, match.end], secrets),
        anchor:
          match.identity === undefined
            ? anchorOf(file, [match.start, match.end], secrets, salt)
            : namedAnchor(redact(match.identity))
      }
    ]
  })
}

/** What a match is worth in its file. Who wrote the file makes no difference to a credential. */
const assessedIn = (file: SourceFile, tool: AuditTool, rule: Rule, match: Match): Assessment | null => {
  const role = tool.id === CREDENTIALS ? file.ownRole : file.roleAt(match.start)
  const isEnabled = file.terms.configured?.enabled.some((name) => meansRule(name, `${tool.id}.${match.rule}`)) ?? false
  const assessment = assess(tool, rule, match, role, isEnabled)
  const isUncertain = file.isUncertain && tool.id !== CREDENTIALS
  return isUncertain && assessment !== null ? inUncertainFile(assessment, rule.category ?? tool.category) : assessment
}

const identifiedAs = (tool: string, { identifiedAs: other }: Rule): Pick<LocatedFinding, "identified_as"> =>
  other === undefined ? {} : { identified_as: `${tool}.${other}` }

const inDocumentOrder = (a: ToolMatch, b: ToolMatch): number =>
  a.match.start - b.match.start ||
  a.match.end - b.match.end ||
  compareText(a.tool, b.tool) ||
  compareText(a.match.rule, b.match.rule) ||
  compareText(a.match.message, b.match.message)

type Redact = (text: string) => string

const locationOf = (file: SourceFile, { start, end }: Match, redact: Redact) => {
  const symbol = file.symbolAt(start)
  return {
    file_path: file.path,
    symbol: symbol === null ? null : redact(symbol),
    line_start: file.line(start),
    line_end: file.line(Math.max(start, end - 1)),
    start,
    end
  }
}

const regionOf = (file: SourceFile, { start, end }: Match): Region => {
  const last = Math.max(start, end - 1)
  return {
    column_start: start - file.lineStarts[file.line(start) - 1]! + 1,
    column_end: Math.max(end, start + 1) - file.lineStarts[file.line(last) - 1]! + 1,
    snippet_line: snippetLine(file, [start, end])
  }
}

const textsOf = (file: SourceFile, rule: Rule, match: Match, redact: Redact) => {
  const identifiers = (match.identifiers ?? []).filter((name) => redact(name) === name)
  return {
    title: redact(match.title ?? rule.title),
    message: redact(match.message),
    noun: nounOf(file, match, redact),
    checks: (match.checks ?? []).map((check) => ({
      ...check,
      looked_for: redact(check.looked_for),
      ...(check.detail === undefined ? {} : { detail: redact(check.detail) })
    })),
    steps: (match.steps ?? []).map(({ path = file.path, start, note }) => ({
      file_path: path,
      line: path === file.path ? file.line(start) : null,
      note: redact(note)
    })),
    suggested_change: match.suggestedChange === undefined ? null : redact(match.suggestedChange),
    suggested_diff: null,
    identifiers,
    missing_identifiers: identifiers.filter((name) => !file.text.includes(name))
  }
}
