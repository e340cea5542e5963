import { Schema } from "effect"
import { Finding, matchFingerprints, type ScanResult } from "../../engine/index.ts"
import { stickyDismissals } from "../../schema/Observation.ts"
import { isPresent, knownOccurrenceOf } from "../observations/ObservationRecorder.ts"
import type { KnownRow } from "../observations/RecordingRepo.ts"
import type { ChangedFile } from "../ports/Comparison.ts"
import { review, type Scanned } from "../reviews/introduced.ts"
import type { FindingFacts, ObservationFacts, ScanFacts } from "./ChangeFacts.ts"

const StoredFinding = Schema.Struct({
  ...Finding.pick("tool", "rule_id", "kind", "priority", "category", "title", "signatures", "anchor").fields,
  file_path: Schema.String,
  symbol: Schema.NullOr(Schema.String),
  line_start: Schema.Int,
  line_end: Schema.Int
})
type StoredFinding = typeof StoredFinding.Type

/** What is kept of the scans before and after a change: enough for every check, now and of later criteria. */
export const StoredScan = Schema.Struct({
  /** Findings at the head. */
  findings: Schema.Array(StoredFinding),
  /** Indexes of those that the change introduces or affects, the most severe first. */
  introduced: Schema.Array(Schema.Int),
  resolved: Schema.Array(StoredFinding),
  unattributed: Schema.Int,
  unfinished_tools: Schema.Array(Schema.String),
  /** Files that no tool read as a whole, and should have. */
  unread: Schema.Array(Schema.String),
  /** Files that no audit inspects. */
  left_out: Schema.Array(Schema.String),
  also_present: Schema.Array(Schema.String),
  silenced: Schema.Array(Schema.Struct({ rule: Schema.String, path: Schema.String })),
  tools: Schema.Array(Schema.Struct({ id: Schema.String, version: Schema.Int, status: Schema.String })),
  suggestions: Schema.Boolean,
  has_advisories: Schema.Boolean,
  ecosystems_without_advisories: Schema.Array(Schema.String)
})
export type StoredScan = typeof StoredScan.Type

const storedOf = (finding: Finding): StoredFinding => {
  const { tool, rule_id, kind, priority, category, title, signatures, anchor, locations } = finding
  const [{ file_path, symbol, line_start, line_end }] = locations
  return { tool, rule_id, kind, priority, category, title, signatures, anchor, file_path, symbol, line_start, line_end }
}

/** Why no audit inspects a file: it has no code of this repository, or people have excluded it. */
const leftOutFor = new Set(["binary", "vendored", "symlink", "submodule", "configuration"])

const pathsOf = (skipped: ScanResult["skipped"]) => [...new Set(skipped.map(({ path }) => path))].sort()

/** What two scans show of a change. */
export const storedScanOf = (
  base: Scanned,
  head: Scanned & Pick<ScanResult, "suggestions" | "advisories">,
  files: ReadonlyArray<ChangedFile>
): StoredScan => {
  const { introduced, resolved, unattributed } = review(base, head, files)
  const indexes = new Map(head.findings.map((finding, index) => [finding, index]))
  const skipped = [...base.skipped, ...head.skipped]
  const unfinished = [...base.tools, ...head.tools].filter(({ status }) => status !== "completed")
  return {
    findings: head.findings.map(storedOf),
    introduced: introduced.flatMap(({ finding }) => indexes.get(finding) ?? []),
    resolved: resolved.map(storedOf),
    unattributed,
    unfinished_tools: [...new Set(unfinished.map(({ id }) => id))].sort(),
    unread: pathsOf(skipped.filter(({ reason }) => !leftOutFor.has(reason))),
    left_out: pathsOf(skipped.filter(({ reason }) => leftOutFor.has(reason))),
    also_present: head.also_present,
    silenced: head.silenced.map(({ rule, path }) => ({ rule, path })),
    tools: head.tools.map(({ id, version, status }) => ({ id, version, status })),
    suggestions: head.suggestions,
    has_advisories: (head.advisories?.sources.length ?? 0) > 0,
    ecosystems_without_advisories: head.advisories?.without_data ?? []
  }
}

