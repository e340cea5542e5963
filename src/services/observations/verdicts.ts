import type { Finding, ScanResult, ToolOutcome } from "../../engine/index.ts"
import type { CitationCheck, DetectionQueryCheck, Location } from "../../schema/Observation.ts"
import type { FileStatus } from "./ObservationRecorder.ts"

export const outcomes = ["confirmed", "moved", "no_longer_found", "stale", "inconclusive"] as const
export type Outcome = (typeof outcomes)[number]

/** Why the verdict is inconclusive. */
export type Doubt =
  | "tool_failed"
  | "file_not_inspected"
  | "rule_changed"
  | "suggestions_off"
  | "fix_in_review"
  | "may_have_moved"
  | "changed_meanwhile"

export type Verdict =
  | { readonly outcome: Exclude<Outcome, "inconclusive"> }
  | { readonly outcome: "inconclusive"; readonly doubt: Doubt }

/** A stored observation, as far as a verdict depends on it. */
export interface CitedObservation {
  readonly kind: string
  readonly tool: string
  readonly tool_version: number
  readonly file_path: string
  readonly symbol: string | null
  readonly description: string
  readonly locations: ReadonlyArray<Location>
  /** While a fix is under review, its merge says what became of the observation. */
  readonly open_fix_pr: boolean
}

/** What a scan of the newest commit found about it. */
export interface ScanEvidence {
  /** What it is now. */
  readonly finding: Finding | null
  /** Found, but among so many of its rule that it was not reported. */
  readonly isCounted: boolean
  /** Something that was found may be it. */
  readonly isAmbiguous: boolean
  /** Of its file, under the name it has now. */
  readonly fileStatus: FileStatus | undefined
  readonly tool: ToolOutcome | undefined
  readonly suggestions: boolean
}

const inconclusive = (doubt: Doubt): Verdict => ({ outcome: "inconclusive", doubt })

/** Nothing is closed because of a run that failed, or that looked for something else than the run before. */
export const verdictOf = (row: CitedObservation, scan: ScanEvidence): Verdict => {
  const { finding, fileStatus, tool } = scan
  if (finding !== null) return { outcome: hasMoved(row, finding) ? "moved" : "confirmed" }
  if (scan.isCounted) return { outcome: "confirmed" }
  if (row.open_fix_pr) return inconclusive("fix_in_review")
  if (scan.isAmbiguous) return inconclusive("may_have_moved")
  if (tool?.status !== "completed") return inconclusive("tool_failed")
  if (fileStatus === "absent") return { outcome: "stale" }
  if (fileStatus !== "inspected") return inconclusive("file_not_inspected")
  if (tool.version !== row.tool_version) return inconclusive("rule_changed")
  if (row.kind === "suggestion" && !scan.suggestions) return inconclusive("suggestions_off")
  return { outcome: "no_longer_found" }
}

const hasMoved = (row: CitedObservation, { locations: [now] }: Finding): boolean => {
  const [before] = row.locations
  return now.file_path !== row.file_path || now.line_start !== before?.line_start
}

/** Whether what an observation cites is still there. */
export interface Citation {
  readonly check: CitationCheck
  /** Its symbol; of one without, its file. */
  readonly symbolStands: boolean
}

const MAX_MISSING = 20
const quotedName = /`([\p{L}_$][\p{L}\p{N}_$]*)`/gu

/** `text` is that of its file now: `null` when there is none any more, `undefined` when it cannot be read as text. */
export const citationOf = (row: CitedObservation, text: string | null | undefined): Citation => {
  const check = (found: Partial<CitationCheck>): CitationCheck => ({
    checked_at_stage: "revalidate",
    path_resolved: true,
    line_in_range: null,
    missing_identifiers: null,
    ...found
  })
  if (text === null) return { check: check({ path_resolved: false, line_in_range: false }), symbolStands: false }
  if (text === undefined) return { check: check({}), symbolStands: true }
  const lines = text.split("\n").length - (text.endsWith("\n") ? 1 : 0)
  const symbol = row.symbol?.split(/[^\p{L}\p{N}_$]+/u).findLast((part) => part !== "")
  const [claim = ""] = row.description.split("\n\n")
  const cited = new Set([
    ...(symbol === undefined ? [] : [symbol]),
    ...[...claim.matchAll(quotedName)].map(([, name = ""]) => name)
  ])
  return {
    check: check({
      line_in_range: row.locations.every(({ file_path, line_end }) => file_path !== row.file_path || line_end <= lines),
      missing_identifiers: [...cited].filter((name) => !text.includes(name)).slice(0, MAX_MISSING)
    }),
    symbolStands: symbol === undefined || text.includes(symbol)
  }
}

/** What is stored with the observation. */
export const evidenceOf = (verdict: Verdict, finding: Finding | null, citation: Citation) => ({
  ...finding?.evidence,
  citation:
    finding === null
      ? citation.check
      : { ...finding.evidence.citation, checked_at_stage: "revalidate", path_resolved: true },
  detection_query: detectionOf(verdict, finding, citation)
})

const detectionOf = ({ outcome }: Verdict, finding: Finding | null, citation: Citation): DetectionQueryCheck => {
  switch (outcome) {
    case "confirmed":
    case "moved":
      return {
        absence_hint: false,
        match_count: Math.max(1, finding?.evidence.detection_query.match_count ?? 1),
        status: "confirmed"
      }
    case "inconclusive":
      return { absence_hint: null, match_count: null, status: "inconclusive" }
    default:
      // The code is absent although its symbol is still there: it was fixed, not moved.
      return { absence_hint: citation.symbolStands, match_count: 0, status: "absent" }
  }
}

/** The note of the dismissal, and of its event. */
export const closingNote = (outcome: "no_longer_found" | "stale", commit: string): string =>
  outcome === "stale"
    ? `Revalidation at ${commit}: the file is gone, and was not renamed.`
    : `Revalidation at ${commit}: the same rule read the file again and found nothing.`

export const moveNote = (row: CitedObservation, { locations: [now] }: Finding): string => {
  const before = `${row.file_path}:${row.locations[0]?.line_start ?? "?"}`
  return `moved from ${before} to ${now.file_path}:${now.line_start}`.slice(0, 2_000)
}

/** Where files that open observations are about may be found now. */
export const currentPaths = (paths: Iterable<string>, renames: ReadonlyMap<string, string>): ReadonlyArray<string> => [
  ...new Set([...paths].flatMap((path) => [path, renames.get(path) ?? path]))
]

/** The current name of a file, and its status. */
export const fileStatusOf = (path: string, renames: ReadonlyMap<string, string>, watched: ScanResult["watched"]) => {
  const now = renames.get(path) ?? path
  return { path: now, status: watched[now] }
}