const findingOf = ({ tool, rule_id, kind, priority, category, title, ...at }: StoredFinding): FindingFacts => {
  const { file_path, line_start, line_end } = at
  return { tool, rule_id, kind, priority, category, title, file_path, line_start, line_end }
}

type Matching = ReturnType<typeof matchFingerprints>

/** Which stored observation is which finding at the head. */
export const matchingOf = (
  scan: StoredScan,
  known: ReadonlyArray<KnownRow>,
  renames: ReadonlyMap<string, string>
): Matching => matchFingerprints(known.map(knownOccurrenceOf), scan.findings, renames)

/** The facts of a scan; what people have dismissed for good is not new, wherever it is now. */
export const scanFactsOf = (
  scan: StoredScan,
  files: ReadonlyArray<ChangedFile>,
  known: ReadonlyArray<KnownRow>,
  matching: Matching
): ScanFacts => {
  const dismissed = new Set<string>(
    known
      .filter(({ dismissal_category: of }) => of !== null && stickyDismissals.has(of))
      .filter(({ close_reason }) => close_reason === "dismissed")
      .map(({ id }) => id)
  )
  const passedOver = new Set(matching.matches.filter(({ id }) => dismissed.has(id)).map(({ index }) => index))
  const changed = new Set(files.map(({ path }) => path))
  return {
    introduced: scan.introduced
      .filter((index) => !passedOver.has(index))
      .flatMap((index) => scan.findings[index] ?? [])
      .map(findingOf),
    resolved: scan.resolved.map(findingOf),
    unattributed: scan.unattributed,
    unfinished_tools: scan.unfinished_tools,
    unread: scan.unread.filter((path) => changed.has(path)),
    leftOut: scan.left_out.filter((path) => changed.has(path)),
    hasAdvisories: scan.has_advisories,
    ecosystemsWithoutAdvisories: scan.ecosystems_without_advisories
  }
}

interface ObservationRequest {
  readonly ref: string
  /** Null where the repository has no such observation. */
  readonly row: KnownRow | null
  readonly scan: StoredScan
  readonly matching: Matching
  /** Old path to new path since the newest audit. */
  readonly renames: ReadonlyMap<string, string>
  readonly pathsAtHead: ReadonlySet<string>
}

/** What became of an observation at the head. A run that did not look for it says nothing. */
export const observationFactsOf = (request: ObservationRequest): ObservationFacts => {
  const { ref, row, scan, matching, renames, pathsAtHead } = request
  const facts = (state: ObservationFacts["state"], more: Partial<ObservationFacts> = {}): ObservationFacts => ({
    ref,
    state,
    doubt: "",
    location: null,
    ...more
  })
  if (row === null) return facts("elsewhere")
  const unknown = (doubt: string) => facts("unknown", { doubt })
  const match = matching.matches.find(({ id }) => id === row.id)
  const found = match === undefined ? undefined : scan.findings[match.index]
  if (found !== undefined) {
    const { file_path, line_start, line_end } = found
    return facts("present", { location: { file_path, line_start, line_end } })
  }
  const path = renames.get(row.file_path) ?? row.file_path
  if (isPresent(row, new Set(scan.also_present))) return facts("present")
  if (matching.ambiguous.has(row.id)) return unknown("Something that was found may be it.")
  const tool = scan.tools.find(({ id }) => id === row.tool)
  if (tool?.status !== "completed") return unknown(`The tool ${row.tool} did not finish, or did not run.`)
  if (!pathsAtHead.has(path)) return facts("absent")
  if ([...scan.unread, ...scan.left_out].includes(path)) return unknown(`${path} was not inspected as a whole.`)
  if (tool.version !== row.tool_version) return unknown(`The tool ${row.tool} has changed since it was found.`)
  if (row.kind === "suggestion" && !scan.suggestions) return unknown("Suggestions are not switched on.")
  if (scan.silenced.some((one) => one.rule === row.rule_id && one.path === path)) {
    return unknown(`A comment or a setting silences the rule ${row.rule_id} in ${path}.`)
  }
  return facts("absent", { location: { file_path: path, line_start: 1, line_end: 1 } })
}
